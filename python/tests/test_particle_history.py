"""Particles over made-up frames. Nothing here needs the program."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import h5py
import numpy
import pytest

from scree import Results
from scree.errors import ResultsError


def framed(folder: Path, frames: Sequence[dict[str, Any]], case: dict[str, Any] | None = None) -> Results:
    """A run with frames of these arrays: `time`, `positions`, the cell, and others with a row for each particle."""
    (folder / "frames").mkdir(parents=True)
    files = []
    for k, arrays in enumerate(frames):
        name = f"frames/frame_{k:06d}.vtkhdf"
        with h5py.File(folder / name, "w") as file:
            file["VTKHDF/Points"] = arrays["positions"]
            file["VTKHDF/FieldData/TimeValue"] = [arrays["time"]]
            for array, values in arrays.items():
                if array not in ("time", "positions"):
                    file[f"VTKHDF/{'FieldData' if array.startswith('cell') else 'PointData'}/{array}"] = values
        files.append({"name": name, "time": arrays["time"]})
    (folder / "frames.vtkhdf.series").write_text(json.dumps({"files": files}))
    (folder / "case.json").write_text(json.dumps({"time": {"duration": 1}, **(case or {})}))
    return Results(folder)


def test_a_particle_over_time(tmp_path: Path) -> None:
    """Particle 5 comes with the second frame, its row changes as others come and go, and it leaves before the last."""
    there = [[1, 2], [1, 2, 5], [2, 5, 9], [0, 1, 2, 5, 9], [1, 2, 9]]
    frames = [
        {"time": 0.1 * k, "id": numpy.array(ids, "u4"), "material": numpy.array(ids, "u4"),
         "positions": numpy.array(ids, float)[:, None] + [0.0, 0.25, 100 * k],
         "velocity": numpy.array(ids, "f4")[:, None] * numpy.array([1, 2, k], "f4")}
        for k, ids in enumerate(there)
    ]  # fmt: skip
    run = framed(tmp_path, frames)
    table = run.particle(5)
    assert table.index.name == "time" and table.index.to_numpy() == pytest.approx([0, 0.1, 0.2, 0.3, 0.4])
    assert list(table) == [
        "position_x",
        "position_y",
        "position_z",
        "material",
        "velocity_x",
        "velocity_y",
        "velocity_z",
    ]
    nan = numpy.nan
    numpy.testing.assert_array_equal(table["position_z"], [nan, 105, 205, 305, nan])
    numpy.testing.assert_array_equal(table["velocity_z"], [nan, 5, 10, 15, nan])
    assert table.attrs["units"]["velocity_x"] == "m/s"
    two = run.particle(2, ["material", "positions"])
    assert list(two) == ["material", "position_x", "position_y", "position_z"]
    assert two["material"].dtype == "uint32" and two["material"].tolist() == [2] * 5  # whole numbers stay so
    assert run.particle(2, "material").equals(two[["material"]])
    with pytest.raises(ResultsError, match="no frame has a particle with the id 7"):
        run.particle(7)
    with pytest.raises(ResultsError, match='no array "force": there are positions, material, velocity'):
        run.particle(2, ["force"])
    for frame in run.frames:
        with h5py.File(frame.path, "r+") as file:
            del file["VTKHDF/PointData/id"]
    with pytest.raises(ResultsError, match='add "id" to'):
        run.particle(2)


def test_only_the_row_of_a_particle_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of frames whose particles stay, one row of each array; of the first one all ids."""
    points = numpy.zeros((1000, 3))
    run = framed(tmp_path, [{"time": float(k), "positions": points, "id": numpy.arange(1000)} for k in range(20)])
    read = 0
    original = h5py.Dataset.__getitem__

    def counting(self: h5py.Dataset, key: Any, **more: Any) -> Any:
        nonlocal read
        values = original(self, key, **more)
        read += numpy.size(values)
        return values

    monkeypatch.setattr(h5py.Dataset, "__getitem__", counting)
    assert len(run.particle(700)) == 20
    assert read <= 1000 + 20 * 3 + 21 + 20  # ids, rows, looks at the ids of rows, times
