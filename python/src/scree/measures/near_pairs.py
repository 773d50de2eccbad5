"""Distances of points to those near them, found in columns of a grid."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy
from numpy.typing import NDArray

from .values import Numbers

__all__ = ["expanded", "images_near", "near_pairs"]

Indices = NDArray[numpy.int64]

_PAIRS_AT_ONCE = 1 << 17  # they stay in the cache of a processor
_COLUMNS_IN_REACH = 4  # narrower columns: fewer points that are too far away, but more columns to look at


def images_near(points: Numbers, cell: Numbers, origin: Numbers, axes: tuple[bool, bool, bool], reach: float,
                ) -> tuple[Numbers, Indices]:  # fmt: skip
    """The points moved into a periodic cell, then their images outside it up to `reach` [m] from its faces; and the
    point that each is an image of. `axes`: the edges along which the cell repeats. Edges may have any angle."""
    inverse = numpy.linalg.inv(cell)
    repeats = numpy.array(axes)
    place = (points - origin) @ inverse
    place -= numpy.where(repeats, numpy.floor(place), 0)
    inside = place.copy()
    owner = numpy.arange(len(points))
    margins = reach * numpy.linalg.norm(inverse, axis=0)  # over the distance of the faces
    for k in numpy.flatnonzero(repeats):
        moves = numpy.arange(-int(numpy.ceil(margins[k])), int(numpy.ceil(margins[k])) + 1)
        moved = place[None, :, k] + moves[:, None]
        move, row = numpy.nonzero((moved >= -margins[k]) & (moved <= 1 + margins[k]))
        place, owner = place[row], owner[row]
        place[:, k] += moves[move]
    order = numpy.argsort((place != inside[owner]).any(axis=1), kind="stable")
    place, owner = place[order], owner[order]
    first = numpy.argsort(owner[: len(points)], kind="stable")  # the points themselves keep their order
    place[: len(points)], owner[: len(points)] = place[first], owner[first]
    return origin + place @ cell, owner


def near_pairs(centres: Numbers, points: Numbers, reach: float) -> Iterator[tuple[Indices, Indices, Numbers]]:
    """Pairs of a centre and a point that is at most `reach` [m] away, part by part: the number of the centre, the
    number of the point, the distance [m]."""
    if not len(centres) or not len(points):
        return
    columns = _Columns(points, numpy.minimum(points.min(axis=0), centres.min(axis=0)), reach / _COLUMNS_IN_REACH)
    home = numpy.floor((centres - columns.low) / columns.edge).astype(numpy.int64)
    turn = numpy.lexsort((centres[:, 2], home[:, 1], home[:, 0]))  # neighbours in space follow each other in memory
    home = home[turn]
    cx, cy, cz = numpy.ascontiguousarray(centres[turn].T)
    px, py, pz = columns.coordinates
    order = columns.order
    offsets = range(-_COLUMNS_IN_REACH, _COLUMNS_IN_REACH + 1)
    for dx in offsets:
        for dy in offsets:
            start, count = columns.ranges(home[:, 0] + dx, home[:, 1] + dy, (cx, cy, cz), reach)
            sums = numpy.cumsum(count)
            ends = numpy.searchsorted(sums, numpy.arange(0, sums[-1], _PAIRS_AT_ONCE))
            ends = numpy.unique([0, *ends, len(sums)])
            for first, last in pairwise(ends):
                which, place = expanded(start[first:last], count[first:last])
                which += first
                away = (px[place] - cx[which]) ** 2 + (py[place] - cy[which]) ** 2 + (pz[place] - cz[which]) ** 2
                near = away <= reach**2
                yield turn[which[near]], order[place[near]], numpy.sqrt(away[near])


class _Columns:
    """Points in square columns along z, in each by their height. Of a column only the heights that a ball reaches are
    looked at, so that few points are looked at in vain."""

    def __init__(self, points: Numbers, low: Numbers, edge: float) -> None:
        self.low, self.edge = low, edge
        x, y = numpy.floor((points[:, :2] - low[:2]) / edge).astype(numpy.int64).T
        self._size = (int(x.max()) + 1, int(y.max()) + 1)
        column = x * self._size[1] + y
        self.order = numpy.lexsort((points[:, 2], column))
        self.coordinates = numpy.ascontiguousarray(points[self.order].T)
        self._span = 2 * float(self.coordinates[2].max() - low[2]) + edge
        self._key = self._keys(column[self.order], self.coordinates[2])
        #: [m] by how much keys may be wrong
        self._rounding = 8 * numpy.finfo(float).eps * self._size[0] * self._size[1] * self._span

    def _keys(self, column: Indices, height: Numbers) -> Numbers:
        """A number that grows with the column and, in it, with the height."""
        return numpy.asarray(column + (height - self.low[2]) / self._span)

    def ranges(self, x: Indices, y: Indices, centres: tuple[Numbers, Numbers, Numbers], reach: float,
               ) -> tuple[Indices, Indices]:  # fmt: skip
        """[n] first point and number of points of a column for each centre, those that may be within reach."""
        cx, cy, cz = centres
        aside = [numpy.maximum(0.0, numpy.maximum(k * self.edge - (c - low), (c - low) - (k + 1) * self.edge))
                 for k, c, low in ((x, cx, self.low[0]), (y, cy, self.low[1]))]  # fmt: skip
        left = (reach + self._rounding) ** 2 - aside[0] ** 2 - aside[1] ** 2
        half = numpy.sqrt(numpy.maximum(left, 0)) + self._rounding
        column = x * self._size[1] + y
        bottom = numpy.maximum(cz - half, self.low[2])
        top = numpy.minimum(cz + half, self.low[2] + self._span * (1 - 1e-9))
        start = numpy.searchsorted(self._key, self._keys(column, bottom))
        end = numpy.searchsorted(self._key, self._keys(column, top), side="right")
        there = (left > 0) & (x >= 0) & (x < self._size[0]) & (y >= 0) & (y < self._size[1])
        return start, numpy.where(there, numpy.maximum(end - start, 0), 0)


def expanded(start: Indices, count: Indices) -> tuple[Indices, Indices]:
    """The numbers of ranges, one after the other: which range, and start, start + 1... of it."""
    which = numpy.repeat(numpy.arange(len(count)), count)
    before = numpy.cumsum(count) - count
    return which, numpy.arange(len(which)) - before[which] + start[which]
