"""Types of the package: what mypy says of a program that uses it."""

from __future__ import annotations

import inspect
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT

import scree
from scree import _engine

SAMPLE = """
import numpy
import scree

case = scree.Case(time=scree.Time(duration=0.1), gravity=[0, 0, -9.81],
                  materials={"glass": scree.Material(density=2500, young_modulus=1e7, poisson_ratio=0.2, friction=0.3)})
sim = scree.Simulation(case, backend="host")
mean: numpy.float64 = sim.positions[:, 2].mean()
sim.velocities = numpy.zeros((10, 3))
sim.every(10, lambda s: print(s.time))
table = scree.Results("out/hopper").series["kinetic_energy"]
"""
WRONG = [
    ("scree.Time(length=0.1)", 'Unexpected keyword argument "length"'),
    ('scree.Material(density="heavy", young_modulus=1, poisson_ratio=0, friction=0)', 'incompatible type "str"'),
    ('scree.Simulation({}, backend="gpu")', "incompatible type \"Literal['gpu']\""),
    ("scree.Case(colour=1)", 'Unexpected keyword argument "colour"'),
]


def mypy(text: str, folder: Path) -> str:
    pytest.importorskip("mypy")
    (folder / "sample.py").write_text(text)
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(ROOT / "build/python/mypy"), "sample.py"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True).stdout


def test_mypy_knows_the_package(tmp_path: Path) -> None:
    assert mypy(SAMPLE, tmp_path).startswith("Success"), mypy(SAMPLE, tmp_path)
    said = mypy("import scree\n" + "\n".join(line for line, _ in WRONG) + "\n", tmp_path)
    for _, message in WRONG:
        assert message in said, said


def test_the_stub_names_what_the_module_has() -> None:
    stub = (ROOT / "python/src/scree/_engine.pyi").read_text()
    for name, member in inspect.getmembers(_engine.Run):
        if not name.startswith("_"):
            assert f"def {name}(" in stub, name
            assert member is not None
    for line in stub.splitlines():
        if line.strip().startswith("def "):
            name = line.split("def ")[1].split("(")[0]
            assert any(hasattr(place, name) for place in (_engine, _engine.Run, _engine.SavedState)), name


def test_a_region_of_any_kind_can_be_typed() -> None:
    region = scree.Region(box=[[0, 0, 0], [0.1, 0.1, 0.1]])
    inlet = scree.Inlet(rate=10, region=region)
    assert inlet.to_dict()["region"] == {"box": [[0, 0, 0], [0.1, 0.1, 0.1]]}
    assert scree.Region(face=scree.Face(disc=scree.Disc(center=[0, 0, 0], normal=[0, 0, 1], radius=0.1))).to_dict()
