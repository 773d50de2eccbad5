"""The frames that belong to given times."""

from __future__ import annotations

import sys
from weakref import WeakKeyDictionary

import numpy

from ..frames import Frame
from ..program import InputError
from ..results import Results

__all__ = ["frame_near"]

_SAID: WeakKeyDictionary[Results, set[tuple[str, float]]] = WeakKeyDictionary()  # warnings so far


def frame_near(run: Results, time: float, what: str) -> Frame:
    """The frame nearest to a time [s]. Of a time farther than half an interval beyond the first or the last frame a
    warning says so, which names `what`. A run without frames raises InputError."""
    frames = run.frames
    times = frames.times
    if not len(times):
        raise InputError(f"{run.folder}: has no frames; give the case output.frames")
    first, last = float(times.min()), float(times.max())
    beyond = max(first - time, time - last)
    said = _SAID.setdefault(run, set())
    if beyond > _interval(run, times) / 2 * (1 + 1e-9) + 1e-9 * abs(last) and (what, time) not in said:
        said.add((what, time))  # each picture of a film asks again
        print(f"warning: {what}: {time:g} s is beyond the frames, which are from {first:.4g} s to {last:.4g} s; "
              "the nearest one is shown", file=sys.stderr)  # fmt: skip
    return frames.at(time)


def _interval(run: Results, times: numpy.ndarray) -> float:
    """[s] The usual interval of frames."""
    if len(times) > 1:
        return float(numpy.median(numpy.diff(times)))
    output = run.case.get("output") or {}
    return float((output.get("frames") or {}).get("every") or 0.0)
