"""Sweeps and calibrations notice that a file has changed that the case names. No run is made here."""

from __future__ import annotations

import json
from pathlib import Path

import numpy
import pytest

from scree.calibration_points import Points, Target
from scree.named_files import named_files
from scree.program import InputError
from scree.sweep import Sweep, Vary


@pytest.fixture
def case(tmp_path: Path) -> Path:
    """A case with a mesh and the checkpoints of another run, beside a further mesh."""
    (tmp_path / "old/checkpoints").mkdir(parents=True)
    for name in ("hopper.stl", "other.stl", "old/checkpoints/step_000000009.h5"):
        (tmp_path / name).write_text("one")
    file = tmp_path / "case.json"
    parts = {"title": "none.stl", "boundaries": {"hopper": {"file": "hopper.stl"}}, "start": "old"}
    file.write_text(json.dumps(parts))
    return file


def test_files_of_a_case_and_of_values(case: Path) -> None:
    assert set(named_files(case)) == {"hopper.stl", "old"}
    values = ['["other.stl", 3]', "0.5", "other.stl", "no\0name", "x" * 10_000]
    assert set(named_files(case, values)) == {"hopper.stl", "old", "other.stl"}
    case.write_text("no JSON")
    assert named_files(case) == {}


def test_a_changed_file_is_another_sweep(case: Path) -> None:
    """Runs with the mesh of yesterday must not become the results of that of today."""
    folder, points = case.parent / "sweep", [{"boundaries.hopper.file": "other.stl"}]
    Sweep(case, points, folder).jobs[0].folder.mkdir()  # a run has begun
    Sweep(case, points, folder)  # the same one
    for name, path in (("hopper.stl",) * 2, ("other.stl",) * 2, ("old", "old/checkpoints/step_000000009.h5")):
        (case.parent / path).write_text("two")
        with pytest.raises(InputError, match=rf"other contents of the files that the case names \({name}\); choose"):
            Sweep(case, points, folder)
        (case.parent / path).write_text("one")
    about = json.loads((folder / "sweep.json").read_text())
    about.pop("files")
    (folder / "sweep.json").write_text(json.dumps(about))
    Sweep(case, points, folder)  # of an older version, which did not note files


def test_a_changed_file_is_another_run_of_a_calibration(case: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCREE_PROGRAM", "/bin/true")

    def run() -> Path:
        search = Points(case, [Vary.parse("seed=0:1")], [Target("final:x", 1.0, 0.1)], case.parent / "search", seeds=1)
        return search._jobs(numpy.array([0.5]))[0].folder

    first = run()
    (case.parent / "hopper.stl").write_text("two")
    second = run()
    (case.parent / "hopper.stl").write_text("one")
    assert first == run() != second
