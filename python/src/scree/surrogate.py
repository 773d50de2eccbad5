"""A smooth stand-in for noisy results of runs: a polynomial that weighs near points more."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy
from numpy.typing import NDArray

__all__ = ["Surrogate", "n_terms"]

Numbers = NDArray[numpy.float64]


def n_terms(parameters: int, quadratic: bool) -> int:
    """Coefficients of a polynomial."""
    return 1 + parameters + (parameters * (parameters + 1) // 2 if quadratic else 0)


def _terms(points: Numbers, quadratic: bool) -> Numbers:
    """[n, n_terms] values of 1, x_i and, where wanted, x_i x_j."""
    columns = [numpy.ones(len(points)), *points.T]
    if quadratic:
        d = points.shape[1]
        columns += [points[:, i] * points[:, j] for i in range(d) for j in range(i, d)]
    return numpy.stack(columns, axis=1)


@dataclass
class Surrogate:
    """value = sum of coefficients times terms of x - centre; `error`: how far points lie from it."""

    centre: Numbers
    coefficients: Numbers
    quadratic: bool
    error: float

    @classmethod
    def fit(cls, points: Numbers, values: Numbers, errors: Numbers, centre: Numbers) -> Surrogate:
        """Fits values [n] at points [n, d] (all in 0 to 1) with standard errors [n]; near `centre` points weigh more.

        It is quadratic where there are more points than coefficients, else linear."""
        n, d = points.shape
        quadratic = n > n_terms(d, True)
        distance = numpy.linalg.norm(points - centre, axis=1)
        wanted = min(n, n_terms(d, quadratic) + 2)
        reach = 1.5 * float(numpy.sort(distance)[wanted - 1]) + 1e-9
        weight = (1 - (distance / reach).clip(0, 1) ** 3) ** 3 + 1e-6
        spread = float(numpy.ptp(values)) or 1.0
        sharp = numpy.sqrt(weight) / numpy.maximum(errors, 1e-3 * spread)
        terms = _terms(points - centre, quadratic)
        found: Any = numpy.linalg.lstsq(terms * sharp[:, None], values * sharp, rcond=None)[0]
        rest = values - terms @ found
        free = max(float(weight.sum()) - terms.shape[1], 1.0)
        return cls(centre, found, quadratic, math.sqrt(float((weight * rest**2).sum()) / free))

    def __call__(self, point: Numbers) -> float:
        return float(_terms((point - self.centre)[None], self.quadratic)[0] @ self.coefficients)

    def slope(self, point: Numbers) -> Numbers:
        """[d] derivatives at a point."""
        step = 1e-4
        ways = step * numpy.eye(len(point))
        return numpy.array([(self(point + way) - self(point - way)) / (2 * step) for way in ways])
