"""Runs that tests look at: made by the program, small enough to take a second; or made up, without the program."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import h5py
import numpy

from scree import Results
from scree.program import InputError, program


def _find_program() -> str:
    try:
        return program()
    except InputError:
        return ""


PROGRAM = _find_program()


def settling_case() -> dict[str, Any]:
    """Spheres settle in a box of five planes."""
    glass = {"density": 2500, "young_modulus": 1e7, "poisson_ratio": 0.25, "friction": 0.4, "restitution": 0.5}
    sides = {
        "floor": ([0, 0, 0], [0, 0, 1]), "left": ([-0.02, 0, 0], [1, 0, 0]), "right": ([0.02, 0, 0], [-1, 0, 0]),
        "front": ([0, -0.02, 0], [0, 1, 0]), "back": ([0, 0.02, 0], [0, -1, 0]),
    }  # fmt: skip
    return {
        "title": "Spheres settle",
        "time": {"duration": 0.1},
        "materials": {"glass": glass},
        "particles": [
            {"material": "glass", "radius": {"uniform": [2.5e-3, 3.5e-3]},
             "fill": {"box": [[-0.02, -0.02, 0], [0.02, 0.02, 0.06]], "count": 100}}
        ],
        "boundaries": {
            name: {"type": "plane", "point": point, "normal": normal, "material": "glass"}
            for name, (point, normal) in sides.items()
        },
        "output": {
            "frames": {"every": 0.02, "fields": ["id", "velocity", "radius", "coordination_number"]},
            "series": {"every": 0.002, "energies": True},
        },
    }  # fmt: skip


def draining_case() -> dict[str, Any]:
    """Spheres fall freely out of a box without a floor, through an outlet."""
    case = settling_case()
    case["boundaries"].pop("floor")
    case["title"] = "Spheres fall out"
    case["domain"] = {"outlets": {"hole": {"point": [0, 0, -0.01], "normal": [0, 0, -1]}}}
    return case


def clumps_case() -> dict[str, Any]:
    """Rods and spheres in a cylinder."""
    case = settling_case()
    case["title"] = "Rods"
    spheres = [{"center": [k, 0, 0], "radius": 1} for k in (-1, 0, 1)]
    case["shapes"] = {"rod": {"type": "clump", "spheres": spheres}}
    fill = {"cylinder": {"from": [0, 0, 0.003], "to": [0, 0, 0.05], "radius": 0.018}, "count": 20}
    case["particles"] = [
        {"material": "glass", "shape": "rod", "radius": 3e-3, "fill": fill},
        {"material": "glass", "radius": 3e-3, "fill": fill},
    ]
    case["boundaries"] = {
        "floor": case["boundaries"]["floor"],
        "drum": {"type": "cylinder", "from": [0, 0, 0], "to": [0, 0, 0.06], "radius": 0.02, "material": "glass"},
    }
    case["output"]["frames"]["fields"] = ["velocity", "radius", "clump"]
    return case


def hot_case() -> dict[str, Any]:
    """Cold and hot spheres in a box of planes."""
    case = settling_case()
    case["title"] = "Cold and hot spheres"
    case["heat"] = {}
    case["materials"]["glass"]["thermal"] = {"conductivity": 1, "heat_capacity": 800}
    case["materials"]["steel"] = {**case["materials"]["glass"], "density": 7800}
    case["particles"][0]["temperature"] = 300
    case["particles"].append({"material": "steel", "radius": 3e-3, "temperature": 400,
                              "fill": {"box": [[-0.02, -0.02, 0.06], [0.02, 0.02, 0.09]], "count": 40}})  # fmt: skip
    case["output"]["frames"]["fields"] = ["id", "velocity", "radius", "temperature", "material"]
    case["time"]["duration"] = 0.02
    return case


def run(case: dict[str, Any], folder: Path, *arguments: str) -> Path:
    """Runs a case with the program; its output folder is returned."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "case.json"
    file.write_text(json.dumps(case))
    out = folder / "run"
    subprocess.run([PROGRAM, "run", str(file), "--out", str(out), "--threads", "1", "--quiet", *arguments], check=True)
    return out


def made_up(folder: Path, points: numpy.ndarray, radius: float, series: str = "") -> Results:
    """A run with one frame of equal spheres, and a series."""
    (folder / "frames").mkdir(parents=True)
    with h5py.File(folder / "frames/frame_000000.vtkhdf", "w") as file:
        file["VTKHDF/Points"] = points
        file["VTKHDF/PointData/radius"] = numpy.full(len(points), radius, dtype="f4")
        file["VTKHDF/FieldData/TimeValue"] = [1.0]
        file["VTKHDF/Offsets"] = numpy.arange(len(points) + 1)
    listing = {"file-series-version": "1.0", "files": [{"name": "frames/frame_000000.vtkhdf", "time": 1.0}]}
    (folder / "frames.vtkhdf.series").write_text(json.dumps(listing))
    (folder / "case.json").write_text(json.dumps({"time": {"duration": 1}, "gravity": [0, 0, -9.81]}))
    if series:
        (folder / "series.csv").write_text(series)
    return Results(folder)


def lattice(n: int, spacing: float) -> numpy.ndarray:
    return numpy.stack(numpy.meshgrid(*[numpy.arange(n)] * 3, indexing="ij"), axis=-1).reshape(-1, 3) * spacing
