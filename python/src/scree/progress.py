"""A line that shows how far a run is."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import Any, TextIO

__all__ = ["CountLine", "ProgressLine", "progress_function"]

ProgressFunction = Callable[[Mapping[str, Any]], None]


def _duration(seconds: float) -> str:
    if seconds < 60:
        return f"{seconds:.0f} s"
    if seconds < 3600:
        return f"{seconds // 60:.0f} min {seconds % 60:02.0f} s"
    return f"{seconds // 3600:.0f} h {seconds % 3600 // 60:02.0f} min"


class ProgressLine:
    """Shows progress on one line of a terminal."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._open = False

    def __call__(self, progress: Mapping[str, Any]) -> None:
        steps = progress["last_step"] - progress["first_step"]
        if progress["last_step"] > 0:
            done = (progress["step"] - progress["first_step"]) / steps if steps else 1.0
        else:
            span = progress["end_time"] - progress["first_time"]
            done = (progress["time"] - progress["first_time"]) / span if span > 0 else 1.0
        done = min(max(done, 0.0), 1.0)
        left = _duration(progress["wall_seconds"] * (1 - done) / done) if done > 0 else "?"
        bar = "#" * int(20 * done)
        text = f"{100 * done:5.1f} % [{bar:.<20}] t = {progress['time']:.4g} s, {left} left"
        if progress["stepping_seconds"] > 0:
            text += f", {progress['particle_steps'] / progress['stepping_seconds'] / 1e6:.2f} M particle-steps/s"
        self._stream.write(f"\r{text}\x1b[K")
        self._stream.flush()
        self._open = True

    def close(self) -> None:
        if self._open:
            self._stream.write("\r\x1b[K")
            self._stream.flush()
            self._open = False


class CountLine:
    """Shows how many of several things are done, on one line of a terminal; nothing where there is no terminal."""

    def __init__(self, total: int, what: str, stream: TextIO) -> None:
        self._total, self._what, self._stream = total, what, stream
        self._done = 0
        self._shown = total > 0 and stream.isatty()
        self._write()

    def add(self) -> None:
        """One more is done."""
        self._done += 1
        self._write()

    def _write(self) -> None:
        if self._shown:
            self._stream.write(f"\r  {self._done} of {self._total} {self._what}\x1b[K")
            self._stream.flush()

    def close(self) -> None:
        """Clears the line."""
        if self._shown:
            self._stream.write("\r\x1b[K")
            self._stream.flush()


def progress_function(progress: bool | ProgressFunction | None) -> ProgressFunction | None:
    """None: a line if standard error is a terminal; True or False: a line or nothing; or a function of your own."""
    if callable(progress):
        return progress
    shown = sys.stderr.isatty() if progress is None else progress
    return ProgressLine(sys.stderr) if shown else None
