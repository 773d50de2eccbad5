"""Level-set grains as a few surfaces, and where each grain has its own: place, turn and size."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy

from ..frames import Frame
from ..render.scene import particles_of
from ..results import Results
from .geometry import Indices, Numbers, smooth_normals

__all__ = ["Shapes", "find_shapes", "similarity"]


def similarity(template: Numbers, points: Numbers) -> tuple[Numbers, Numbers, float, float]:
    """Place [3], quaternion w, x, y, z [4], factor and relative error of the best fit of a template to points.

    Umeyama (1991). Both are [n, 3], in the same order; the template is centred at the origin."""
    centre = points.mean(axis=0)
    moved = points - centre
    u, s, vt = numpy.linalg.svd(moved.T @ template)
    sign = numpy.array([1.0, 1.0, numpy.sign(numpy.linalg.det(u @ vt)) or 1.0])
    rotation = u @ numpy.diag(sign) @ vt
    factor = float((s * sign).sum() / (template**2).sum())
    rest = numpy.sqrt(((moved - factor * template @ rotation.T) ** 2).mean() / (moved**2).mean())
    return centre, _quaternion(rotation), factor, float(rest)


def _quaternion(m: Numbers) -> Numbers:
    """Quaternion w, x, y, z of a rotation matrix."""
    k = numpy.array([
        [m[0, 0] + m[1, 1] + m[2, 2], m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1]],
        [m[2, 1] - m[1, 2], m[0, 0] - m[1, 1] - m[2, 2], m[0, 1] + m[1, 0], m[0, 2] + m[2, 0]],
        [m[0, 2] - m[2, 0], m[0, 1] + m[1, 0], m[1, 1] - m[0, 0] - m[2, 2], m[1, 2] + m[2, 1]],
        [m[1, 0] - m[0, 1], m[0, 2] + m[2, 0], m[1, 2] + m[2, 1], m[2, 2] - m[0, 0] - m[1, 1]],
    ])  # fmt: skip
    return numpy.asarray(numpy.linalg.eigh(k)[1][:, 3])


class Shapes:
    """Templates, and for each frame the grains that have them."""

    def __init__(self, run: Results, frames: list[Frame]) -> None:
        self._run = run
        self._numbers: Indices = numpy.zeros(0, int)
        self._shape_of: dict[int, int] = {}
        self._templates: list[tuple[Numbers, Indices]] = []
        self.deform = False
        for frame in frames:
            self._learn(run.grains.at(frame.time))

    def _grains(self, surface: Frame) -> list[tuple[int, Numbers, Indices]]:
        """Number, points and triangles of each grain of a frame; none before they come in and after they have left.
        Grains that have no finite place are left out."""
        points, triangles = numpy.asarray(surface.positions[...], float), surface.triangles
        grain = numpy.asarray(surface["clump"][...]).astype(int)
        found: list[tuple[int, Numbers, Indices]] = []
        if triangles is None:
            return found
        order = numpy.argsort(grain, kind="stable")
        numbers, start = numpy.unique(grain[order], return_index=True)
        for number, part in zip(numbers, numpy.split(order, start[1:]), strict=True):
            own = triangles[part].astype(int)
            first, last = int(own.min()), int(own.max())
            if numpy.isfinite(points[first : last + 1]).all():
                found.append((int(number), points[first : last + 1], own - first))
        return found

    def _learn(self, surface: Frame) -> None:
        for number, points, triangles in self._grains(surface):
            if number in self._shape_of:
                continue
            for k, (template, known) in enumerate(self._templates):
                alike = len(template) == len(points) and len(known) == len(triangles)
                if alike and similarity(template, points)[3] < 0.05:
                    self._shape_of[number] = k
                    break
            else:
                self._shape_of[number] = len(self._templates)
                self._templates.append((points - points.mean(axis=0), triangles))

    def has_shape(self, frame: Frame) -> Indices:
        """[n] whether each particle of a frame has a surface."""
        place = particles_of(frame, self._run.grains.at(frame.time))[1]
        found = numpy.zeros(len(frame), dtype=bool)
        found[place[place >= 0]] = True
        return found

    def templates(self, add: Callable[[Any, str], dict[str, Any]]) -> list[dict[str, Any]]:
        """Surfaces as triangles of points with normals."""
        entries = []
        for template, faces in self._templates:
            points, normals, triangles = smooth_normals(template, faces)
            entries.append(
                {"points": add(points, "<f4"), "normals": add(normals, "<f4"), "triangles": add(triangles, "<u4")}
            )
        return entries

    def frame(
        self, origin: Numbers, frame: Frame, fields: list[tuple[str, str, str]], ranges: dict[str, tuple[float, float]],
        values_of: Callable[[Frame, str, Indices], Numbers], add: Callable[[Any, str], dict[str, Any]],
    ) -> list[dict[str, Any]]:  # fmt: skip
        """Place, factor, turn and values of the grains of each template, as rows of eight numbers and bytes. Places
        are counted from `origin` [m]."""
        rows: dict[int, list[Numbers]] = {}
        surface = self._run.grains.at(frame.time)
        places = dict(zip(*(part.tolist() for part in particles_of(frame, surface)), strict=True))
        place: dict[int, list[int]] = {}
        for number, points, _ in self._grains(surface):
            shape = self._shape_of[number]
            centre, turn, factor, rest = similarity(self._templates[shape][0], points)
            self.deform = self.deform or rest > 0.005
            rows.setdefault(shape, []).append(numpy.array([*(centre - origin), factor, *turn]))
            place.setdefault(shape, []).append(max(places[number], 0))
        entries = []
        for shape in sorted(rows):
            particles = numpy.array(place[shape])
            bytes_of = []
            for _, name, _ in fields:
                low, high = ranges[name]
                part = (values_of(frame, name, particles) - low) / max(high - low, 1e-300)
                bytes_of.append(add(numpy.round(numpy.nan_to_num(part).clip(0, 1) * 255), "u1"))
            entries.append(
                {
                    "template": shape,
                    "count": len(rows[shape]),
                    "rows": add(numpy.array(rows[shape]), "<f4"),
                    "values": bytes_of,
                }
            )
        return entries


def find_shapes(run: Results, frames: list[Frame]) -> Shapes | None:
    """Shapes of a run with level-set grains; None without them, or where their frames are not those of particles."""
    grains = run.grains
    if not len(grains) or any(abs(grains.at(f.time).time - f.time) > 1e-9 * max(1.0, f.time) for f in frames):
        return None
    return Shapes(run, frames)
