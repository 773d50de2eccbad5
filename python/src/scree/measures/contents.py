"""Measures of what is where in a frame: pieces, solid fractions, mixing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy
from numpy.typing import NDArray

from ..errors import ResultsError
from ..program import InputError, parse_number
from ..render.fields import Colouring
from ..results import Results
from ..whole_grains import WholeGrains
from .values import Measure, Numbers, last_frame

if TYPE_CHECKING:
    import pandas


def fragments(run: Results, frame: int = -1) -> pandas.DataFrame:
    """Pieces that bonds hold together in a frame with the fields fragment, radius and material, the heaviest first.

    Indexed by the lowest id of their particles: `particles`, of which a clump is one, and `mass` [kg]."""
    import pandas

    moment = run.frames[frame]
    grains = WholeGrains.of(run, moment)
    density = numpy.array([value["density"] for value in run.case["materials"].values()], float)
    mass = grains.volumes * density[numpy.asarray(moment["material"][...])[grains.first]]
    table = pandas.DataFrame({"fragment": moment["fragment"][...][grains.first], "particles": 1, "mass": mass})
    return table.groupby("fragment").sum().sort_values("mass", ascending=False, kind="stable")


def solid_fraction(run: Results, low: Numbers, high: Numbers) -> Measure:
    """Part of a box from `low` to `high` [3] [m] that grains fill at the end, each volume counted once.

    Spheres that the faces cut are measured at points within them, level-set grains by their surfaces between nodes. In
    a periodic cell images count, too; but in a run whose cell came with a "start", only stored places do. Raises
    ResultsError where the frame does not tell which spheres are one clump."""
    grains = WholeGrains.of(run, last_frame(run), instead=", or measure with the probe porosity")
    volume = grains.volume_in(low, high, _periodic(run))
    return Measure(volume / float(numpy.prod(high - low)))


def _periodic(run: Results) -> tuple[bool, bool, bool]:
    """Along which edges the cell of a case repeats."""
    cell = run.case.get("domain", {}).get("periodic")
    axes = cell.get("axes", ["x", "y", "z"]) if cell else []
    return "x" in axes, "y" in axes, "z" in axes


def box_of(text: str) -> tuple[Numbers, Numbers]:
    """Lowest and highest corner of a box."""
    numbers = [parse_number(part, "solid_fraction") for part in text.split(",")]
    low, high = numpy.array(numbers[:3]), numpy.array(numbers[3:])
    if len(numbers) != 6 or not (high > low).all():
        raise InputError("solid_fraction: give the box as X0,Y0,Z0,X1,Y1,Z1 [m]")
    return low, high


def solid_fraction_of(run: Results, text: str) -> Measure:
    return solid_fraction(run, *box_of(text))


def mixing(run: Results, text: str) -> Measure:
    """Lacey's index at the end: 0 where two kinds lie apart, 1 where they are mixed at random. A clump is one grain.

    `text` is a field that divides the grains at its median, as "x@0.5": their x at 0.5 s, or "material". Cells are
    cubes that hold some twelve grains (Lacey 1954). At random the index is 1 in the mean, and scatters by some 0.12
    over the root of the number of cubes. Raises ResultsError where the frame does not tell clumps."""
    how = Colouring.parse(text, "mixing")
    frame = last_frame(run)
    grains = WholeGrains.of(run, frame)
    values = grains.mean(how.values(run, frame))
    known = numpy.isfinite(values)
    if not known.any():
        raise ResultsError(f"{run.folder}: no grain has a value of {text}")
    points, values = grains.centres[known], values[known]
    middle = numpy.median(values)
    kind = values > middle if (values > middle).any() else values >= middle
    if not 0 < float(kind.mean()) < 1:
        raise ResultsError(f"{run.folder}: {text} does not divide the grains into two kinds")
    edge = float(numpy.cbrt(12 * grains.volumes.mean() / 0.6))
    if (index := lacey(points, kind, edge)) is None:
        raise ResultsError(f"{run.folder}: there are too few grains for an index of mixing")
    return Measure(index)


def lacey(points: Numbers, kind: NDArray[numpy.bool_], edge: float) -> float | None:
    """Lacey's index of grains of two kinds in cubes with an edge [m]; None with fewer than four cubes that hold four
    grains or more. Others do not count.

    If all N grains are dealt to their places at random, the number of one kind in a cube of n has a hypergeometric
    distribution, so that the share p of it has the variance p (1 - p) / n (N - n) / (N - 1). With the weights of the
    cubes this is the variance at random, and the index is 1 in the mean over all deals, also of few grains."""
    cells = numpy.floor((points - points.min(axis=0)) / edge).astype(int)
    _, place = numpy.unique(cells, axis=0, return_inverse=True)
    counts = numpy.bincount(place.ravel())
    part = numpy.bincount(place.ravel(), weights=kind) / counts
    full = counts >= 4
    if full.sum() < 4:
        return None
    share, n = float(kind.mean()), counts[full]
    weight = n / n.sum()
    variance = float((weight * (part[full] - share) ** 2).sum())
    apart = share * (1 - share)
    at_random = apart * float((weight / n * (len(kind) - n)).sum()) / (len(kind) - 1)
    return (apart - variance) / (apart - at_random)
