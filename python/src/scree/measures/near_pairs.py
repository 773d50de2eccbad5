"""Distances of points to those near them, found on a grid."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy
from numpy.typing import NDArray

from .values import Numbers

__all__ = ["expanded", "images_near", "near_pairs"]

Indices = NDArray[numpy.int64]

_PAIRS_AT_ONCE = 1 << 17  # they stay in the cache of a processor


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
    edge = reach / 2  # small cells: fewer points that are too far away
    low = numpy.minimum(points.min(axis=0), centres.min(axis=0)) - reach
    here = numpy.floor((points - low) / edge).astype(numpy.int64)
    home = numpy.floor((centres - low) / edge).astype(numpy.int64)
    size = numpy.maximum(here.max(axis=0), home.max(axis=0)) + 4
    number = (here[:, 0] * size[1] + here[:, 1]) * size[2] + here[:, 2]
    order = numpy.argsort(number, kind="stable")
    turn = numpy.lexsort(home.T[::-1])  # neighbours in space follow each other in memory
    number, home = number[order], home[turn]
    px, py, pz = numpy.ascontiguousarray(points[order].T)
    cx, cy, cz = numpy.ascontiguousarray(centres[turn].T)
    for dx in range(-2, 3):
        for dy in range(-2, 3):  # cells along z follow each other
            row = ((home[:, 0] + dx) * size[1] + home[:, 1] + dy) * size[2] + home[:, 2]
            start = numpy.searchsorted(number, row - 2)
            count = numpy.searchsorted(number, row + 3) - start
            sums = numpy.cumsum(count)
            ends = numpy.searchsorted(sums, numpy.arange(0, sums[-1], _PAIRS_AT_ONCE))
            ends = numpy.unique([0, *ends, len(sums)])
            for first, last in pairwise(ends):
                which, place = expanded(start[first:last], count[first:last])
                which += first
                away = (px[place] - cx[which]) ** 2 + (py[place] - cy[which]) ** 2 + (pz[place] - cz[which]) ** 2
                near = away <= reach**2
                yield turn[which[near]], order[place[near]], numpy.sqrt(away[near])


def expanded(start: Indices, count: Indices) -> tuple[Indices, Indices]:
    """The numbers of ranges, one after the other: which range, and start, start + 1... of it."""
    which = numpy.repeat(numpy.arange(len(count)), count)
    before = numpy.cumsum(count) - count
    return which, numpy.arange(len(which)) - before[which] + start[which]
