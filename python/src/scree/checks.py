"""Arguments of the user, checked before the engine takes them: it would say less, or would take what is no number."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy

__all__ = ["MOST_STEPS", "count", "number", "vector"]

MOST_STEPS = 2**53 - 1  #: as the engine counts


def count(value: float, what: str = "a number of steps", most: int = MOST_STEPS) -> int:
    """A whole number from 0 to `most`. Raises ValueError, which names `what`."""
    try:
        whole = int(value)
        fits = whole == value and 0 <= whole <= most
    except (TypeError, ValueError, OverflowError):
        fits = False
    if not fits:
        end = "that is not negative" if most == MOST_STEPS else f"from 0 to {most}"
        raise ValueError(f"{what} must be a whole number {end}, got {value}")
    return whole


def number(value: float, what: str) -> float:
    """A finite number. Raises ValueError, which names `what`."""
    if not math.isfinite(found := float(value)):
        raise ValueError(f"{what}: a finite number is needed, got {value}")
    return found


def vector(values: Sequence[float], what: str) -> tuple[float, float, float]:
    """Three finite numbers. Raises ValueError, which names `what`."""
    array = numpy.asarray(values, dtype=numpy.float64)
    if array.shape != (3,) or not numpy.isfinite(array).all():
        raise ValueError(f"{what}: three finite numbers are needed, got {values}")
    x, y, z = array.tolist()
    return x, y, z
