"""Boundaries as points, triangles and lines, for the diagram and the view in three dimensions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy
from numpy.typing import NDArray

from ..render.walls import moved_planes, plane_polygons
from ..results import Results

__all__ = ["Surface", "feature_lines", "outline", "surfaces"]

Numbers = NDArray[numpy.float64]
Indices = NDArray[Any]


@dataclass
class Surface:
    """A boundary: points [n, 3] [m] and triangles [m, 3]."""

    name: str
    points: Numbers
    triangles: Indices


def surfaces(run: Results, time: float, low: Numbers, high: Numbers) -> list[Surface]:
    """All boundaries at a time [s]; planes end at the box from `low` to `high`."""
    found = []
    for name, boundary in run.boundaries.items():
        frame = boundary.at(time)
        triangles = None if frame is None or len(frame) == 0 else frame.triangles
        if frame is not None and triangles is not None and len(triangles):
            found.append(Surface(name, numpy.asarray(frame.positions[...], float), triangles.astype(int)))
    for name, polygon in plane_polygons(moved_planes(run, time), low, high).items():
        fan = numpy.array([[0, k, k + 1] for k in range(1, len(polygon) - 1)])
        found.append(Surface(name, polygon, fan))
    return found


def _edges(surface: Surface) -> tuple[Numbers, Indices, Numbers, Numbers]:
    """Welded points, edges [n, 2], and the normals of the triangles on both sides of each; NaN where there is none."""
    size = float(numpy.ptp(surface.points, axis=0).max()) or 1.0
    grid = numpy.round((surface.points - surface.points.min(axis=0)) / (1e-7 * size)).astype(numpy.int64)
    _, first, welded = numpy.unique(grid, axis=0, return_index=True, return_inverse=True)
    points, triangles = surface.points[first], welded.ravel()[surface.triangles]
    corners = points[triangles]
    normals = numpy.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals /= numpy.maximum(numpy.linalg.norm(normals, axis=1), 1e-300)[:, None]
    sides = numpy.sort(triangles[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1)
    owner = numpy.repeat(numpy.arange(len(triangles)), 3)
    edges, place, counts = numpy.unique(sides, axis=0, return_inverse=True, return_counts=True)
    order = numpy.argsort(place.ravel(), kind="stable")
    start = numpy.cumsum(counts) - counts
    one = normals[owner[order[start]]]
    other = numpy.full_like(one, numpy.nan)
    shared = counts > 1
    other[shared] = normals[owner[order[start[shared] + 1]]]
    return points, edges, one, other


def feature_lines(surface: Surface, angle: float = 35.0) -> Numbers:
    """[n, 2, 3] edges at which a surface ends or turns by more than an angle [degrees]."""
    points, edges, one, other = _edges(surface)
    cosine = numpy.abs((one * other).sum(axis=1))
    sharp = ~(cosine > numpy.cos(numpy.radians(angle)))  # true where there is no other side
    lines: Numbers = points[edges[sharp]]
    return lines


def outline(surface: Surface, view: Numbers) -> Numbers:
    """[n, 2, 3] edges that are seen as lines along a view: sharp ones, and those at which the surface turns away."""
    points, edges, one, other = _edges(surface)
    turns = (one @ view) * (other @ view) < 1e-9
    cosine = numpy.abs((one * other).sum(axis=1))
    lines: Numbers = points[edges[turns | ~(cosine > numpy.cos(numpy.radians(25)))]]
    return lines
