"""The search for the values with which a case meets measured numbers."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy

from .batch import Workers
from .brackets import Bracket, brackets, touches
from .calibration_points import Numbers, Point, Points
from .errors import ResultsError, cannot_import
from .surrogate import Surrogate, n_terms
from .sweep import Vary, latin_hypercube

__all__ = ["Calibration", "Fitted"]


@dataclass(frozen=True)
class Fitted:
    """Parameters with standard errors, what the nearest point gives, and whether the search has come to rest."""

    values: dict[str, float]
    errors: dict[str, float]
    measures: dict[str, tuple[float, float]]  #: mean and standard error over the seeds at the nearest point
    runs: int
    at_rest: bool
    at_limit: tuple[str, ...]
    loose: tuple[str, ...] = ()  #: parameters whose error is larger than half of their range: the measures do not tell
    nearest: dict[str, float] = field(default_factory=dict)  #: parameters of the nearest point that was run
    reached: bool = True  #: whether the nearest point that was run meets all numbers within two standard errors
    others: tuple[tuple[float, float], ...] = ()  #: values of a single parameter between which other solutions lie
    perhaps: tuple[
        tuple[float, float], ...
    ] = ()  #: the same, where points meet the number, but on one side of it alone


def _residuals(fits: Sequence[Surrogate], goals: Numbers, sigma: Numbers, part: Numbers) -> Numbers:
    """[n_targets] how far the stand-ins are from the goals, over the errors."""
    return (numpy.array([fit(part) for fit in fits]) - goals) / sigma


def _scipy() -> Any:
    """The function of SciPy that finds least squares."""
    try:
        from scipy.optimize import least_squares
    except ImportError as error:
        raise cannot_import(error, "scree calibrate", "calibrate") from None
    return least_squares


def _covariance(slopes: Numbers) -> Numbers:
    """[n, n] of parameters in parts of their ranges, from how measures, over their errors, change with them [n_targets,
    n]. Where they hardly change, or only with a combination of parameters, it is huge: a pseudo-inverse would be 0."""
    return numpy.asarray(numpy.linalg.inv(slopes.T @ slopes + 1e-12 * numpy.eye(slopes.shape[1])), float)


class Calibration(Points):
    """Parameters between limits, targets, a folder of runs, and a search."""

    @property
    def _goals(self) -> Numbers:
        return numpy.array([t.value for t in self.targets])

    @property
    def _sigma(self) -> Numbers:
        """[n_targets] standard errors of the measured numbers."""
        return numpy.array([t.error for t in self.targets])

    @property
    def _scatter(self) -> Numbers:
        """[n_targets] standard error of a point by its seeds: that of all points, since a few seeds tell it badly."""
        return numpy.asarray(numpy.sqrt((numpy.array([p.errors for p in self.points]) ** 2).mean(axis=0)))

    def _misses(self, point: Point) -> Numbers:
        """[n_targets] distances of a point from the measured numbers, over the standard errors of both."""
        return numpy.asarray((point.means - self._goals) / numpy.hypot(self._sigma, self._scatter))

    def _best_point(self) -> Point:
        return min(self.points, key=lambda point: float((self._misses(point) ** 2).sum()))

    def _nearest(self, part: Numbers) -> Point:
        return min(self.points, key=lambda point: float(numpy.linalg.norm(point.part - part)))

    def _line(self) -> tuple[Numbers, Numbers, float]:
        """Of a search with one parameter and one number: parts of the points, their distances from the number, and the
        distance that another set of seeds could turn into one of the other sign."""
        parts = numpy.array([p.part[0] for p in self.points])
        return parts, numpy.array([p.means[0] for p in self.points]) - self._goals[0], 2 * float(self._scatter[0])

    @property
    def _is_line(self) -> bool:
        return len(self.parameters) == 1 == len(self.targets)

    def _bracket(self) -> Bracket | None:
        """The bracket with the point that comes nearest to the number; None without one, or with several numbers."""
        if not self._is_line:
            return None
        parts, distances, noise = self._line()

        def nearest(bracket: Bracket) -> float:
            return float(numpy.abs(distances[(parts >= bracket.low) & (parts <= bracket.high)]).min())

        return min(brackets(parts, distances, noise), key=nearest, default=None)

    def _solve(self) -> tuple[Numbers, Numbers]:
        """The best part of the ranges, and its covariance, from the points so far."""
        least_squares = _scipy()
        bracket = self._bracket()
        low, high = (bracket.low, bracket.high) if bracket else (0.0, 1.0)
        best = self._best_point().part
        for _ in range(3):  # the weights of points depend on where the solution is
            fits, whole = self._stand_ins(best)
            residuals = partial(_residuals, fits, self._goals, whole)
            edge = 1e-6 * (high - low)
            result = least_squares(residuals, best.clip(low + edge, high - edge), bounds=(low, high))
            best = numpy.asarray(result.x, float)
        if bracket:
            best = numpy.array([bracket.inside(float(best[0]))])
        return best, self._covariance_at(best)

    def _stand_ins(self, centre: Numbers) -> tuple[list[Surrogate], Numbers]:
        """Polynomials for all measures, and [n_targets] their errors together with those of the measured numbers."""
        parts = numpy.array([p.part for p in self.points])
        means, scatter = numpy.array([p.means for p in self.points]), self._scatter
        fits = [Surrogate.fit(parts, means[:, k], numpy.full(len(parts), scatter[k]), centre)
                for k in range(len(scatter))]  # fmt: skip
        noise = numpy.maximum(scatter, numpy.array([fit.error for fit in fits]) / math.sqrt(2))
        return fits, numpy.sqrt(self._sigma**2 + noise**2 / 2)

    def _covariance_at(self, part: Numbers) -> Numbers:
        fits, whole = self._stand_ins(part)
        return _covariance(numpy.array([fit.slope(part) for fit in fits]) / whole[:, None])

    def _is_new(self, part: Numbers) -> bool:
        """Whether a part of the ranges, with whole numbers rounded, is none of the points."""
        (near,) = self._distinct([part])
        return not any((near == point.part).all() for point in self.points)

    def _next(self, best: Numbers, widths: Sequence[float]) -> Numbers | None:
        """Where the next point is: at the best part of the ranges, or in the middle of a bracket where the last points
        did not make it much smaller (`widths`, one per step). None where it would be the same runs again."""
        bracket = self._bracket()
        if bracket:
            _, distances, noise = self._line()
            stuck = len(widths) > 2 and widths[-1] > widths[-3] / 2 and abs(distances[-1]) > noise
            if stuck or not self._is_new(best):
                best = numpy.array([bracket.middle])
        return best if self._is_new(best) else None

    def _rests(self, best: Numbers, moved: Numbers, covariance: Numbers) -> bool:
        """Whether the solution has not moved by more than a part of its error. In a bracket, the nearest point has to
        meet the number, too, unless the measure jumps there."""
        limit = numpy.maximum(0.3 * numpy.sqrt(numpy.diag(covariance)), 1e-3)
        bracket = self._bracket()
        if bracket and bracket.width > 2e-4 and abs(self._misses(self._nearest(moved))[0]) > 2:
            return False
        return bool((numpy.abs(moved - best) < limit).all())

    def _chosen(self, best: Numbers, covariance: Numbers) -> tuple[Numbers, Numbers]:
        """The solution; or the best point, if a worse one was found where the solution should be. Points that meet
        the numbers within their errors are equally good: between them the polynomial knows more than one point."""
        near, first = self._nearest(best), self._best_point()
        error = 0.3 * numpy.sqrt(numpy.diag(covariance)).clip(0, 0.1)
        is_there = bool((numpy.abs(near.part - best) <= numpy.maximum(error, 0.01)).all())
        if not is_there and self._bracket():
            return best, covariance  # no point is there yet, but those on both sides tell of it
        worse = (self._misses(near) ** 2).sum() > max((self._misses(first) ** 2).sum(), len(self.targets))
        return (first.part, self._covariance_at(first.part)) if worse else (best, covariance)

    def _say_brackets(self, say: Callable[[str], None]) -> None:
        if not self._is_line:
            return
        (p,), (t,) = self.parameters, self.targets
        parts, distances, noise = self._line()
        for bracket in (found := brackets(parts, distances, noise)):
            low, high = self._ends(bracket.low, bracket.high)
            say(f"{t.measure} = {t.value:g} lies between {p.path} = {p.short(low)} and {p.short(high)}")
        if not found and not touches(parts, distances, noise):
            where = "above" if distances[0] > 0 else "below"
            say(f"{t.measure} is {where} {t.value:g} at all points")

    def _ends(self, low: float, high: float) -> tuple[float, float]:
        """Values of a single parameter at two parts of its range."""
        return float(self.parameters[0].at(low)), float(self.parameters[0].at(high))

    def _others(self, best: Numbers, covariance: Numbers) -> tuple[tuple[tuple[float, float], ...], ...]:
        """`others` and `perhaps` of Fitted. What is near the solution is a part of it."""
        if not self._is_line:
            return (), ()
        reach = 2 * min(math.sqrt(float(covariance[0, 0])), 0.5)
        line = self._line()
        crossed = [(bracket.low, bracket.high) for bracket in brackets(*line)]
        return tuple(
            tuple(self._ends(low, high) for low, high in found if high < best[0] - apart or low > best[0] + apart)
            for found, apart in ((crossed, reach), (touches(*line), max(reach, 0.05)))
        )

    def search(
        self, workers: Workers, *, most_points: int = 20, say: Callable[[str], None] = lambda text: None
    ) -> Fitted:
        """Looks for the parameters. Raises ResultsError when too few runs succeed."""
        _scipy()  # said before hours of runs rather than after
        d = len(self.parameters)
        first = max(4, n_terms(d, True) + 1) if d > 1 else 4
        start = [numpy.linspace(0.05, 0.95, first)[:, None][k] for k in range(first)] if d == 1 else [
            numpy.array([float(v) for v in row.values()])
            for row in latin_hypercube([Vary(p.path, (), 0.0, 1.0) for p in self.parameters], first)]  # fmt: skip
        start = self._distinct(start)
        first = len(start)
        say(f"{first} points over the ranges, {self.seeds} {'run' if self.seeds == 1 else 'runs'} each")
        self.evaluate(start, workers, say)
        if len(self.points) < d + 1:
            raise ResultsError(f"only {len(self.points)} of {first} points gave a result: "
                               "the ranges or the case do not suit")  # fmt: skip
        self._say_brackets(say)
        at_rest = False
        widths: list[float] = []
        best, covariance = self._solve()
        while len(self.points) < most_points and not at_rest:
            bracket = self._bracket()
            widths = [*widths, bracket.width] if bracket else []
            wanted = self._next(best, widths)
            if wanted is None:  # whole numbers: it would be the same runs
                at_rest = True
                break
            say("next")
            before = len(self.points)
            self.evaluate([wanted], workers, say)
            if len(self.points) == before:
                say("the search ends here, since this point gives no result")
                break
            moved, covariance = self._solve()
            at_rest = self._rests(best, moved, covariance)
            best = moved
        return self._fitted(*self._chosen(best, covariance), at_rest)

    def _fitted(self, best: Numbers, covariance: Numbers, at_rest: bool) -> Fitted:
        last = self._nearest(best)
        reached = bool((numpy.abs(self._misses(last)) <= 2).all())
        values, errors, limits, loose = {}, {}, [], []
        for k, p in enumerate(self.parameters):
            x, s = float(best[k]), min(math.sqrt(max(float(covariance[k, k]), 0.0)), 1.0)  # the whole range at most
            values[p.path] = float(p.at(x))
            scale = values[p.path] * math.log(p.high / p.low) if p.logarithmic else p.high - p.low
            errors[p.path] = s * scale
            if x < 0.01 or x > 0.99:
                limits.append(p.path)
            if s > 0.5:
                loose.append(p.path)
        found = {t.measure: (float(m), float(e)) for t, m, e in zip(self.targets, last.means, last.errors, strict=True)}
        nearest = {p.path: float(p.at(float(x))) for p, x in zip(self.parameters, last.part, strict=True)}
        return Fitted(values, errors, found, self.runs, at_rest, tuple(limits), tuple(loose), nearest, reached,
                      *self._others(best, covariance))  # fmt: skip
