"""A table of a frame, written as a CSV file, is a file of particles for the next case."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy
import pytest
from conftest import GLASS, run_program

import scree

#: Fields that a start takes over, and those that say nothing about it.
TAKEN = ["velocity", "angular_velocity", "radius", "material", "group", "temperature", "film"]
PASSED = ["id", "force", "coordination_number", "damage", "fragment", "clump", "orientation", "clump_velocity",
          "dissipated_energy"]  # fmt: skip


def wet_case(particles: list[dict[str, Any]]) -> dict[str, Any]:
    """Wet and warm spheres of two materials above a floor, with all fields that a case without a cell can write."""
    warm = GLASS | {"thermal": {"heat_capacity": 800, "conductivity": 1.1}}
    box = [[0, 0, 0], [0.02, 0.02, 0.04]]
    return {
        "time": {"duration": 0.02, "step": 1e-5},
        "precision": "double",
        "materials": {"glass": warm, "clay": warm | {"density": 1500}},
        "contacts": [{"between": ["*", "*"], "liquid": {"surface_tension": 0.07, "from_films": True, "volume": 1e-12}}],
        "heat": {"temperature": 300},
        "groups": {"low": {}, "high": {}},
        "particles": particles,
        "boundaries": {"walls": {"type": "box", "min": box[0], "max": box[1], "material": "clay"}},
        "output": {"frames": {"every": 0.01, "fields": TAKEN + PASSED}},
    }


def first_particles() -> list[dict[str, Any]]:
    entries = []
    for material, group, z in (("glass", "high", 0.01), ("clay", None, 0.0)):
        entry: dict[str, Any] = {
            "material": material,
            "radius": {"uniform": [8e-4, 1e-3]},
            "velocity": [0.1, 0, -0.5],
            "temperature": 300 + 1000 * z,
            "film": 0.02,
            "fill": {"box": [[0, 0, z], [0.02, 0.02, z + 0.01]], "count": 60},
        }
        entries.append(entry | ({"group": group} if group else {}))
    return entries


def run(case: dict[str, Any], folder: Path, *more: str) -> scree.Results:
    file = folder.with_suffix(".json")
    file.write_text(json.dumps(case))
    run_program("run", str(file), "--out", str(folder), "--backend", "host", "--quiet", *more)
    return scree.Results(folder)


@pytest.mark.parametrize("index", [True, False])
def test_a_table_of_a_frame_is_a_particle_file(tmp_path: Path, index: bool) -> None:
    last = run(wet_case(first_particles()), tmp_path / "first").frames[-1]
    last.to_dataframe().to_csv(tmp_path / "bed.csv", index=index)
    again = run(wet_case([{"file": "bed.csv", "allow_overlap": 0.5}]), tmp_path / "next", "--steps", "1")
    start = again.frames[0]
    assert len(start) == len(last) == 120
    assert numpy.count_nonzero(numpy.asarray(last["film"])) > 0 and numpy.ptp(numpy.asarray(last["group"])) == 2
    for name in ["positions", *TAKEN]:
        digits = 1e-15 if name == "film" else 0.0  # a file has the fraction of the volume, so it is divided once more
        numpy.testing.assert_allclose(start[name][...], last[name][...], rtol=digits, atol=0, err_msg=name)
    passed = "".join(again.log.lines)
    assert 'particles.0.file: passes over "clump", "clump_velocity_x"' in passed  # in the order of the file
    assert '"orientation_z", which say nothing about the start of a sphere' in passed
