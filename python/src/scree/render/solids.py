"""Which boundaries are solid bodies that grains surround, and which facets make one flat face."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy
from numpy.typing import NDArray

from ..frames import Frame
from ..results import Results
from .fields import Numbers
from .scene import has_place
from .walls import written_surfaces

if TYPE_CHECKING:
    import pyvista

__all__ = ["FACE", "SOLID", "Solids", "flat_faces", "inner_normals", "view_covered"]

Indices = NDArray[Any]

SOLID, FACE = "belongs to a solid body", "number of the flat face"  #: names of these marks of triangles in a surface

_LOOKS = 4  # moments at which grains are asked what they see of a body
_ASKED = 60  # grains, those nearest to the body
_CONTAINS = 0.6  # part of its view that a container covers for a grain; a convex body covers half at most
_INSIDE = 0.05  # part of the grains that must see so much


class Solids:
    """Which triangles of the boundaries of a run belong to closed bodies that contain no grains, at any time, and to
    which flat faces.

    One decision for all frames: else a body would become a haze and solid again as grains pass by."""

    def __init__(self, run: Results, frames: Sequence[Frame]) -> None:
        self._parts: dict[str, tuple[Indices, Indices]] = {}  # part of each triangle, whether each part is solid
        self._faces: dict[str, Indices] = {}
        places = numpy.linspace(0, len(frames) - 1, _LOOKS) if len(frames) else ()  # none has grains: it has run empty
        for frame in (frames[k] for k in sorted({round(k) for k in places})):
            centres = numpy.asarray(frame.positions[...], float)[has_place(frame)]
            centres = centres[numpy.random.default_rng(1).permutation(len(centres))]
            for name, (surface, triangles) in written_surfaces(run, frame.time).items():
                corners = numpy.asarray(surface.positions[...], float)[triangles.astype(int)]
                if name not in self._parts or len(self._parts[name][0]) != len(triangles):
                    self._parts[name] = _closed_parts(corners)
                parts, solid = self._parts[name]
                for part in numpy.flatnonzero(solid):
                    solid[part] = not _contains(corners[parts == part], centres)

    def marked(self, name: str, wall: pyvista.PolyData) -> pyvista.PolyData:
        """The surface of a boundary as triangles, with the marks SOLID and FACE."""
        wall = wall.triangulate()
        n = wall.n_cells
        parts, solid = self._parts.get(name, (numpy.zeros(0, int), numpy.zeros(0, bool)))
        wall.cell_data[SOLID] = solid[parts] if len(parts) == n else numpy.zeros(n, dtype=bool)
        if len(self._faces.get(name, ())) != n:  # bodies move as a whole, so their faces stay the same
            self._faces[name] = flat_faces(numpy.asarray(wall.points, float)[wall.regular_faces])
        wall.cell_data[FACE] = self._faces[name]
        return wall


def view_covered(points: Numbers, corners: Numbers) -> Numbers:
    """[n_points] part of the view from points [n_points, 3] that a closed surface [n_triangles, 3, 3] covers, where its
    near side does not cover itself: 0 far away, 0.5 on a convex body, 1 within.

    Solid angles of triangles are those of van Oosterom and Strackee (1983). Seen from outside, those of the near side
    and of the far side cancel."""
    found = numpy.zeros(len(points))
    for k, point in enumerate(points):
        a, b, c = numpy.moveaxis(corners - point, 1, 0)
        la, lb, lc = (numpy.linalg.norm(side, axis=1) for side in (a, b, c))
        volume = (a * numpy.cross(b, c)).sum(axis=1)
        rest = la * lb * lc + (a * b).sum(axis=1) * lc + (b * c).sum(axis=1) * la + (c * a).sum(axis=1) * lb
        angle = 2 * numpy.arctan2(volume, rest)
        found[k] = max(angle[angle > 0].sum(), -angle[angle < 0].sum()) / (4 * numpy.pi)
    return found


def _contains(corners: Numbers, centres: Numbers) -> bool:
    """Whether a closed surface [n_triangles, 3, 3] holds grains at [n, 3]: within, or as a thick-walled cup does."""
    low, high = corners.min(axis=(0, 1)), corners.max(axis=(0, 1))
    away = numpy.maximum(numpy.maximum(low - centres, centres - high), 0)
    nearest = centres[(away**2).sum(axis=1).argsort(kind="stable")[:_ASKED]]
    return bool(len(nearest) and (view_covered(nearest, corners) > _CONTAINS).mean() > _INSIDE)


def _linked(n: int, pairs: Indices) -> Indices:
    """[n] a number from 0 on for each of n things: the same for those that pairs [m, 2] link."""
    least = numpy.arange(n)
    while True:
        before = least
        least = least.copy()
        for one, other in (pairs.T, pairs.T[::-1]):
            numpy.minimum.at(least, one, before[other])
            numpy.minimum.at(least, before[one], before[other])  # whole trees at once
        least = least[least]
        if (least == before).all():
            break
    found: Indices = numpy.unique(least, return_inverse=True)[1].ravel()
    return found


def _edges(corners: Numbers) -> tuple[Indices, Indices]:
    """[3 n_triangles] the triangle and the number of the edge of each side of triangles, in the order of edges. Points
    nearer to each other than a millionth of the surface are one."""
    points = corners.reshape(-1, 3)
    size = float(numpy.ptp(points, axis=0).max()) or 1.0
    grid = numpy.round((points - points.min(axis=0)) / (1e-6 * size)).astype(numpy.int64)
    welded = numpy.unique(grid, axis=0, return_inverse=True)[1].reshape(-1, 3)
    sides = numpy.sort(welded[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1)
    edge = numpy.unique(sides, axis=0, return_inverse=True)[1].ravel()
    order = edge.argsort(kind="stable")
    return numpy.repeat(numpy.arange(len(corners)), 3)[order], edge[order]


def _closed_parts(corners: Numbers) -> tuple[Indices, Indices]:
    """[n_triangles] the connected part of each triangle, and [n_parts] whether each part has no rim."""
    owner, edge = _edges(corners)
    same = edge[1:] == edge[:-1]
    parts = _linked(len(corners), numpy.column_stack([owner[:-1], owner[1:]])[same])
    odd = numpy.bincount(edge)[edge] % 2 == 1
    closed = numpy.ones(int(parts.max(initial=-1)) + 1, dtype=bool)
    closed[parts[owner[odd]]] = False
    return parts, closed


def _normals(corners: Numbers) -> Numbers:
    """[n_triangles, 3] normals, as long as triangles are large: twice their areas."""
    found: Numbers = numpy.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    return found


def flat_faces(corners: Numbers) -> Indices:
    """[n_triangles] the number of the flat face of each triangle, of neighbours that lie in one plane. A triangle of a
    surface that bends gently is a face of its own."""
    normals = _normals(corners)
    units = normals / numpy.maximum(numpy.linalg.norm(normals, axis=1), 1e-300)[:, None]
    owner, edge = _edges(corners)
    level = (edge[1:] == edge[:-1]) & (numpy.abs((units[owner[1:]] * units[owner[:-1]]).sum(axis=1)) > 0.9999)
    faces = _linked(len(corners), numpy.column_stack([owner[:-1], owner[1:]])[level])
    first = numpy.unique(faces, return_index=True)[1]
    leans = numpy.abs((units * units[first[faces]]).sum(axis=1)) < 0.999
    bent = numpy.bincount(faces, weights=leans)[faces] > 0
    alone = numpy.arange(len(corners)) + int(faces.max(initial=-1)) + 1
    found: Indices = numpy.unique(numpy.where(bent, alone, faces), return_inverse=True)[1].ravel()
    return found


def inner_normals(corners: Numbers, crowd: Numbers, faces: Indices) -> Numbers:
    """[n_triangles, 3] normals of triangles [n_triangles, 3, 3], towards the grains that are nearest to their face: its
    triangles vote by their areas."""
    normals = _normals(corners)
    areas: Numbers = numpy.linalg.norm(normals, axis=1)
    normals /= numpy.maximum(areas, 1e-300)[:, None]
    if not len(crowd) or not len(corners):
        return normals
    first = numpy.unique(faces, return_index=True)[1]
    normals *= numpy.where((normals * normals[first[faces]]).sum(axis=1) < 0, -1.0, 1.0)[:, None]
    centres = corners.mean(axis=1)
    votes = numpy.zeros(len(corners))
    for start in range(0, len(centres), 1000):
        part = slice(start, start + 1000)
        nearest = ((centres[part, None, :] - crowd[None, :, :]) ** 2).sum(axis=2).argmin(axis=1)
        side = ((crowd[nearest] - centres[part]) * normals[part]).sum(axis=1)
        votes[part] = numpy.where(side < 0, -areas[part], areas[part])
    towards = numpy.where(numpy.bincount(faces, weights=votes)[faces] < 0, -1.0, 1.0)
    found: Numbers = normals * towards[:, None]
    return found
