"""The free surface of a bed in a vertical plane, and its angle. Grains in flight are no part of it."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy
from numpy.typing import NDArray

__all__ = ["LEAST_COLUMNS", "Slope", "mean_of_frames", "slope_of", "surface_heights"]

Numbers = NDArray[numpy.float64]

LEAST_COLUMNS = 3  #: columns of one diameter in the part of a slope whose angle is measured


@dataclass(frozen=True)
class Slope:
    """The angle of one surface; NaN where it is too short."""

    angle: float  #: [degrees] positive where the surface falls along the axis
    error: float  #: [degrees] standard error, from how far columns lie from the line
    fall: float  #: [m] from the highest to the lowest column
    length: float  #: [m] of the part from four fifths to a fifth of that


def _spread(along: Numbers, level: Numbers, radii: Numbers) -> tuple[Numbers, Numbers, Numbers]:
    """[n, m] points in the projections of spheres along and up [m], and [m] the shares of the volume that each has."""
    u, v = (a.ravel() for a in numpy.meshgrid([-0.6, 0.0, 0.6], [-0.8, -0.4, 0.0, 0.4, 0.8]))
    chord = numpy.sqrt((1 - u**2 - v**2).clip(0))  # of the sphere, across the plane
    return along[:, None] + radii[:, None] * u, level[:, None] + radii[:, None] * v, chord / chord.sum()


def _crossing(share: Numbers, full: Numbers, wanted: float) -> float:
    """Row [-] at which a column ends: the top of that of its dense parts with the most volume; NaN without one."""
    dense = numpy.concatenate([[0], (share >= wanted).astype(int), [0]])
    starts, ends = numpy.flatnonzero(numpy.diff(dense) == 1), numpy.flatnonzero(numpy.diff(dense) == -1)
    if not len(starts):
        return math.nan
    volumes = [full[a:b].sum() for a, b in zip(starts, ends, strict=True)]
    top = int(ends[int(numpy.argmax(volumes))]) - 1
    above = float(share[top + 1]) if top + 1 < len(share) else 0.0
    return top + 0.5 + float((share[top] - wanted) / (share[top] - above))


def surface_heights(along: Numbers, level: Numbers, volumes: Numbers, depth: float) -> tuple[Numbers, Numbers]:
    """Middles and heights of the surface [n_columns] [m] in columns of one diameter; NaN where there is no bed.

    along, level: [n] [m] of the centres of grains, from their lowest; volumes: [n] [m3]. depth: [m] of the bed across
    the plane. The surface is where the packing, over one and a half diameters of height, falls to half of that in the
    bed (its median by volume): grains in flight are too thinly spread to count."""
    radii = numpy.cbrt(volumes * (3 / (4 * math.pi)))
    width = 2 * float(numpy.median(radii))
    row = width / 2
    x, z, share = _spread(along, level, radii)
    left, bottom = float(x.min()), float(z.min())
    column, place = ((x - left) // width).astype(int), ((z - bottom) // row).astype(int) + 1  # an empty row below
    shape = (int(column.max()) + 1, int(place.max()) + 2)
    cells = numpy.ravel_multi_index((column.ravel(), place.ravel()), shape)
    full = numpy.bincount(cells, (volumes[:, None] * share).ravel(), shape[0] * shape[1]).reshape(shape)
    padded = numpy.pad(full, ((0, 0), (1, 1)))
    packing = (padded[:, :-2] + padded[:, 1:-1] + padded[:, 2:]) / (3 * row * width * depth)
    order = numpy.argsort(packing, axis=None)
    summed = numpy.cumsum(full.ravel()[order])
    bed = float(packing.ravel()[order[int(numpy.searchsorted(summed, summed[-1] / 2))]])
    rows = numpy.array([_crossing(packing[k], full[k], bed / 2) for k in range(shape[0])])
    middles = numpy.asarray(left + (numpy.arange(shape[0]) + 0.5) * width, float)
    return middles, numpy.asarray(bottom + (rows - 1) * row, float)


def slope_of(middles: Numbers, heights: Numbers) -> Slope:
    """The angle of a surface, from four fifths to a fifth of its height; of all where it falls by less than a column is
    wide: that is the roughness of a flat bed. Gaps end it."""
    known = numpy.flatnonzero(numpy.isfinite(heights))
    if len(known) < LEAST_COLUMNS:
        return Slope(math.nan, math.nan, 0.0, 0.0)
    x, y = middles[known] - middles[known].mean(), heights[known]
    rises = float((x * (y - y.mean())).sum()) > 0
    if rises:
        heights = heights[::-1]
    width = float(middles[1] - middles[0])
    peak, foot = float(y.max()), float(y.min())
    top, end = (0.8, 0.2) if peak - foot >= width else (-math.inf, -math.inf)
    part = (heights - foot) / max(peak - foot, 1e-300)
    highest = numpy.flatnonzero(part > top)
    first = int(highest[-1 if math.isfinite(top) else 0])
    behind = numpy.flatnonzero(~(part > end) & (numpy.arange(len(part)) > first))
    last = int(behind[0]) if len(behind) else len(part)
    flank = numpy.asarray(heights[first:last], float)  # stray grains beyond the first low place do not count
    length = width * len(flank)
    if len(flank) < LEAST_COLUMNS:
        return Slope(math.nan, math.nan, peak - foot, length)
    x = width * (numpy.arange(len(flank)) - (len(flank) - 1) / 2)
    slope = float((x * flank).sum() / (x**2).sum())
    rest = float(((flank - flank.mean() - slope * x) ** 2).sum()) / max(len(flank) - 2, 1)
    error = math.degrees(math.sqrt(rest / float((x**2).sum())) / (1 + slope**2))
    angle = -math.degrees(math.atan(slope))
    return Slope(-angle if rises else angle, error, peak - foot, length)


def mean_of_frames(values: Numbers, errors: Numbers) -> tuple[float, float]:
    """Mean over frames [n] and its standard error. Frames that resemble those before count less, by the correlation of
    neighbours; where they differ by less than the error of one, that is the error of the mean: nothing moves."""
    n, mean = len(values), float(values.mean())
    single = float(errors.mean())
    rest = values - mean
    spread = math.sqrt(float((rest**2).sum()) / (n - 1)) if n > 1 else 0.0
    if spread <= single:
        return mean, single
    alike = min(max(float((rest[1:] * rest[:-1]).sum() / (rest**2).sum()), 0.0), 0.99)
    return mean, spread / math.sqrt(n * (1 - alike) / (1 + alike))
