"""Frames of a run: particles, surfaces and nodes at one moment, in VTKHDF files."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Generic, TypeVar, overload

import numpy
from numpy.typing import NDArray

from .contact_frame import ContactFrame
from .errors import ResultsError
from .field_frame import FieldFrame
from .frame import FIELD_UNITS, Frame

__all__ = ["FIELD_UNITS", "ContactFrame", "FieldFrame", "Frame", "Frames"]

F = TypeVar("F", bound=Frame)


class Frames(Sequence[F], Generic[F]):
    """All frames that exist now, in the order of time. A run that goes on adds more: `len` and items are always new."""

    def __init__(self, listing: Path, folder: Path, kind: type[F] = Frame) -> None:  # type: ignore[assignment]
        self._listing = listing  # the .vtkhdf.series file
        self._folder = folder  # where the frames lie
        self._kind = kind
        self._seen: tuple[Any, list[F]] = (None, [])

    def _frames(self) -> list[F]:
        try:
            about = self._listing.stat()
            state: Any = (about.st_mtime_ns, about.st_size)
        except OSError:
            state = None
        if state is None or state != self._seen[0]:
            self._seen = (state, self._read())
        return self._seen[1]

    def _read(self) -> list[F]:
        try:
            entries = json.loads(self._listing.read_text(encoding="utf-8"))["files"]
            frames = [self._kind(self._listing.parent / entry["name"], float(entry["time"])) for entry in entries]
            return [frame for frame in frames if frame.path.exists()]
        except (OSError, ValueError, KeyError, TypeError):  # no list, or a damaged one: the files know their times
            prefix = "step" if self._kind in (ContactFrame, FieldFrame) else "frame"
            return [self._kind(path) for path in sorted(self._folder.glob(f"{prefix}_*.vtkhdf"))]

    @property
    def times(self) -> NDArray[numpy.float64]:
        """[n_frames] [s]"""
        return numpy.array([frame.time for frame in self._frames()], dtype=float)

    def at(self, time: float) -> F:
        """The frame whose time [s] is nearest."""
        times = self.times
        if len(times) == 0:
            raise ResultsError(f"{self._listing}: there are no frames")
        return self._frames()[int(numpy.abs(times - time).argmin())]

    def __len__(self) -> int:
        return len(self._frames())

    @overload
    def __getitem__(self, key: int) -> F: ...
    @overload
    def __getitem__(self, key: slice) -> list[F]: ...
    def __getitem__(self, key: int | slice) -> F | list[F]:
        frames = self._frames()
        if isinstance(key, int) and not -len(frames) <= key < len(frames):
            raise IndexError(f"{self._listing}: frame {key} was asked for, but there are {len(frames)}")
        return frames[key]

    def __iter__(self) -> Iterator[F]:
        return iter(self._frames())

    def __repr__(self) -> str:
        times = self.times
        span = f", t = {times[0]:g} to {times[-1]:g} s" if len(times) else ""
        return f"<{len(times)} frames in {self._folder}{span}>"
