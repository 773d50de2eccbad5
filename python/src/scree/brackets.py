"""Solutions of one equation with one unknown whose values are noisy: where they change sign between two points."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy
from numpy.typing import NDArray

__all__ = ["Bracket", "brackets", "touches"]

Numbers = NDArray[numpy.float64]


@dataclass(frozen=True)
class Bracket:
    """Two points between which a measure passes its goal, in parts of the range, and how far it is from the goal."""

    low: float
    high: float
    low_distance: float
    high_distance: float

    @property
    def width(self) -> float:
        return self.high - self.low

    @property
    def middle(self) -> float:
        return (self.low + self.high) / 2

    @property
    def crossing(self) -> float:
        """Where a straight line between both points meets the goal (regula falsi)."""
        return self.low + self.width * self.low_distance / (self.low_distance - self.high_distance)

    def inside(self, part: float) -> float:
        """A part of the range, or the crossing instead of what is at an end of the bracket or beyond: an end is no
        solution, since the goal is on its other side."""
        edge = 0.01 * self.width
        return part if self.low + edge < part < self.high - edge else self.crossing


def _signs(distances: Numbers, noise: float) -> NDArray[numpy.int64]:
    """[n] -1 or 1; 0 where the noise may have made the sign."""
    return numpy.where(numpy.abs(distances) > noise, numpy.sign(distances), 0).astype(int)


def brackets(parts: Numbers, distances: Numbers, noise: float) -> list[Bracket]:
    """All changes of sign between neighbours, from low to high.

    parts: [n] in any order. distances: [n] from the goal. noise: a distance of which the sign says nothing; such points
    may lie within a bracket, but are no end of one."""
    order = numpy.argsort(parts)
    order = order[_signs(distances, noise)[order] != 0]
    return [Bracket(float(parts[a]), float(parts[b]), float(distances[a]), float(distances[b]))
            for a, b in pairwise(order) if distances[a] * distances[b] < 0]  # fmt: skip


def touches(parts: Numbers, distances: Numbers, noise: float) -> list[tuple[float, float]]:
    """Groups of neighbours, from the first to the last, that meet the goal within the noise but lie in no bracket: at
    the top of a curve, or at the end of the range."""
    known = brackets(parts, distances, noise)
    order = numpy.argsort(parts)
    found: list[tuple[float, float]] = []
    grows = False
    for part, sign in zip(parts[order], _signs(distances, noise)[order], strict=True):
        if sign or any(b.low < part < b.high for b in known):
            grows = False
            continue
        found.append((found.pop()[0] if grows else float(part), float(part)))
        grows = True
    return found
