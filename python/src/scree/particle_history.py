"""Particles over the frames of a run: only their rows are read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import h5py
import numpy
from numpy.typing import NDArray

from .errors import ResultsError
from .frame import Frame, dataframe_of
from .lazy_array import open_file
from .names import unknown_name

if TYPE_CHECKING:
    import pandas

__all__ = ["ids_of", "particle_table", "rows_of"]

_IDS = "VTKHDF/PointData/id"


def particle_table(frames: Sequence[Frame], number: int, fields: Sequence[str] | str | None) -> pandas.DataFrame:
    """The fields of the particle with an id in all frames, as Results.particle gives them."""
    if not len(frames):
        raise ResultsError("there are no frames of particles")
    times: list[float] = []
    found: dict[str, list[Any]] = {}
    places: dict[str, str] | None = None
    row, seen = 0, False
    for frame in frames:
        times.append(frame.time)
        with open_file(frame.path) as file:
            if places is None:
                places = _places(frame, file, fields)
                found = {name: [] for name in places}
            row = _row(frame, file, number, row)
            seen = seen or row >= 0
            for name, place in places.items():
                if place not in file:
                    raise ResultsError(f'{frame.path}: the frame has no array "{name}", as earlier ones do')
                found[name].append(file[place][row] if row >= 0 else None)
    if not seen:
        raise ResultsError(f"{frames[0].path.parent}: no frame has a particle with the id {number}")
    table = dataframe_of({name: _column(values) for name, values in found.items()})
    table.index = pandas_index(times)
    return table


def pandas_index(times: Sequence[float]) -> pandas.Index:
    import pandas

    return pandas.Index(times, name="time", dtype=float)


def _places(frame: Frame, file: h5py.File, fields: Sequence[str] | str | None) -> dict[str, str]:
    """Datasets of the arrays with a row for each particle: all but the id, or those that are asked for."""
    every = {"positions": "VTKHDF/Points"}
    every |= {name: f"VTKHDF/PointData/{name}" for name in file.get("VTKHDF/PointData", ()) if name != "id"}
    if fields is None:
        return every
    fields = [fields] if isinstance(fields, str) else fields
    for name in fields:
        if name not in every:
            raise ResultsError(f'{frame.path}: particles have no array "{name}": {unknown_name(name, every)}')
    return {name: every[name] for name in fields}


def _row(frame: Frame, file: h5py.File, number: int, guess: int) -> int:
    """The row of a particle, -1 without it. It is `guess` where nobody before it has come or gone since."""
    ids = _ids(frame, file)
    if 0 <= guess < len(ids) and ids[guess] == number:
        return guess
    every = ids[...]
    row = int(numpy.searchsorted(every, number))  # in ascending order
    return row if row < len(every) and every[row] == number else -1


def _ids(frame: Frame, file: h5py.File) -> Any:
    if _IDS not in file:
        raise ResultsError(f'{frame.path}: the frame does not tell which particle is which: add "id" to '
                           "output.frames.fields")  # fmt: skip
    return file[_IDS]


def _column(values: list[Any]) -> NDArray[Any]:
    """The values of all frames, NaN where the particle is not there."""
    known = next(numpy.asarray(value) for value in values if value is not None)
    if any(value is None for value in values):
        none = numpy.full(known.shape, numpy.nan)
        return numpy.array([none if value is None else numpy.asarray(value, float) for value in values])
    return numpy.array(values)


def ids_of(frames: Sequence[Frame]) -> NDArray[numpy.int64]:
    """The ids of all particles that are in any of the frames, in ascending order."""
    every = numpy.zeros(0, numpy.int64)
    for frame in frames:
        with open_file(frame.path) as file:
            there = _ids(frame, file)[...].astype(numpy.int64)
        if not numpy.array_equal(there, every):
            every = numpy.union1d(every, there)
    return every


def rows_of(frames: Sequence[Frame], ids: NDArray[numpy.int64], name: str) -> Iterator[NDArray[numpy.float64]]:
    """[n_ids, ...] the values of an array in each frame for particles with these ids, in ascending order; NaN for those
    that are not there. `name` may be "positions"."""
    place = "VTKHDF/Points" if name == "positions" else f"VTKHDF/PointData/{name}"
    for frame in frames:
        with open_file(frame.path) as file:
            if place not in file:
                raise ResultsError(f'{frame.path}: the frame has no array "{name}": output.frames.fields of the case '
                                   "chooses them")  # fmt: skip
            there = _ids(frame, file)[...].astype(numpy.int64)
            row = numpy.searchsorted(there, ids).clip(max=max(len(there) - 1, 0))
            known = there[row] == ids if len(there) else numpy.zeros(len(ids), bool)
            values = numpy.full((len(ids), *file[place].shape[1:]), numpy.nan)
            if known.any():
                low, high = int(row[known].min()), int(row[known].max()) + 1
                values[known] = file[place][low:high][row[known] - low]
        yield values
