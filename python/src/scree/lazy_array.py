"""Arrays in HDF5 files that are read when they are used."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import h5py
import numpy
from numpy.typing import NDArray

from .errors import ResultsError

# A run may be writing in the same folder: readers must not lock its files.
os.environ.setdefault("HDF5_USE_FILE_LOCKING", "FALSE")

__all__ = ["LazyArray", "open_file"]


def open_file(path: Path) -> h5py.File:
    """Opens an HDF5 file for reading. Raises ResultsError, in one sentence, when it cannot be read."""
    try:
        return h5py.File(path, "r")
    except FileNotFoundError:
        raise ResultsError(f"{path}: there is no such file") from None
    except OSError as error:
        raise ResultsError(f"{path}: is not a readable HDF5 file ({error})") from None


class LazyArray(numpy.lib.mixins.NDArrayOperatorsMixin):
    """One array of a file, which stays on the disk until it is indexed or used as a NumPy array.

    `array[...]` reads all of it, `array[:100]` only the first hundred rows. NumPy functions and arithmetic take it as
    they take an array; each use reads the file again, so keep `array[...]` if you need the numbers more than once.
    The file is open only while it is read.
    """

    def __init__(self, path: Path, name: str, unit: str = "", stored: str | None = None) -> None:
        """`stored`: the type of NumPy whose bits the file has, where it names another one of this size."""
        self.path = path
        self.name = name  #: path of the dataset within the file
        self.unit = unit  #: SI unit, or empty where it has none
        self._stored = stored
        self._about: tuple[tuple[int, ...], numpy.dtype[Any]] | None = None

    def _look(self) -> tuple[tuple[int, ...], numpy.dtype[Any]]:
        if self._about is None:
            with open_file(self.path) as file:
                dataset = file[self.name]
                self._about = (tuple(dataset.shape), numpy.dtype(self._stored or dataset.dtype))
        return self._about

    @property
    def shape(self) -> tuple[int, ...]:
        return self._look()[0]

    @property
    def dtype(self) -> numpy.dtype[Any]:
        return self._look()[1]

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> int:
        return int(numpy.prod(self.shape))

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, key: Any) -> Any:
        with open_file(self.path) as file:
            dataset = file[self.name]
            parts = key if isinstance(key, tuple) else (key,)
            is_block = all(_is_block(part) for part in parts)
            values = dataset[key] if is_block else dataset[...]
        if self._stored is not None:
            values = values.view(self._stored)
        return values if is_block else values[key]  # NumPy knows orders, masks and steps back, which files do not

    def __iter__(self) -> Iterator[Any]:
        return iter(self[...])

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        if copy is False:
            raise ValueError(f"{self.name} lies in a file: it cannot become an array without a copy")
        values = numpy.asarray(self[...])
        return values if dtype is None else values.astype(dtype, copy=False)

    def __array_ufunc__(self, ufunc: numpy.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
        if any(isinstance(value, LazyArray) for value in kwargs.get("out", ())):
            raise TypeError(f"{self.name} lies in a file, which stays as it is: change a copy, array[...]")
        arrays = [value[...] if isinstance(value, LazyArray) else value for value in inputs]
        return getattr(ufunc, method)(*arrays, **kwargs)

    def __getattr__(self, name: str) -> Any:
        """Reductions and copies of NumPy arrays: `array.mean()`, `array.max(axis=0)`. Each reads the file."""
        if name in _METHODS:
            return getattr(self[...], name)
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __repr__(self) -> str:
        unit = f" [{self.unit}]" if self.unit else ""
        return f"<{self.name.rsplit('/', 1)[-1]}{unit}: {self.dtype} {self.shape} in {self.path.name}>"


#: Methods of NumPy arrays that do not change the array.
_METHODS = frozenset({
    "all", "any", "argmax", "argmin", "argsort", "astype", "clip", "copy", "cumsum", "dot", "flatten", "item", "max",
    "mean", "min", "nonzero", "prod", "ravel", "reshape", "round", "std", "sum", "T", "take", "tolist", "transpose",
    "var",
})  # fmt: skip


def _is_block(key: Any) -> bool:
    """Whether a key chooses rows or columns that a file can read alone."""
    if isinstance(key, slice):
        return key.step is None or key.step > 0
    return key is Ellipsis or (isinstance(key, int | numpy.integer) and not isinstance(key, bool))
