"""How far particles go, and how long they keep their velocity."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy
from numpy.typing import NDArray

from ..errors import ResultsError
from ..frames import Frame
from ..particle_history import ids_of, rows_of
from ..results import Results
from .values import Numbers, frames_of, parts

if TYPE_CHECKING:
    import pandas

_VALUES_AT_ONCE = 16_000_000  # bounds the memory: 128 MB
_VALUES_IN_CACHE = 30_000


def mean_squared_displacement(
    run: Results,
    frames: slice = slice(None),
    *,
    ids: Sequence[int] | NDArray[numpy.integer] | None = None,
    non_affine: bool = False,
    lags: int = 200,
) -> pandas.DataFrame:
    """The mean squared displacement of particles over the time between two frames.

    The table is indexed by this time, "lag" [s], and has the columns `msd` and its parts `msd_x`, `msd_y`, `msd_z`
    [m2], and `samples`: all particles (or those with these `ids`) that are in both frames, for each pair of frames. In
    a periodic cell the frames need unwrapped_position or image. With `non_affine` the cell's own deformation is no
    displacement: places are those in the cell, as parts of its edges, and displacements those times the later edges.

    Frames at even times are all beginnings; otherwise, as where a stage changes the interval, only the first one is.
    There are `lags` of them at most, closer to each other where they are short. For diffusion the slope of `msd` is six
    times the coefficient."""
    chosen = frames_of(run, frames)
    cells, name = _cells(chosen), _name_of_places(chosen)
    if non_affine and cells is None:
        raise ResultsError(f"{run.folder}: non_affine needs a periodic cell")

    def paths(numbers: NDArray[numpy.int64]) -> Numbers:
        places = numpy.array(list(rows_of(chosen, numbers, name)))
        if name == "positions" and cells is not None:
            places += numpy.array(list(rows_of(chosen, numbers, "image"))) @ cells
        if non_affine and cells is not None:
            origins = numpy.array([frame.cell_origin for frame in chosen])
            places = (places - origins[:, None]) @ numpy.linalg.inv(cells)
        return places

    def squares(values: Numbers, first: slice, second: slice) -> Numbers:
        moved = values[:, second] - values[:, first]
        if non_affine and cells is not None:
            moved = numpy.einsum("afn,fab->bfn", moved, cells[second])
        return moved * moved

    table = _over_lags(chosen, ids, paths, squares, lags, 1, "msd")
    table.attrs["units"] = {"lag": "s", **{name: "m2" for name in table if name != "samples"}}
    return table


def velocity_autocorrelation(
    run: Results,
    frames: slice = slice(None),
    *,
    ids: Sequence[int] | NDArray[numpy.integer] | None = None,
    field: str = "velocity",
    lags: int = 200,
) -> pandas.DataFrame:
    """The mean over particles of the product of their velocities in two frames, over the time between the frames.

    The table has the rows of mean_squared_displacement(), and one for the lag 0, with the columns `correlation` and its
    parts `correlation_x`... [m2/s2], `normalised` (over that of lag 0), and `samples`. In a cell that deforms take the
    `field` "fluctuation_velocity". The integral of `correlation` is three times the coefficient of diffusion."""
    chosen = frames_of(run, frames)

    def velocities(numbers: NDArray[numpy.int64]) -> Numbers:
        return numpy.array(list(rows_of(chosen, numbers, field)))

    def products(values: Numbers, first: slice, second: slice) -> Numbers:
        return values[:, first] * values[:, second]

    table = _over_lags(chosen, ids, velocities, products, lags, 0, "correlation")
    start = float(table["correlation"].iloc[0])
    table.insert(4, "normalised", table["correlation"] / (start if start > 0 else numpy.nan))
    table.attrs["units"] = {"lag": "s", **{name: "m2/s2" for name in table if str(name).startswith("correlation")}}
    return table


def _cells(frames: list[Frame]) -> Numbers | None:
    """[n_frames, 3, 3] [m] edges of the periodic cells; None without a cell."""
    edges = [frame.cell for frame in frames] if frames[0].cell is not None else []
    return numpy.array([edge for edge in edges if edge is not None]) if edges else None


def _name_of_places(frames: list[Frame]) -> str:
    first = frames[0]
    if "unwrapped_position" in first:
        return "unwrapped_position"
    if first.cell is not None and "image" not in first:
        raise ResultsError(f"{first.path}: particles that leave a periodic cell come in on the other side: add "
                           '"unwrapped_position" to output.frames.fields')  # fmt: skip
    return "positions"


def _over_lags(
    frames: list[Frame],
    ids: Sequence[int] | NDArray[numpy.integer] | None,
    read: Callable[[NDArray[numpy.int64]], Numbers],
    combine: Callable[[Numbers, slice, slice], Numbers],
    most: int,
    least: int,
    name: str,
) -> pandas.DataFrame:
    """Means over each lag of what `combine` makes of values [3, n_frames, n]. These are those [n_frames, n, 3] that
    `read` gives for ids, of few particles at a time: they stay in the cache of a processor."""
    import pandas

    numbers = ids_of(frames) if ids is None else numpy.unique(numpy.asarray(ids, numpy.int64))
    time = numpy.array([frame.time for frame in frames])
    pairs = _pairs(time, parts(most, "lags"), least)
    sums, counts = numpy.zeros((len(pairs), 3)), numpy.zeros(len(pairs), numpy.int64)
    at_once = max(1, _VALUES_AT_ONCE // (3 * len(frames)))
    for begin in range(0, len(numbers), at_once):
        block = read(numbers[begin : begin + at_once])
        few = max(1, _VALUES_IN_CACHE // (3 * len(frames)))
        for start in range(0, block.shape[1], few):
            values = numpy.ascontiguousarray(block[:, start : start + few].transpose(2, 0, 1))
            whole = bool(numpy.isfinite(values).all())
            for k, (first, second) in enumerate(pairs):
                found = combine(values, first, second)
                if not whole:  # some particles are not in all frames
                    known = numpy.isfinite(found).all(axis=0)
                    found = numpy.where(known, found, 0)
                    counts[k] += numpy.count_nonzero(known)
                else:
                    counts[k] += found[0].size
                sums[k] += found.sum(axis=(1, 2))
    if not counts.any():
        raise ResultsError(f"{frames[0].path.parent}: no particle is in two of these frames")
    means = sums / numpy.where(counts > 0, counts, numpy.nan)[:, None]
    along = {f"{name}_{axis}": means[:, k] for k, axis in enumerate("xyz")}
    table = pandas.DataFrame({name: means.sum(axis=1), **along, "samples": counts})
    table.index = pandas.Index([float((time[second] - time[first]).mean()) for first, second in pairs], name="lag")
    return table


def _pairs(time: Numbers, most: int, least: int) -> list[tuple[slice, slice]]:
    """The frames that begin and end each lag: all with the same number of intervals between them, or, where
    intervals differ, those of the first frame with each other one. Frames come at whole steps, so equal intervals may
    differ by a step; the last one may be a shorter one at the end of the run, and is left out then."""
    gaps = numpy.diff(time)
    n = len(time) - 1 if len(gaps) > 2 and gaps[-1] < 0.75 * gaps[:-1].min() else len(time)
    even = n > 1 and gaps[: n - 1].max() < 1.5 * gaps[: n - 1].min()
    if not even:
        n = len(time)
    last = n - 1
    lags = numpy.arange(least, last + 1)
    if len(lags) > most:
        lags = numpy.unique(numpy.geomspace(max(least, 1), last, most).round().astype(numpy.int64))
        lags = numpy.concatenate([[0], lags]) if least == 0 else lags
    if even:
        return [(slice(0, n - int(k)), slice(int(k), n)) for k in lags]
    return [(slice(0, 1), slice(int(k), int(k) + 1)) for k in lags]
