"""Searches with one parameter and one number, of which all solutions are known. No run is made."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy
import pytest

from scree.batch import Workers
from scree.brackets import Bracket, brackets, touches
from scree.calibrate import Calibration, Fitted, Point, Target
from scree.sweep import Vary

pytest.importorskip("scipy")


class Known(Calibration):
    """A calibration whose measures are functions of the parameters, with noise from seed to seed."""

    def __init__(self, folder: Path, functions: Sequence[Callable[..., float]], targets: Sequence[Target],
                 noise: float = 0.0, parameters: int = 1) -> None:  # fmt: skip
        (folder / "case.json").write_text("{}")
        names = [f"materials.g.{name}" for name in ("friction", "restitution")[:parameters]]
        super().__init__(folder / "case.json", [Vary.parse(f"{name}=0:1") for name in names], targets, folder / "out")
        self.functions, self.noise = functions, noise

    def evaluate(self, parts: Sequence[Any], workers: Workers, say: Callable[[str], None]) -> None:
        for part in self._distinct(parts):
            rng = numpy.random.default_rng([len(self.points), 7])
            rows = numpy.array([[f(*part) for f in self.functions]] * self.seeds)
            rows = rows + self.noise * rng.normal(size=rows.shape)
            self.points.append(Point(part, rows.mean(axis=0), rows.std(axis=0, ddof=1) / math.sqrt(self.seeds)))
            self.runs += self.seeds

    def found(self, **how: Any) -> tuple[Fitted, float, list[str]]:
        said: list[str] = []
        fitted = self.search(Workers(1, 1), say=said.append, **how)
        return fitted, fitted.values["materials.g.friction"], said


def search(folder: Path, function: Callable[[float], float], goal: float, error: float,
           noise: float = 0.0) -> tuple[Fitted, float, list[str]]:  # fmt: skip
    return Known(folder, [function], [Target("final:f", goal, error)], noise).found()


def test_a_curve_with_a_noisy_top(tmp_path: Path) -> None:
    """Points on both sides of the number are there from the start: the solution is between them, and not at the end of
    the range, where a parabola through all points may meet the number, too."""
    fitted, value, said = search(tmp_path, lambda x: 0.4285 - 0.14 * (0.8 * x - 0.5) ** 2, 0.41, 0.005, 0.003)
    assert value == pytest.approx((0.5 - math.sqrt(0.0185 / 0.14)) / 0.8, abs=2 * fitted.errors["materials.g.friction"])
    assert value < 0.4
    assert fitted.reached and fitted.at_rest
    assert said[1].startswith("final:f = 0.41 lies between materials.g.friction = 0.05 and 0.35")


def test_all_solutions_are_named(tmp_path: Path) -> None:
    """x (1.2 - x) = 0.3 has two solutions, a cubic three."""
    fitted, value, said = search(tmp_path, lambda x: x * (1.2 - x), 0.3, 0.003)
    assert value == pytest.approx(0.355, abs=0.003) or value == pytest.approx(0.845, abs=0.003)
    (other,) = fitted.others
    assert other == ((0.65, 0.95) if value < 0.5 else (0.05, 0.35))
    assert sum("lies between" in line for line in said) == 2
    fitted, value, _ = search(tmp_path, lambda x: (x - 0.2) * (x - 0.5) * (x - 0.8), 0, 1e-4)
    assert min(abs(value - x) for x in (0.2, 0.5, 0.8)) < 0.005
    assert len(fitted.others) == 2


@pytest.mark.parametrize("place", [0.1, 0.47, 0.9])
@pytest.mark.parametrize("steep", [3.0, 30.0, 300.0])
def test_a_steep_curve_is_bracketed(tmp_path: Path, place: float, steep: float) -> None:
    fitted, value, _ = search(tmp_path, lambda x: math.tanh(steep * (x - place)), 0.3, 0.02)
    assert value == pytest.approx(place + math.atanh(0.3) / steep, abs=0.05 / steep)
    assert fitted.reached and fitted.at_rest and not fitted.others


def test_a_jump_over_the_number(tmp_path: Path) -> None:
    fitted, value, _ = search(tmp_path, lambda x: 1.0 if x > 0.4321 else 0.0, 0.3, 0.01)
    assert value == pytest.approx(0.4321, abs=0.005)
    assert not fitted.reached


def test_a_number_that_no_value_gives(tmp_path: Path) -> None:
    fitted, value, said = search(tmp_path, lambda x: x * (1.2 - x), 0.4, 0.003)
    assert value == pytest.approx(0.6, abs=0.02)
    assert not fitted.reached and not fitted.others
    assert "final:f is below 0.4 at all points" in said


@pytest.mark.parametrize("seed", range(5))
def test_no_worse_point_than_the_best_is_returned(tmp_path: Path, seed: int) -> None:
    """Rough measures of two parameters that no polynomial follows: what is told of the solution is not worse than the
    best point, unless it meets the numbers."""
    rng = numpy.random.default_rng(seed)
    ways = rng.normal(size=(2, 2)) * 25
    functions = [lambda x, y, way=way: math.sin(way[0] * x + way[1] * y) for way in ways]
    known = Known(tmp_path, functions, [Target("final:a", 0.5, 0.02), Target("final:b", -0.2, 0.02)], parameters=2)
    fitted, _, _ = known.found()
    part = numpy.array(list(fitted.values.values()))
    near = known._nearest(part)

    def miss(point: Point) -> float:
        return float((known._misses(point) ** 2).sum())

    assert miss(near) <= max(min(map(miss, known.points)), 2.0)
    assert fitted.reached == all(abs(m) <= 2 for m in known._misses(near))
    assert [fitted.measures[f"final:{name}"][0] for name in "ab"] == list(near.means)


def test_brackets_and_touches() -> None:
    parts = numpy.array([0.9, 0.1, 0.3, 0.5, 0.7])
    found = brackets(parts, numpy.array([-3.0, -1.0, 0.1, 2.0, 0.2]), 0.3)
    assert found == [Bracket(0.1, 0.5, -1.0, 2.0), Bracket(0.5, 0.9, 2.0, -3.0)]  # what noise hides is no end
    assert found[0].crossing == pytest.approx(0.1 + 0.4 / 3)
    assert (found[0].inside(0.2), found[0].inside(0.1), found[0].inside(0.7)) == (0.2, *2 * (found[0].crossing,))
    assert touches(parts, numpy.array([-3.0, -1.0, 0.1, 2.0, 0.2]), 0.3) == []
    assert touches(parts, numpy.array([5.0, 0.1, 3.0, 0.1, -0.2]), 0.3) == [(0.1, 0.1), (0.5, 0.7)]
