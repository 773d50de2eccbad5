"""What the tests share: cases, and the program beside which the module must have the same bits."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
import runs

import scree

ROOT = Path(__file__).resolve().parents[2]
os.environ.setdefault("OMP_WAIT_POLICY", "passive")

GLASS = {"density": 2500, "young_modulus": 1e7, "poisson_ratio": 0.25, "friction": 0.5, "restitution": 0.7}


def program() -> Path:
    return Path(scree.__file__).parent / "bin" / "scree"


def run_program(*arguments: str, check: bool = True) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(program()), *arguments], capture_output=True, text=True, check=check)


@pytest.fixture
def beads() -> scree.Case:
    """Fifty glass beads that fall into a box, with everything written."""
    return scree.Case(
        title="Beads",
        time=scree.Time(duration=0.05),
        precision="double",
        materials={"glass": scree.Material(**GLASS)},
        particles=[
            scree.Particles(
                material="glass",
                radius=1e-3,
                fill=scree.Fill(box=[[-0.005, -0.005, 0.0002], [0.005, 0.005, 0.01]], count=50),
            )
        ],
        boundaries={
            "floor": scree.BoxBoundary(min=[-0.005, -0.005, 0], max=[0.005, 0.005, 0.1], material="glass"),
            "lid": scree.PlaneBoundary(
                point=[0, 0, 0.012], normal=[0, 0, -1], material="glass",
                motion=[scree.Translation(velocity=[0, 0, 0])],
            ),
        },
        output=scree.Output(
            frames=scree.FramesOutput(every=0.01, fields=["id", "velocity", "radius", "force"]),
            series=scree.SeriesOutput(every=0.005, energies=True),
        ),
    )  # fmt: skip


@pytest.fixture(scope="module")
def settled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return runs.run(runs.settling_case(), tmp_path_factory.mktemp("settled"))


def free_case(**parts: Any) -> scree.Case:
    """Two spheres far from each other, without gravity or boundaries."""
    lattice = {"type": "simple_cubic", "box": [[0, 0, 0], [0.2, 0.1, 0.1]], "spacing": 0.1}
    case: dict[str, Any] = {
        "time": {"duration": 1, "step": 1e-4},
        "gravity": [0, 0, 0],
        "precision": "double",
        "materials": {"glass": GLASS},
        "particles": [{"material": "glass", "radius": 1e-3, "lattice": lattice}],
    }
    return scree.Case(case, **parts)


def sliding_case(**parts: Any) -> scree.Case:
    """A sphere that cannot turn rests on a floor. It is 1 mm in radius, and gravity is 10 m/s2."""
    case = free_case(
        gravity=[0, 0, -10],
        groups={"sliders": {"fixed": ["rx", "ry", "rz"]}},
        boundaries={"floor": {"type": "plane", "point": [0, 0, 0], "normal": [0, 0, 1], "material": "glass"}},
        **parts,
    )
    lattice = {"type": "simple_cubic", "box": [[0, 0, 0], [2e-3, 2e-3, 2e-3]], "spacing": 2e-3}
    case["particles"] = [{"material": "glass", "radius": 1e-3, "lattice": lattice, "group": "sliders"}]
    case.set("time.step", 1e-5)
    case["materials"]["glass"]["restitution"] = 0.1
    return case
