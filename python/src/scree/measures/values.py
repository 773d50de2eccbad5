"""What measures are: numbers with units and errors, and lines through points."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy
from numpy.typing import NDArray

from ..checks import count
from ..errors import ResultsError
from ..frames import Frame
from ..results import Results

Numbers = NDArray[numpy.float64]


@dataclass(frozen=True)
class Measure:
    """A number with its unit, and its standard error where the run tells it."""

    value: float
    unit: str = ""
    error: float = math.nan


@dataclass(frozen=True)
class LineFit:
    """A line by least squares, y = offset + slope x, between two x."""

    slope: float
    error: float  #: standard error of the slope, as if rows were independent
    offset: float
    start: float
    end: float
    r_squared: float


def fit_line(x: Numbers, y: Numbers) -> LineFit:
    """Fits a line; needs three points at two different x. Raises ResultsError."""
    if len(x) < 3 or numpy.ptp(x) <= 0:
        raise ResultsError("a line needs three points or more")
    centre = x.mean()
    spread = float(((x - centre) ** 2).sum())
    slope = float(((x - centre) * (y - y.mean())).sum() / spread)
    offset = float(y.mean() - slope * centre)
    rest = float(((y - offset - slope * x) ** 2).sum())
    total = float(((y - y.mean()) ** 2).sum())
    error = math.sqrt(rest / (len(x) - 2) / spread)
    return LineFit(slope, error, offset, float(x[0]), float(x[-1]), 1 - rest / total if total > 0 else 1.0)


def last_frame(run: Results) -> Frame:
    """The last frame."""
    frames = run.frames
    if not len(frames) or not len(frames[-1]):
        raise ResultsError(f"{run.folder}: has no frames with particles")
    return frames[-1]


def parts(number: int, what: str) -> int:
    """A number of bins and the like. Raises ValueError, which names `what`, unless it is at least 1."""
    if (whole := count(number, what)) < 1:
        raise ValueError(f"{what} must be at least 1, got {number}")
    return whole


def frames_of(run: Results, which: int | slice) -> list[Frame]:
    """One frame, or those of a slice. Raises ResultsError where there is none."""
    frames = run.frames
    found = frames[which] if isinstance(which, slice) else [frames[which]] if len(frames) else []
    if not found:
        raise ResultsError(f"{run.folder}: has no such frames")
    return found
