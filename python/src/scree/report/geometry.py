"""Boundaries as points, triangles and lines, for the diagram and the view in three dimensions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy
from numpy.typing import NDArray

from ..frames import Frame
from ..render.walls import moved_planes, plane_polygons, written_surfaces
from ..results import Results

__all__ = ["Surface", "cell_lines", "feature_lines", "outline", "smooth_normals", "surfaces"]

Numbers = NDArray[numpy.float64]
Indices = NDArray[Any]


@dataclass
class Surface:
    """A boundary: points [n, 3] [m] and triangles [m, 3]."""

    name: str
    points: Numbers
    triangles: Indices


def surfaces(run: Results, time: float, low: Numbers, high: Numbers) -> list[Surface]:
    """All boundaries that are there at a time [s]; planes end at the box from `low` to `high`."""
    found = [Surface(name, numpy.asarray(frame.positions[...], float), triangles.astype(int))
             for name, (frame, triangles) in written_surfaces(run, time).items()]  # fmt: skip
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


def cell_lines(frame: Frame) -> Numbers | None:
    """[12, 2, 3] edges of the periodic cell [m]; None without one."""
    cell, origin = frame.cell, frame.cell_origin
    if cell is None or origin is None:
        return None
    starts = [(along, i, k) for along in range(3) for i in (0, 1) for k in (0, 1)]
    ends = []
    for along, i, k in starts:
        start = origin + i * cell[(along + 1) % 3] + k * cell[(along + 2) % 3]
        ends.append([start, start + cell[along]])
    return numpy.array(ends)


def smooth_normals(points: Numbers, triangles: Indices, angle: float = 50.0) -> tuple[Numbers, Numbers, Indices]:
    """Points, their normals and triangles of the same surface, smooth but at edges of more than `angle` [degrees].

    At a corner, faces count by their area if they lean by less than the angle from the face whose corner it is. Points
    at which faces do not agree appear once for each normal."""
    corners = points[triangles]
    faces = numpy.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    units = faces / numpy.maximum(numpy.linalg.norm(faces, axis=1), 1e-300)[:, None]
    vertex, face = triangles.ravel(), numpy.repeat(numpy.arange(len(triangles)), 3)
    order = numpy.argsort(vertex, kind="stable")
    count = numpy.bincount(vertex, minlength=len(points))
    start = numpy.cumsum(count) - count
    mine = numpy.repeat(numpy.arange(len(vertex)), count[vertex])  # each corner, with every face around its point
    beside = numpy.arange(len(mine)) - numpy.repeat(numpy.cumsum(count[vertex]) - count[vertex], count[vertex])
    other = face[order[start[vertex[mine]] + beside]]
    near = (units[face[mine]] * units[other]).sum(axis=1) > numpy.cos(numpy.radians(angle))
    normals = numpy.zeros((len(vertex), 3))
    numpy.add.at(normals, mine[near], faces[other[near]])
    normals /= numpy.maximum(numpy.linalg.norm(normals, axis=1), 1e-300)[:, None]
    keys = numpy.column_stack([vertex, numpy.round(1000 * normals)]).astype(numpy.int64)
    _, first, place = numpy.unique(keys, axis=0, return_index=True, return_inverse=True)
    return points[vertex[first]], normals[first], place.reshape(-1, 3)
