"""Whole grains of a frame: single spheres, clumps and level-set grains, each counted once and with its true volume.

The field radius alone does not tell volumes: spheres of a clump overlap, and that of a level-set grain is the radius of
a ball around it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy
from numpy.typing import NDArray

from .errors import ResultsError
from .frames import Frame
from .render.scene import particles_of
from .results import Results
from .sizes import known_radii, unknown_radii

__all__ = ["WholeGrains", "surfaces_at"]

Numbers = NDArray[numpy.float64]
Indices = NDArray[numpy.int64]

_SAMPLES = 20_000  # in each sphere of a clump, for the volume of a shape
_FEWER_SAMPLES = 2_000  # of a clump that a face of a box cuts: there are many of these
_POINTS_AT_ONCE = 500_000  # bounds the memory


def surfaces_at(run: Results, frame: Frame) -> Frame | None:
    """Surfaces of the level-set grains of a frame; None without such grains. Raises ResultsError if there are none."""
    if not _has(run, "level_set"):
        return None
    found = run.grains.at(frame.time) if len(run.grains) else None
    if found is not None and abs(found.time - frame.time) <= 1e-9 * max(1.0, frame.time):
        return found
    raise ResultsError(f"{frame.path}: there are no surfaces of its level-set grains in {run.folder / 'grains'}")


def _has(run: Results, kind: str) -> bool:
    """Whether the case has shapes of a type, "clump" or "level_set"."""
    return any(shape.get("type") == kind for shape in (run.case.get("shapes") or {}).values())


@dataclass(frozen=True)
class WholeGrains:
    """The grains of a frame. Each row of the frame (a particle, or a sphere of a clump) belongs to one."""

    positions: Numbers  #: [n_rows, 3] [m] as in the frame
    radii: Numbers  #: [n_rows] [m] of spheres; NaN for level-set grains
    grain: Indices  #: [n_rows] number of the grain
    first: Indices  #: [n_grains] first row of each grain
    volumes: Numbers  #: [n_grains] [m3]
    cell: Numbers | None  #: [3, 3] [m] edges of the periodic cell
    corners: Numbers  #: [n_triangles, 3, 3] [m] of the surfaces of level-set grains

    @classmethod
    def of(cls, run: Results, frame: Frame, *, instead: str = "") -> WholeGrains:
        """Those of a frame. `instead` ends the sentence of the ResultsError where the frame does not tell clumps."""
        if _has(run, "clump") and "clump" not in frame:
            raise ResultsError(f'{frame.path}: the frame does not tell which spheres are one clump: add "clump" to '
                               f"output.frames.fields{instead}")  # fmt: skip
        return cls._made(run, frame, numpy.asarray(frame["clump"][...]) if "clump" in frame else None)

    @classmethod
    def or_spheres(cls, run: Results, frame: Frame) -> WholeGrains:
        """The same, for sizes that need not be exact: where the frame does not tell clumps, each sphere is a grain."""
        return cls._made(run, frame, numpy.asarray(frame["clump"][...]) if "clump" in frame else None)

    @classmethod
    def _made(cls, run: Results, frame: Frame, clump: NDArray[numpy.int64] | None) -> WholeGrains:
        n = len(frame)
        positions, radii = numpy.asarray(frame.positions[...], float), known_radii(run, frame)
        own = -1 - numpy.arange(n)
        _, first, grain = numpy.unique(own if clump is None else numpy.where(clump >= 0, clump, own),
                                       return_index=True, return_inverse=True)  # fmt: skip
        cell = frame.cell
        surface = surfaces_at(run, frame)
        corners, of_row = numpy.zeros((0, 3, 3)), numpy.zeros(n)
        if surface is not None and surface.triangles is not None and len(surface):
            corners = numpy.asarray(surface.positions[...], float)[surface.triangles.astype(int)]
            numbers, rows = particles_of(frame, surface)
            volumes = _within(corners)
            each = numpy.bincount(numpy.searchsorted(numbers, surface["clump"][...]), volumes, len(numbers))
            radii[rows[rows >= 0]] = numpy.nan
            of_row[rows[rows >= 0]] = each[rows >= 0]
        spheres = of_row == 0
        if not numpy.isfinite(radii[spheres]).all():
            raise unknown_radii(frame)
        of_row[spheres] = 4 / 3 * math.pi * radii[spheres] ** 3
        grains = cls(positions, radii, grain.ravel().astype(numpy.int64), first.astype(numpy.int64),
                     numpy.bincount(grain.ravel(), of_row).astype(float), cell, corners)  # fmt: skip
        grains._set_volumes_of_clumps()
        return grains

    def __len__(self) -> int:
        return len(self.first)

    @property
    def sizes(self) -> Numbers:
        """[n_grains] [m] radii of spheres of the same volumes."""
        return numpy.cbrt(self.volumes * (3 / (4 * math.pi)))

    def mean(self, values: Numbers) -> Numbers:
        """[n_grains, ...] mean of the values [n_rows, ...] of the spheres of each grain."""
        counts = numpy.bincount(self.grain)
        columns = values.reshape(len(values), -1).T
        sums = numpy.stack([numpy.bincount(self.grain, column) for column in columns], axis=1)
        return (sums / counts[:, None]).reshape(len(counts), *values.shape[1:])

    @property
    def centres(self) -> Numbers:
        """[n_grains, 3] [m] mean of the spheres of each grain, also across the faces of a periodic cell."""
        start = self.positions[self.first]
        return start + self.mean(self._near(self.positions - start[self.grain]))

    def _near(self, ways: Numbers) -> Numbers:
        """[..., 3] [m] ways between spheres of one clump, across the faces of a periodic cell where that is shorter."""
        if self.cell is None:
            return ways
        shortest: Numbers = ways - numpy.round(ways @ numpy.linalg.inv(self.cell)) @ self.cell
        return shortest

    def _clumps(self, least: int = 2) -> list[Indices]:
        """[n, m] rows of the clumps of m spheres, for each m from `least` on."""
        order, counts = numpy.argsort(self.grain, kind="stable"), numpy.bincount(self.grain)
        start = numpy.cumsum(counts) - counts
        return [order[start[counts == m][:, None] + numpy.arange(m)] for m in numpy.unique(counts) if m >= least]

    def _set_volumes_of_clumps(self) -> None:
        """Clumps of one shape have the volume of one of them, times the ratio of their sizes."""
        for rows in self._clumps():
            size = self.radii[rows[:, :1]]
            places = self._near(self.positions[rows] - self.positions[rows[:, :1]]) / size[:, :, None]
            apart = [numpy.linalg.norm(places - numpy.roll(places, k, axis=1), axis=2) for k in (1, 2)]
            shape = numpy.column_stack([self.radii[rows] / size, numpy.linalg.norm(places, axis=2), *apart])
            _, example, which = numpy.unique(numpy.round(shape, 3), axis=0, return_index=True, return_inverse=True)
            known = self._unions(rows[example], _SAMPLES) / size[example, 0] ** 3
            self.volumes[self.grain[rows[:, 0]]] = known[which.ravel()] * size[:, 0] ** 3

    def _unions(self, rows: Indices, samples: int, box: tuple[Numbers, Numbers] | None = None) -> Numbers:
        """[n] [m3] Volumes of the unions of m spheres, whose rows [n, m] are given, or of their parts in a box. A point
        in k spheres counts 1/k in each."""
        spheres = rows.shape[1]
        ball = _ball(max(samples // spheres, 400))
        at_once = max(1, _POINTS_AT_ONCE // (len(ball) * spheres))
        parts = [self._some_unions(rows[k : k + at_once], ball, box) for k in range(0, len(rows), at_once)]
        return numpy.concatenate([numpy.zeros(0), *parts])

    def _some_unions(self, rows: Indices, ball: Numbers, box: tuple[Numbers, Numbers] | None) -> Numbers:
        """The same for few rows, at the points of a ball [n_points, 3]."""
        total = numpy.zeros(len(rows))
        for k, row in enumerate(rows.T):
            points = [self.radii[row][:, None] * axis for axis in ball.T]  # three of [n, n_points], from the centre
            covering = numpy.ones(points[0].shape)
            for j, other in enumerate(rows.T):
                if j != k:
                    middle = self._near(self.positions[other] - self.positions[row])
                    away = sum((x - m[:, None]) ** 2 for x, m in zip(points, middle.T, strict=True))
                    covering += away <= (self.radii[other] ** 2)[:, None]
            share = 1 / covering
            if box is not None:
                for x, start, low, high in zip(points, self.positions[row].T, *box, strict=True):
                    place = x + start[:, None]
                    share *= (place >= low) & (place <= high)
            total += 4 / 3 * math.pi * self.radii[row] ** 3 * share.mean(axis=1)
        return total

    def volume_in(self, low: Numbers, high: Numbers, periodic: Sequence[bool] = (False, False, False)) -> float:
        """[m3] Volume of the grains in a box. Spheres that its faces cut are measured at points within them, level-set
        grains by small parts of their surfaces. Images count along the edges of the cell that are `periodic`."""
        return sum(self._stored_volume_in(low - shift, high - shift) for shift in self._shifts(low, high, periodic))

    def _shifts(self, low: Numbers, high: Numbers, periodic: Sequence[bool]) -> Numbers:
        """[n, 3] [m] from the grains to their images that a box may hold, themselves included."""
        if self.cell is None or not any(periodic) or not len(self.positions):
            return numpy.zeros((1, 3))
        lowest, highest = self.positions.min(axis=0), self.positions.max(axis=0)
        reach = float(numpy.nan_to_num(self.radii).max())
        if len(self.corners):
            lowest = numpy.minimum(lowest, self.corners.min(axis=(0, 1)))
            highest = numpy.maximum(highest, self.corners.max(axis=(0, 1)))
        ends = numpy.array(numpy.meshgrid(*zip(low - highest - reach, high - lowest + reach, strict=True)))
        most = numpy.abs(ends.reshape(3, -1).T @ numpy.linalg.inv(self.cell)).max(axis=0)
        counts = numpy.where(numpy.array(periodic), numpy.floor(most), 0).astype(int)
        images = numpy.array(numpy.meshgrid(*(numpy.arange(-n, n + 1) for n in counts))).reshape(3, -1).T
        shifts = images @ self.cell
        seen = ((lowest + shifts - reach < high) & (highest + shifts + reach > low)).all(axis=1)
        return numpy.asarray(shifts[seen])

    def _stored_volume_in(self, low: Numbers, high: Numbers) -> float:
        """The same, without images."""
        points, reach = self.positions, numpy.nan_to_num(self.radii)[:, None]
        level_set = numpy.isnan(self.radii)
        inside = numpy.bincount(self.grain, ~((points - reach >= low) & (points + reach <= high)).all(axis=1)) == 0
        touching = numpy.bincount(self.grain, ((points + reach > low) & (points - reach < high)).all(axis=1)) > 0
        solid = ~level_set[self.first]
        volume = float(self.volumes[inside & solid].sum()) + float(_within(self.corners, low, high).sum())
        cut = touching & ~inside & solid
        for rows in self._clumps(least=1):
            volume += float(self._unions(rows[cut[self.grain[rows[:, 0]]]], _FEWER_SAMPLES, (low, high)).sum())
        return volume


def _ball(n: int) -> Numbers:
    """[about n, 3] evenly spread points in the ball of radius 1: an additive sequence with the plastic number's cousin
    of three dimensions (Roberts 2018), which does better than random points."""
    root = 1.2207440846057596  # x^4 = x + 1
    cube = (0.5 + numpy.outer(numpy.arange(1, round(6 / math.pi * n) + 1), 1 / root ** numpy.arange(1, 4))) % 1
    points = 2 * cube - 1
    return numpy.asarray(points[(points**2).sum(axis=1) < 1])


def _within(corners: Numbers, low: Numbers | None = None, high: Numbers | None = None, parts: int = 8) -> Numbers:
    """[n_triangles] [m3] share of each triangle [n_triangles, 3, 3] [m] in the volume of closed surfaces.

    With a box it is that of the part in the box: the area across z of what is above or within the box times its height
    over the bottom, by the divergence theorem. Each triangle is divided into `parts`^2 smaller ones for that, which are
    inside or outside as a whole."""
    if low is None or high is None:
        middle = corners.reshape(-1, 3).mean(axis=0) if len(corners) else numpy.zeros(3)  # fewer rounding errors
        a, b, c = (corners - middle).transpose(1, 0, 2)
        return numpy.asarray((a * numpy.cross(b, c)).sum(axis=1) / 6)
    near = ((corners.max(axis=1) > low) & (corners.min(axis=1) < high))[:, :2].all(axis=1)
    a, b, c = corners[near].transpose(1, 0, 2)
    area = numpy.cross(b - a, c - a)[:, 2] / 2 / parts**2
    found = numpy.zeros(len(corners))
    for i in range(parts):
        for j in range(parts - i):
            for third in (1 / 3, 2 / 3) if i + j < parts - 1 else (1 / 3,):
                point = a + (i + third) / parts * (b - a) + (j + third) / parts * (c - a)
                seen = ((point >= low) & (point <= high))[:, :2].all(axis=1)
                found[near] += area * seen * (point[:, 2].clip(low[2], high[2]) - low[2])
    return found
