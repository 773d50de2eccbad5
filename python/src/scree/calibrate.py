"""`scree calibrate`: fits values of a case to measured numbers by least squares.

Runs are noisy: another seed gives another number. So points are spread over the ranges, each with several seeds, a
polynomial is fitted to their means, the least squares are sought on it, and the next run is made there, until the
parameters no longer change by more than a part of their error. All runs stay in a folder; a repeated command uses them.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import os
import shlex
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy
from numpy.typing import NDArray

from .batch import Job, Workers, run_jobs
from .errors import ResultsError, cannot_import
from .measures import check_name, measure_or_reason
from .program import InputError, parse_number
from .progress import CountLine
from .results import Results
from .surrogate import Surrogate, n_terms
from .sweep import Vary, add_worker_arguments, latin_hypercube, parse_settings, workers_of

__all__ = ["Calibration", "Fitted", "Target", "add_arguments", "command"]

Numbers = NDArray[numpy.float64]


@dataclass(frozen=True)
class Target:
    """A measured number, and its standard error."""

    measure: str
    value: float
    error: float

    @classmethod
    def parse(cls, text: str) -> Target:
        """Reads MEASURE=VALUE or MEASURE=VALUE+-ERROR; without an error one per cent is taken."""
        name, equals, rest = text.rpartition("=")
        if not equals or not name:
            raise InputError(f'--to: "{text}" is not MEASURE=VALUE, as angle_of_repose=24.5+-0.5')
        check_name(name)
        number, _, error = rest.replace("±", "+-").partition("+-")
        value = parse_number(number, f"--to {name}")
        sigma = parse_number(error, f"--to {name}") if error else 0.01 * abs(value)
        if sigma <= 0:
            raise InputError(f"--to: {name} needs an error that is positive")
        return cls(name, value, sigma)


@dataclass(frozen=True)
class Point:
    """Results at one point: mean and standard error of each measure over the seeds."""

    part: Numbers
    means: Numbers
    errors: Numbers


@dataclass(frozen=True)
class Fitted:
    """Parameters with standard errors, what the run gives there, and whether the search has come to rest."""

    values: dict[str, float]
    errors: dict[str, float]
    measures: dict[str, tuple[float, float]]  #: mean and standard error over the seeds at the last point
    runs: int
    at_rest: bool
    at_limit: tuple[str, ...]
    loose: tuple[str, ...] = ()  #: parameters whose error is larger than half of their range: the measures do not tell


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


class Calibration:
    """Parameters between limits, targets, and a folder of runs."""

    def __init__(
        self, case: str | os.PathLike[str], parameters: Sequence[Vary], targets: Sequence[Target],
        folder: str | os.PathLike[str], *, seeds: int = 3, settings: dict[str, str] | None = None, retry: bool = False,
    ) -> None:  # fmt: skip
        case, folder = Path(case), Path(folder)
        if not case.is_file():
            raise InputError(f"{case}: there is no such case file")
        if any(math.isnan(p.low) for p in parameters):
            raise InputError("--fit: give a range, PATH=LOW:HIGH")
        paths = [p.path for p in parameters]
        if len(set(paths)) < len(paths):
            raise InputError("--fit: a key is named twice")
        if seeds > 1 and "seed" in {*paths, *(settings or {})}:
            raise InputError("seed: cannot be given, since each run of a point has another one; --seeds 1 allows it")
        if len(targets) < len(parameters):
            raise InputError(f"{len(parameters)} values cannot follow from {len(targets)} measured: "
                             "give as many --to as --fit")  # fmt: skip
        self.case, self.parameters, self.targets = case, [p.rounded() for p in parameters], list(targets)
        self.folder, self.seeds, self._settings = folder, seeds, settings or {}
        self._retry = retry  # what failed in an earlier search
        self.points: list[Point] = []
        self.runs = 0
        folder.mkdir(parents=True, exist_ok=True)
        self._case_hash = hashlib.sha256(case.read_bytes()).hexdigest()

    def _jobs(self, part: Numbers) -> list[Job]:
        """The runs of a point, one per seed. Their folders are named after everything that they depend on."""
        values = {p.path: p.at(float(x)) for p, x in zip(self.parameters, part, strict=True)}
        jobs = []
        for seed in range(1, self.seeds + 1):
            settings = {**self._settings, **values, **({"seed": str(seed)} if self.seeds > 1 else {})}
            key = json.dumps([self._case_hash, settings], sort_keys=True)
            jobs.append(Job(self.case.absolute(), self.folder / f"run_{hashlib.sha256(key.encode()).hexdigest()[:10]}",
                            settings))  # fmt: skip
        return jobs

    def _distinct(self, parts: Sequence[Numbers]) -> list[Numbers]:
        """Parts of the ranges where whole numbers are whole, each once."""
        found: dict[tuple[str, ...], Numbers] = {}
        for part in parts:
            texts = tuple(p.at(float(x)) for p, x in zip(self.parameters, part, strict=True))
            there = [p.part_of(float(text)) if p.whole else float(x)
                     for p, text, x in zip(self.parameters, texts, part, strict=True)]  # fmt: skip
            found.setdefault(texts, numpy.array(there))
        return list(found.values())

    def evaluate(self, parts: Sequence[Numbers], workers: Workers, say: Callable[[str], None]) -> None:
        """Runs points that are parts of the ranges, 0 to 1, and adds them. Whole numbers are rounded."""
        parts = self._distinct(parts)
        jobs = [self._jobs(part) for part in parts]
        every = [job for group in jobs for job in group]
        for job in every if self._retry else ():
            job.log.unlink(missing_ok=True)
        waiting = [job for job in every if job.look() == "waiting"]
        line = CountLine(len(waiting), "runs", sys.stderr)
        try:
            run_jobs(waiting, workers, lambda job: line.add())
        finally:
            line.close()
        self.runs += len(every)
        for part, group in zip(parts, jobs, strict=True):
            rows, problems = [], []
            for job in group:
                try:
                    rows.append(self._measures(job))
                except ResultsError as error:
                    problems.append(str(error))
            if len(rows) < max(min(2, self.seeds), self.seeds / 2):  # too few to tell how much seeds differ
                say(f"  {self._text(part)}: left out: {problems[0]}")
                continue
            table = numpy.array(rows)
            several = len(rows) > 1
            spread = table.std(axis=0, ddof=1) / math.sqrt(len(rows)) if several else numpy.zeros(len(self.targets))
            self.points.append(Point(part, table.mean(axis=0), spread))
            found = ", ".join(f"{t.measure} = {m:.4g}" + (f" ± {e:.1g}" if e else "")
                              for t, m, e in zip(self.targets, table.mean(axis=0), spread, strict=True))  # fmt: skip
            said = f"; {len(rows)} of {len(group)} runs, since {problems[0]}" if problems else ""
            say(f"  {self._text(part)}: {found}{said}")

    def _measures(self, job: Job) -> list[float]:
        """The measures of a run. Raises ResultsError where it failed, or has not all of them."""
        if job.status != "done":
            raise ResultsError(job.error or job.status)
        run = Results(job.folder)
        values = [measure_or_reason(run, target.measure).value for target in self.targets]
        if not all(math.isfinite(value) for value in values):
            raise ResultsError(f"{job.folder}: a measure is not a number")
        return values

    def _text(self, part: Numbers) -> str:
        return ", ".join(
            f"{p.path} = {p.short(float(p.at(float(x))))}" for p, x in zip(self.parameters, part, strict=True)
        )

    def _solve(self) -> tuple[Numbers, Numbers]:
        """The best part of the ranges, and its covariance, from the points so far."""
        least_squares = _scipy()
        parts = numpy.array([p.part for p in self.points])
        means, errors = numpy.array([p.means for p in self.points]), numpy.array([p.errors for p in self.points])
        pooled = numpy.sqrt((errors**2).mean(axis=0))  # a few seeds tell their own spread badly
        goals = numpy.array([t.value for t in self.targets])
        sigma = numpy.array([t.error for t in self.targets])
        best = parts[(((means - goals) / sigma) ** 2).sum(axis=1).argmin()]
        for _ in range(3):  # the weights of points depend on where the solution is
            fits = [Surrogate.fit(parts, means[:, k], numpy.full(len(parts), pooled[k]), best)
                    for k in range(len(goals))]  # fmt: skip
            noise = numpy.array([max(pooled[k], fits[k].error / math.sqrt(2)) for k in range(len(goals))])
            whole = numpy.sqrt(sigma**2 + noise**2 / 2)
            residuals = partial(_residuals, fits, goals, whole)
            result = least_squares(residuals, best.clip(1e-6, 1 - 1e-6), bounds=(0.0, 1.0))
            best = numpy.asarray(result.x, float)
        slopes = numpy.array([fit.slope(best) for fit in fits]) / whole[:, None]
        return best, _covariance(slopes)

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
        say(f"{first} points over the ranges, {self.seeds} runs each")
        self.evaluate(start, workers, say)
        if len(self.points) < d + 1:
            raise ResultsError(f"only {len(self.points)} of {first} points gave a result: "
                               "the ranges or the case do not suit")  # fmt: skip
        at_rest = False
        best, covariance = self._solve()
        while len(self.points) < most_points and not at_rest:
            (near,) = self._distinct([best])
            if any((near == point.part).all() for point in self.points):  # whole numbers: it would be the same runs
                at_rest = True
                break
            say("next")
            before = len(self.points)
            self.evaluate([best], workers, say)
            if len(self.points) == before:
                say("the search ends here, since this point gives no result")
                break
            moved, covariance = self._solve()
            limit = numpy.maximum(0.3 * numpy.sqrt(numpy.diag(covariance)), 1e-3)
            at_rest = bool((numpy.abs(moved - best) < limit).all())
            best = moved
        return self._fitted(best, covariance, at_rest)

    def _fitted(self, best: Numbers, covariance: Numbers, at_rest: bool) -> Fitted:
        last = min(self.points, key=lambda p: float(numpy.linalg.norm(p.part - best)))
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
        return Fitted(values, errors, found, self.runs, at_rest, tuple(limits), tuple(loose))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        "scree calibrate heap.json --fit materials.sand.friction=0.1:0.9 --to angle_of_repose=24.5+-0.5\n"
        "Measures are those of scree sweep. See docs/sweeps.md."
    )
    add = parser.add_argument
    add("case", type=Path, metavar="CASE", help="case file (JSON)")
    add("--fit", action="append", required=True, metavar="PATH=LOW:HIGH",
        help="value to find and its range, log:LOW:HIGH for a logarithmic one; repeatable")  # fmt: skip
    add("--to", action="append", required=True, metavar="MEASURE=VALUE+-ERROR", help="measured number; repeatable")
    add("--seeds", type=int, default=3, metavar="N", help="runs per point, each with another seed (default: 3)")
    add("--points", type=int, default=20, metavar="N", help="points at most (default: 20)")
    add("--out", type=Path, metavar="DIR", help="folder of the runs (default: out/<name of the case file>_calibration)")
    add("--retry", action="store_true", help="run again what failed before")
    add_worker_arguments(parser)


def command(arguments: argparse.Namespace) -> int:
    parameters = []
    for text in arguments.fit:
        vary = Vary.parse(text)
        if math.isnan(vary.low) or vary.values:
            raise InputError(f'--fit: "{text}" is not PATH=LOW:HIGH')
        parameters.append(vary)
    if not 1 <= arguments.seeds <= 1000 or not 4 <= arguments.points <= 1000:
        raise InputError("--seeds must be from 1 to 1000, --points from 4 to 1000")
    folder = arguments.out or Path("out") / f"{arguments.case.stem}_calibration"
    targets = [Target.parse(text) for text in arguments.to]
    settings = parse_settings(arguments.set)
    calibration = Calibration(arguments.case, parameters, targets, folder, seeds=arguments.seeds, settings=settings,
                              retry=arguments.retry)  # fmt: skip
    workers = workers_of(arguments, 4 * arguments.seeds)
    try:
        found = calibration.search(workers, most_points=arguments.points, say=lambda text: print(text, flush=True))
    except KeyboardInterrupt:
        print("stopped; the same command continues with the runs that are done", file=sys.stderr)
        return 130
    print()
    short = {p.path: p.short(found.values[p.path]) for p in calibration.parameters}
    for path, text in short.items():
        print(f"{path} = {text} ± {found.errors[path]:.2g}")
    for target in targets:
        mean, error = found.measures[target.measure]
        print(f"  there {target.measure} is {mean:.4g} ± {error:.1g}; wanted: {target.value:g} ± {target.error:.2g}")
    if found.at_limit:
        print(f"warning: {', '.join(found.at_limit)}: the best value is at the end of its range; "
              "a wider one may do better")  # fmt: skip
    if found.loose:
        print(f"warning: {', '.join(found.loose)}: the measures hardly depend on it, or not on it alone: "
              "its value is not known")  # fmt: skip
    if not found.at_rest:
        print("warning: the search has not come to rest; more --points or --seeds help")
    used = {**settings, **short}
    words = ["scree", "run", str(arguments.case), *(word for key in used for word in ("--set", f"{key}={used[key]}"))]
    print(f"{found.runs} runs in {folder}; to use the values: {shlex.join(words)}")
    result = {"values": found.values, "errors": found.errors, "measures": found.measures, "runs": found.runs,
              "at_rest": found.at_rest, "at_limit": found.at_limit, "loose": found.loose}  # fmt: skip
    (folder / "calibration.json").write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    return 0
