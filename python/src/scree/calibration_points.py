"""Points of a calibration: runs with the same values and several seeds, and what their measures are."""

from __future__ import annotations

import hashlib
import json
import math
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy
from numpy.typing import NDArray

from .batch import Job, Workers, run_jobs
from .errors import ResultsError
from .measures import check_name, check_output, measure_or_reason
from .named_files import named_files
from .program import InputError, parse_number
from .progress import CountLine
from .results import Results
from .sweep import Vary

__all__ = ["Numbers", "Point", "Points", "Target"]

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


class Points:
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
        self._files = named_files(case, self._settings.values())

    def _jobs(self, part: Numbers) -> list[Job]:
        """The runs of a point, one per seed. Their folders are named after everything that they depend on."""
        values = {p.path: p.at(float(x)) for p, x in zip(self.parameters, part, strict=True)}
        jobs = []
        for seed in range(1, self.seeds + 1):
            settings = {**self._settings, **values, **({"seed": str(seed)} if self.seeds > 1 else {})}
            about = [self._case_hash, settings, *([self._files] if self._files else [])]
            key = json.dumps(about, sort_keys=True)
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

        def done(job: Job) -> None:
            line.add()
            self._check_output(job)

        try:
            for job in every:
                self._check_output(job)
            run_jobs(waiting, workers, done)
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

    def _check_output(self, job: Job) -> None:
        """Whether the case writes what the measures look at: otherwise the search would end without any result."""
        if job.status == "done":
            for target in self.targets:
                check_output(Results(job.folder), target.measure)

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
