"""The diagram of a case in its report; nothing here needs the program."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy
import pytest
from runs import lattice, made_up

from scree import Results
from scree.__main__ import main
from scree.report.diagram import case_diagram
from scree.report.regions import hull


def drawn(folder: Path, entries: list[dict[str, Any]], points: numpy.ndarray, **case: Any) -> tuple[Results, str]:
    run = made_up(folder, points, 0.01)
    (folder / "case.json").write_text(json.dumps({"time": {"duration": 1}, "particles": entries, **case}))
    return run, case_diagram(run)


def outlines(text: str, style: str) -> list[numpy.ndarray]:
    """Corners of the outlines of a style, in the order of the text."""
    return [numpy.array([[float(c) for c in pair.split()] for pair in path.split("L")])
            for path in re.findall(rf'class="{style}" d="M([^"Z]*)Z"', text)]  # fmt: skip


def is_circle(corners: numpy.ndarray) -> bool:
    radius = numpy.linalg.norm(corners - corners.mean(axis=0), axis=1)
    return len(corners) > 40 and numpy.ptp(radius) < 0.03 * radius.mean()


def test_the_hull_of_points() -> None:
    square = [[0, 0], [2, 0], [2, 2], [0, 2]]
    assert hull(numpy.array([*square, [1, 1], [1, 0.0]])).tolist() == square
    assert hull(numpy.array([[0, 0], [1, 0], [3.0, 0]])).tolist() == [[0, 0], [3, 0]]
    assert hull(numpy.array([[1.0, 2]])).tolist() == [[1, 2]]


def test_round_regions_have_round_outlines(tmp_path: Path) -> None:
    cylinder = {"cylinder": {"from": [0, -0.1, 0], "to": [0, 0.1, 0], "radius": 0.2}, "count": 8}
    entries = [{"material": "a", "fill": cylinder}, {"material": "b", "fill": {**cylinder, "count": 3}}]
    front, above = outlines(drawn(tmp_path / "a", entries, lattice(2, 0.1))[1], "grains")
    assert is_circle(front)
    assert len(above) == 4  # a rectangle from above, once for both entries
    ball = {"sphere": {"center": [0, 0, 0], "radius": 0.2}, "count": 8}
    assert all(map(is_circle, outlines(drawn(tmp_path / "b", [{"fill": ball}], lattice(2, 0.1))[1], "grains")))
    box = {"box": [[0, 0, 0], [1, 1, 1]], "count": 8}
    text = drawn(tmp_path / "c", [{"fill": ball}, {"fill": box}], lattice(2, 0.1))[1]
    assert [len(corners) for corners in outlines(text, "grains")] == [4, 4]  # the box around them


@pytest.mark.parametrize("frames", [True, False])
def test_runs_that_begin_empty_have_a_diagram(tmp_path: Path, frames: bool) -> None:
    disc = {"face": {"disc": {"center": [0, 0, 0.5], "normal": [0, 0, -1], "radius": 0.1}}}
    polygon = {"face": {"polygon": [[0.2, 0, 0.5], [0.3, 0, 0.5], [0.22, 0.02, 0.5], [0.2, 0.1, 0.5]]}}
    entries = [{"inlet": {"name": "a<b", "rate": 5, "region": disc}}, {"inlet": {"rate": 5, "region": polygon}},
               {"inlet": {"region": {"face": {"file": "a.stl"}}}}]  # fmt: skip
    floor = {"floor": {"type": "plane", "point": [0, 0, 0.1], "normal": [0, 0, 1]}}
    run, text = drawn(tmp_path / "run", entries, numpy.zeros((0, 3)), boundaries=floor)
    if not frames:
        (run.folder / "frames.vtkhdf.series").unlink()
        (run.folder / "frames/frame_000000.vtkhdf").unlink()
        text = case_diagram(run)
    assert "inlet a&lt;b</text>" in text
    _, _, circle, corner = outlines(text, "inlet")  # two from the front, two from above
    assert is_circle(circle)
    assert len(corner) == 4  # a polygon need not be convex
    assert "<title>floor</title>" in text
    assert 'class="grains"' not in text
    assert main(["report", str(run.folder), "--pictures", "0"]) == 0
    assert "<title>floor</title>" in (tmp_path / "run.html").read_text()
    assert drawn(tmp_path / "none", [], numpy.zeros((0, 3)))[1] == ""
