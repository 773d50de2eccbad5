"""The meshes of scripts/make_machine.py: what is solid is closed and has the volume of its form."""

from __future__ import annotations

import importlib.util
import math
from collections import Counter
from pathlib import Path
from typing import Any

import numpy
import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "scripts/make_machine.py"
pytestmark = pytest.mark.skipif(not SCRIPT.exists(), reason="the scripts are not here")


def machines() -> Any:
    spec = importlib.util.spec_from_file_location("make_machine", SCRIPT)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def open_edges(triangles: list[Any]) -> int:
    """Directed edges without their opposite."""
    edges = Counter((a, b) for t in triangles for a, b in zip(t, (*t[1:], t[0]), strict=True))
    return sum(count != edges[b, a] for (a, b), count in edges.items())


def volume(triangles: list[Any]) -> float:
    a, b, c = numpy.moveaxis(numpy.asarray(triangles, float), 1, 0)
    return float(numpy.einsum("ij,ij->i", a, numpy.cross(b, c)).sum() / 6)


def test_a_screen_has_apertures_of_the_right_size() -> None:
    deck = machines().screen(6e-3, 2e-3, (5, 3)).parts["deck"]
    assert open_edges(deck) == 0
    length, width = 5 * 8e-3 + 2e-3, 3 * 8e-3 + 2e-3
    assert volume(deck) == pytest.approx((length * width - 15 * 36e-6) * 2e-3, rel=1e-9)


def test_a_screw_has_a_closed_shaft_and_its_pitch() -> None:
    parts = machines().screw(0.05, 0.02, 0.08, 0.24, 32).parts
    assert open_edges(parts["shaft"]) == 0
    section = 32 / 2 * math.sin(2 * math.pi / 32) * 0.02**2
    assert volume(parts["shaft"]) == pytest.approx(section * 0.24, rel=1e-9)
    ends = numpy.asarray(parts["flight"], float).reshape(-1, 3)
    turns = numpy.unwrap(numpy.arctan2(ends[:, 2], ends[:, 1]))
    assert numpy.hypot(ends[:, 1], ends[:, 2]).max() == pytest.approx(0.05, rel=1e-9)
    assert (turns.max() - turns.min()) / (2 * math.pi) == pytest.approx(3, rel=1e-9)


def test_a_drum_is_a_tube_with_lifters_and_dams() -> None:
    parts = machines().drum(0.1, 0.05, 6, 0.02, 0.03).parts
    wall = numpy.asarray(parts["wall"], float).reshape(-1, 3)
    radius = numpy.hypot(wall[:, 1], wall[:, 2]).round(9)
    assert set(radius) == {0.08, 0.1}
    angles = numpy.degrees(numpy.arctan2(wall[:, 2], wall[:, 1])[radius == 0.08]).round(6)
    assert len(set(angles % 360)) == 6
    assert open_edges(parts["wall"]) == 2 * 72  # two rims
    assert numpy.hypot(*numpy.asarray(parts["dam"], float).reshape(-1, 3)[:, 1:].T).min() == pytest.approx(0.07)
