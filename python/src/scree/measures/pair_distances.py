"""The radial distribution function: how many grains stand at a distance from a grain."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy
from numpy.typing import NDArray

from ..errors import ResultsError
from ..frames import Frame
from ..names import unknown_name
from ..results import Results
from ..sizes import known_radii
from ..whole_grains import WholeGrains
from .near_pairs import images_near, near_pairs
from .values import Numbers, frames_of, parts

if TYPE_CHECKING:
    import pandas

_DIAMETERS = 5  # up to which distances count, unless the caller says


def radial_distribution(
    run: Results,
    frame: int | slice = -1,
    *,
    largest: float | None = None,
    bins: int = 100,
    box: Sequence[Sequence[float]] | None = None,
    periodic: str | None = None,
    over_diameter: bool = False,
    between: tuple[str, str] | None = None,
) -> pandas.DataFrame:
    """The radial distribution function g of the centres of grains: 1 where they stand at random. A clump is one grain.

    The table is indexed by the distance "r" [m] of the middle of each bin, up to `largest` [m] (5 mean diameters), with
    the columns `g`, `pairs` (that were counted) and `error` (of g, as if pairs were independent). With `over_diameter`
    distances, `largest` too, are over the sum of both radii: all contacts of spheres lie at 1, whatever their sizes.
    `between` two materials it is the partial g of both. A slice of frames gives the mean over them.

    In a cell that is periodic along all axes all grains and images count. Otherwise give a `box`: two corners [m] of a
    part that grains fill evenly, with infinite numbers along periodic axes. Centres are the grains in it that are
    `largest` or more from its faces, and neighbours all grains in it. In a run whose cell came with a "start" the case
    does not tell the periodic axes: give them as `periodic`, "xyz" for all."""
    import pandas

    parts(bins, "bins")
    if largest is not None and not 0 < largest < math.inf:
        raise ValueError(f"largest must be greater than 0, got {largest}")
    counts, variance, expected, edges = numpy.zeros(bins), numpy.zeros(bins), numpy.zeros(bins), numpy.zeros(0)
    for moment in frames_of(run, frame):
        grains = _grains_of(run, moment, over_diameter or largest is None)
        if not len(edges):
            edges = numpy.linspace(0, largest or _default(moment, grains, over_diameter), bins + 1)
        reach = float(edges[-1]) * (2 * float(grains.radii.max()) if over_diameter else 1.0)
        found = _Sample.of(run, moment, grains, reach, box, _periodic_axes(run, moment, periodic))
        first, second = _kinds(run, moment, grains, between)
        more, scatter = found.counted(edges, first, second, over_diameter)
        counts, variance = counts + more, variance + scatter
        expected += found.expected(edges, first, second, over_diameter)
    if not expected.all():
        raise ResultsError(f"{run.folder}: there are too few grains for a radial distribution")
    table = pandas.DataFrame({"g": counts / expected, "pairs": counts.astype(numpy.int64),
                              "error": numpy.sqrt(variance) / expected})  # fmt: skip
    table.index = pandas.Index((edges[1:] + edges[:-1]) / 2, name="r")
    table.attrs["units"] = {} if over_diameter else {"r": "m"}
    return table


@dataclass(frozen=True)
class _Grains:
    centres: Numbers  #: [n, 3] [m]
    radii: Numbers  #: [n] [m], of balls of the same volumes; NaN where sizes are not needed
    row: NDArray[numpy.int64]  #: [n] of the frame


def _grains_of(run: Results, frame: Frame, with_sizes: bool) -> _Grains:
    """Sizes that are not needed need not be known, and volumes of clumps take time."""
    if run.case.get("shapes") or (with_sizes and "clump" in frame):
        whole = WholeGrains.of(run, frame)
        return _Grains(whole.centres, whole.sizes, whole.first)
    centres = numpy.asarray(frame.positions[...], float)
    radii = known_radii(run, frame)
    if with_sizes and not numpy.isfinite(radii).all():
        raise ResultsError(f'{frame.path}: the frame has no radii: give largest [m], or add "radius" to '
                           "output.frames.fields")  # fmt: skip
    return _Grains(centres, radii, numpy.arange(len(centres)))


def _default(frame: Frame, grains: _Grains, over_diameter: bool) -> float:
    if not len(grains.radii):
        raise ResultsError(f"{frame.path}: has no particles")
    return _DIAMETERS * (1.0 if over_diameter else 2 * float(grains.radii.mean()))


def _kinds(run: Results, frame: Frame, grains: _Grains, between: tuple[str, str] | None) -> tuple[Numbers, Numbers]:
    """[n] twice: 1 for grains of the first and of the second kind, else 0."""
    if between is None:
        return numpy.ones(len(grains.row)), numpy.ones(len(grains.row))
    names = list(run.case.get("materials") or {})
    for name in between:
        if name not in names:
            raise ResultsError(f'{run.folder}: has no material "{name}": {unknown_name(name, names)}')
    material = numpy.asarray(frame["material"][...])[grains.row]
    first, second = (numpy.asarray(material == names.index(name), float) for name in between)
    return first, second


def _periodic_axes(run: Results, frame: Frame, given: str | None) -> tuple[bool, bool, bool]:
    """Along which edges the cell repeats: as given, or as the case says."""
    described = (run.case.get("domain") or {}).get("periodic")
    if given is not None:
        axes = list(given)
        if not axes or not {*axes} <= {*"xyz"}:
            raise ValueError(f'periodic: axes are needed, as "xyz", got "{given}"')
    elif described is None and frame.cell is not None:
        raise ResultsError(f"{run.folder}: the cell came with the start of the run, and the case does not tell along "
                           'which axes it is periodic: give them, as periodic="xyz"')  # fmt: skip
    else:
        axes = described.get("axes", ["x", "y", "z"]) if described else []
    return "x" in axes, "y" in axes, "z" in axes


@dataclass(frozen=True)
class _Sample:
    """Grains around which one looks, and those that one sees."""

    places: Numbers  #: [n, 3] [m] of the grains
    centres: NDArray[numpy.int64]  #: numbers of grains whose whole neighbourhood is seen
    seen: Numbers  #: [n_seen, 3] [m] places of grains and images
    owner: NDArray[numpy.int64]  #: [n_seen] number of the grain of each
    inside: NDArray[numpy.int64]  #: numbers of the grains in the volume
    volume: float  #: [m3]
    grains: _Grains
    reach: float  #: [m]

    @classmethod
    def of(cls, run: Results, frame: Frame, grains: _Grains, reach: float, box: Sequence[Sequence[float]] | None,
           axes: tuple[bool, bool, bool],
           ) -> _Sample:  # fmt: skip
        cell, origin = frame.cell, frame.cell_origin
        points, owner = grains.centres, numpy.arange(len(grains.centres))
        if cell is not None and origin is not None and any(axes):
            points, owner = images_near(points, cell, origin, axes, reach)
            if all(axes) and box is None:
                every = numpy.arange(len(grains.centres))
                return cls(
                    points[: len(every)], every, points, owner, every, abs(float(numpy.linalg.det(cell))), grains, reach
                )
        if box is None:
            raise ResultsError(f"{run.folder}: the packing is not periodic along all axes: give a box, two corners [m] "
                               "of a part that grains fill evenly")  # fmt: skip
        if [len(corner) for corner in box] != [3, 3] or not (numpy.array(box[0]) < numpy.array(box[1])).all():
            raise ValueError(f"box: the lowest and the highest corner are needed, as [[0, 0, 0], [1, 1, 1]], got {box}")
        low, high = numpy.array(box, float)
        whole = numpy.isinf(low) & numpy.isinf(high)
        if (whole & ~numpy.array(axes)).any() or (cell is None and whole.any()):
            raise ResultsError(f"{run.folder}: box: may be infinite only along periodic axes")
        edges = numpy.where(whole, 1.0 if cell is None else numpy.diag(cell), high - low)
        if cell is not None and whole.any() and numpy.any(cell - numpy.diag(numpy.diag(cell))):
            raise ResultsError(
                f"{run.folder}: box: may be infinite only where the edges of the cell lie along the axes"
            )
        if cell is not None and origin is not None:
            ends = numpy.where(whole, origin + 0.5 * numpy.diag(cell), numpy.array([low, high]))
            corners = numpy.stack(numpy.meshgrid(*ends.T), axis=-1).reshape(-1, 3)
            place = ((corners - origin) @ numpy.linalg.inv(cell))[:, numpy.array(axes)]
            if (place < -1e-9).any() or (place > 1 + 1e-9).any():
                raise ResultsError(f"{run.folder}: box: must not reach beyond the faces of the cell; infinite numbers "
                                   "stand for all of it")  # fmt: skip
        shown = ((points >= low) & (points <= high)).all(axis=1)
        itself = numpy.zeros(len(points), bool)
        itself[: len(grains.centres)] = True  # images follow
        middle = ((points >= low + reach) & (points <= high - reach)).all(axis=1) & itself
        if not middle.any():
            raise ResultsError(f"{run.folder}: box: no grain in it is {reach:.3g} m or more from its faces: give a "
                               "larger box, or a smaller largest")  # fmt: skip
        return cls(points[itself], owner[middle], points[shown], owner[shown], owner[shown & itself],
                   float(numpy.prod(edges)), grains, reach)  # fmt: skip

    def counted(self, edges: Numbers, first: Numbers, second: Numbers, scaled: bool) -> tuple[Numbers, Numbers]:
        """Pairs of a centre and a neighbour in each bin, and the variance of these numbers if pairs were independent:
        where both grains are both, their pair counts twice."""
        centres = self.centres[first[self.centres] > 0]
        others = second[self.owner] > 0
        seen, owner = self.seen[others], self.owner[others]
        is_centre = numpy.zeros(len(self.places), bool)
        is_centre[centres] = True
        all_twice = bool(is_centre.all() and (second > 0).all())
        bins = len(edges) - 1
        counts, twice = numpy.zeros(bins), numpy.zeros(bins)
        for a, b, away in near_pairs(self.places[centres], seen, self.reach):
            i, j = centres[a], owner[b]
            apart = (i != j) | (away > 1e-9 * self.reach)  # its own images are neighbours, too
            if not apart.all():
                i, j, away = i[apart], j[apart], away[apart]
            if scaled:
                away = away / (self.grains.radii[i] + self.grains.radii[j])
                i, j, away = (values[away <= edges[-1]] for values in (i, j, away))
            bin_of = _bin_of(away, edges)
            counts += numpy.bincount(bin_of, minlength=bins)
            if not all_twice:
                twice += numpy.bincount(bin_of[is_centre[j] & (second[i] > 0)], minlength=bins)
        variance = counts + (counts if all_twice else twice)
        return counts, variance

    def expected(self, edges: Numbers, first: Numbers, second: Numbers, scaled: bool) -> Numbers:
        """Pairs in each bin if the second kind stood at random in the volume: the mean over all ways of it. A grain has
        one neighbour less of its own kind."""
        one, other = first[self.centres], second[self.inside]
        both = one * second[self.centres]
        if not scaled:
            pairs = one.sum() * other.sum() - both.sum()
        else:  # the sum of (r_i + r_j)^3 over the pairs, as the volume around each grain goes with it
            a, b = self.grains.radii[self.centres], self.grains.radii[self.inside]
            sums = [(one @ a**k) * (other @ b ** (3 - k)) * math.comb(3, k) for k in range(4)]
            pairs = sum(sums) - float(both @ (2 * a) ** 3)
        return numpy.asarray(4 / 3 * math.pi * numpy.diff(edges**3) / self.volume * pairs)


def _bin_of(values: Numbers, edges: Numbers) -> NDArray[numpy.int64]:
    """[n] The bin of each value, as numpy.histogram has it; bins are equally wide, and values lie between the edges."""
    last = len(edges) - 2
    number = numpy.minimum((values * (len(edges) - 1) / edges[-1]).astype(numpy.int64), last)
    number -= values < edges[number]  # the quotient is rounded
    number += values >= edges[number + 1]
    return numpy.asarray(numpy.minimum(number, last))  # the last bin contains its end
