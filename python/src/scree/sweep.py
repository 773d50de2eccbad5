"""`scree sweep`: a case with many values, a folder of runs and a table of their results."""

from __future__ import annotations

import argparse
import csv
import hashlib
import io
import json
import math
import os
import re
import subprocess
import sys
from collections.abc import Callable, Container, Sequence
from pathlib import Path
from typing import Any

from .batch import Job, Workers, run_jobs
from .errors import ResultsError
from .measures import MEASURES, Measure, check_name, check_output, final, measure_or_reason
from .named_files import named_files
from .program import InputError, most_threads, program
from .results import Results
from .vary import MOST_POINTS, Vary, grid, latin_hypercube

__all__ = ["Sweep", "Vary", "add_arguments", "command", "grid", "latin_hypercube", "table_of"]

_BAD_INPUT = 2  # the exit code of the program


class Sweep:
    """A folder of runs: sweep.json says which, table.csv what came out. It continues where it was left."""

    def __init__(
        self, case: str | os.PathLike[str], points: Sequence[dict[str, str]], folder: str | os.PathLike[str], *,
        settings: dict[str, str] | None = None, measures: Sequence[str] = (),
    ) -> None:  # fmt: skip
        case, folder = Path(case), Path(folder)
        if not case.is_file():
            raise InputError(f"{case}: there is no such case file")
        for name in measures:
            check_name(name)
        self.folder, self.points, self.measures = folder, list(points), list(measures)
        self._settings = settings or {}
        self._claim(case)
        digits = max(3, len(str(len(self.points))))
        self.jobs = [
            Job(case.absolute(), folder / f"run_{k:0{digits}d}", {**self._settings, **point},
                extra={"number": k, "point": point})
            for k, point in enumerate(self.points, 1)
        ]  # fmt: skip
        self._rows: dict[int, dict[str, Any]] = {}
        #: columns that a printed table never hides: values and measures of the user, and how the runs ended
        self.asked = {"run", "status", *(key for point in self.points for key in point)}

    def _claim(self, case: Path) -> None:
        """Writes what the sweep is, or checks that the folder holds the same sweep."""
        values = [*self._settings.values(), *(value for point in self.points for value in point.values())]
        about: dict[str, Any] = {
            "case": str(case.absolute()), "case_hash": hashlib.sha256(case.read_bytes()).hexdigest(),
            "settings": self._settings, "points": self.points, "files": named_files(case, values),
        }  # fmt: skip
        file = self.folder / "sweep.json"
        if not file.exists():
            if self.folder.exists() and any(self.folder.iterdir()):
                raise InputError(f"{self.folder}: is not empty and holds no sweep; choose another folder with --out")
            self.folder.mkdir(parents=True, exist_ok=True)
            temporary = self.folder / "sweep.json.tmp"
            temporary.write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")
            temporary.replace(file)
            return
        try:
            known = dict(json.loads(file.read_text(encoding="utf-8")))
        except (ValueError, TypeError):
            raise InputError(f"{file}: is damaged; choose another folder with --out") from None
        known.setdefault("files", about["files"])  # older versions did not note them
        for key, what in (("case_hash", "contents of the case file"), ("points", "values"), ("settings", "settings"),
                          ("files", "contents of the files that the case names")):  # fmt: skip
            if known.get(key) == about[key]:
                continue
            if any(run.is_dir() for run in self.folder.glob("run_*")):
                if key == "points":
                    self._check_keys(case)
                there = f" ({_values_text(known)} there, {_values_text(about)} here)" if key == "points" else ""
                if key == "files":
                    there = f" ({', '.join(sorted({name for name, _ in known[key].items() ^ about[key].items()}))})"
                raise InputError(
                    f"{self.folder}: holds a sweep with other {what}{there}; choose another folder with --out"
                )
            # No run of that sweep has begun, as after a mistake in the case or in --vary: nothing is lost.
            for old in (*self.folder.glob("run_*.error"), self.folder / "table.csv", file):
                old.unlink(missing_ok=True)
            self._claim(case)
            return

    def _check_keys(self, case: Path) -> None:
        """A mistyped key is a better reason than a folder in use."""
        words = [program(), "check", str(case.absolute())]
        for path, value in {**self._settings, **(self.points[0] if self.points else {})}.items():
            words += ["--set", f"{path}={value}"]
        said = subprocess.run(words, capture_output=True, text=True, errors="replace", check=False)
        if said.returncode == _BAD_INPUT:
            raise InputError(said.stderr.strip().removeprefix("error: "))

    def _check_output(self, folder: Path) -> None:
        """Whether a run has the columns and the frames that measures need: the other runs would lack them, too."""
        if any(path.startswith("output") for point in self.points for path in point):
            return  # they may have different columns and frames
        run = Results(folder)
        for name in self.measures:
            check_output(run, name)
            kind, _, column = name.partition(":")
            if kind not in ("final", "max", "mean"):
                continue
            try:
                final(run, column)
            except ResultsError as error:
                raise InputError(f"--measure {name}: {error}") from None

    def run(self, workers: Workers, *, retry: bool = False, say: Callable[[str], None] = lambda text: None) -> None:
        """Runs what is not done yet. A failed run is noted and stays failed unless `retry`."""
        for job in self.jobs:
            if retry:
                job.log.unlink(missing_ok=True)
            if job.look() == "done":
                self._check_output(job.folder)
            if job.status != "waiting":
                self._note(job)
        waiting = [job for job in self.jobs if job.status == "waiting"]
        if len(waiting) < len(self.jobs):
            say(f"{len(self.jobs) - len(waiting)} of {len(self.jobs)} runs are there already")
        self.write()

        def done(job: Job) -> None:
            if job.status == "done":
                self._check_output(job.folder)
            if job.status in ("done", "failed"):
                self._note(job)
                self.write()
                values = ", ".join(f"{key}={value}" for key, value in job.extra["point"].items())
                say(f"{len(self._rows)}/{len(self.jobs)}  {job.folder.name}  {values}"
                    + (f"  failed: {job.error}" if job.error else ""))  # fmt: skip

        run_jobs(waiting, workers, done)

    def _note(self, job: Job) -> None:
        row: dict[str, Any] = {"run": job.folder.name, **job.extra["point"], "status": job.status}
        problem = job.error
        if job.status == "done":
            run = Results(job.folder)
            found, problem = measures_of(run, self.measures)
            for name, value in found.items():
                column = name + (f"[{value.unit}]" if value.unit else "")
                row[column] = value.value
                if self.measures:
                    self.asked.add(column)
                if math.isfinite(value.error):
                    row[f"{name}_error" + (f"[{value.unit}]" if value.unit else "")] = value.error
            row["wall_seconds[s]"] = run.log.total_wall_seconds
            row["state_hash"] = run.state_hash
        row["error"] = problem
        self._rows[job.extra["number"]] = row

    @property
    def rows(self) -> list[dict[str, Any]]:
        """One dict per run that has ended, in the order of the points."""
        return [self._rows[k] for k in sorted(self._rows)]

    @property
    def failures(self) -> int:
        return sum(bool(row["error"]) for row in self.rows)

    def columns(self) -> list[str]:
        names = list(dict.fromkeys(name for row in self.rows for name in row))
        last = ["wall_seconds[s]", "state_hash", "error"]
        return [name for name in names if name not in last] + [name for name in last if name in names]

    def write(self) -> None:
        """Writes table.csv, completely or not at all."""
        text = io.StringIO()
        writer = csv.DictWriter(text, self.columns() or ["run"], restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows(self.rows)
        temporary = self.folder / "table.csv.tmp"
        temporary.write_text(text.getvalue(), encoding="utf-8", errors="surrogateescape")
        temporary.replace(self.folder / "table.csv")


def _values_text(about: dict[str, Any]) -> str:
    """ "seed = 1, 2" of a sweep, by its points."""
    values: dict[str, list[str]] = {}
    for point in about.get("points") or []:
        for path, value in point.items():
            if value not in (known := values.setdefault(path, [])):
                known.append(value)
    some = {path: all_[:4] + (["..."] if len(all_) > 4 else []) for path, all_ in values.items()}
    return "; ".join(f"{path} = {', '.join(texts)}" for path, texts in some.items())


def measures_of(run: Results, names: Sequence[str]) -> tuple[dict[str, Measure], str]:
    """Measures of a run, and what is wrong with those that it does not have. Without names: the last row."""
    found: dict[str, Measure] = {}
    problems = []
    try:
        wanted = list(names) or [f"final:{c}" for c in run.shared_series().columns if c != "step"]
    except ResultsError as error:
        return {}, str(error)
    for name in wanted:
        try:
            own = names and name.partition(":")[0].endswith(".py")
            short = name.rpartition("/")[2] if own else name if names else name.removeprefix("final:")
            found[name if short in found else short] = (  # files of one name in several folders
                final(run, name.partition(":")[2]) if name.startswith("final:") else measure_or_reason(run, name)
            )
        except ResultsError as error:
            problems.append(str(error))
    return found, "; ".join(problems)


def table_of(
    rows: Sequence[dict[str, Any]], columns: Sequence[str], asked: Container[str] = (), width: int = 110
) -> str:
    """Rows as text, with the columns in `asked` and as many others as fit; errors stand below."""
    shown = [c for c in columns if c not in ("state_hash", "error")]
    cells = [[_cell(row.get(c, "")) for c in shown] for row in rows]
    widths = [max(len(c), *(len(line[k]) for line in cells)) if cells else len(c) for k, c in enumerate(shown)]
    kept = [k for k, c in enumerate(shown) if c in asked]
    used = sum(widths[k] + 2 for k in kept)
    for k, w in enumerate(widths):
        if k in kept:
            continue
        if used + w + 2 > width and k > 2:
            break
        kept.append(k)
        used += w + 2
    kept.sort()
    lines = ["  ".join(shown[k].rjust(widths[k]) for k in kept)]
    lines += ["  ".join(line[k].rjust(widths[k]) for k in kept) for line in cells]
    if len(kept) < len(shown):
        rest = len(shown) - len(kept)
        lines.append(f"and {rest} more {'column' if rest == 1 else 'columns'} in table.csv")
    lines += [f"{row['run']}: {row['error']}" for row in rows if row.get("error")]
    return "\n".join(lines)


def _cell(value: Any) -> str:
    return f"{value:.5g}" if isinstance(value, float) else str("" if value is None else value)


def parse_settings(texts: Sequence[str]) -> dict[str, str]:
    """Reads PATH=VALUE."""
    settings = {}
    for text in texts:
        path, equals, value = text.partition("=")
        if not equals or not path:
            raise InputError(f'--set: "{text}" is not PATH=VALUE')
        settings[path] = value
    return settings


def add_worker_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--set", action="append", default=[], metavar="PATH=VALUE", help="replace a value of the case in all runs")
    add("--jobs", type=int, metavar="N", help="runs at a time (default: as many as there are cores)")
    add("--threads", type=int, metavar="N", help="threads of each run (default: its share of the cores)")
    add("--devices", metavar="N,N", help="GPUs; each has one run at a time")


def workers_of(arguments: argparse.Namespace, runs: int) -> Workers:
    for name, most in (("jobs", 4096), ("threads", most_threads())):
        value = getattr(arguments, name)
        if value is not None and not 1 <= value <= most:
            raise InputError(f"--{name}: must be from 1 to {most}")
    devices = arguments.devices.split(",") if arguments.devices else []
    if not all(re.fullmatch(r"\d{1,4}", device) for device in devices):
        raise InputError(f"--devices: {arguments.devices} is not a list of numbers, as 0,1")
    return Workers.choose(arguments.jobs, arguments.threads, [int(device) for device in devices], runs)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    lines = "".join(f"  {name + (':...' if what else ''):28} {what}\n" for name, (what, _) in MEASURES.items())
    parser.epilog = (
        "scree sweep case.json --vary materials.glass.friction=0.1:0.9:9 --vary seed=1,2,3\n"
        "scree sweep case.json --vary materials.glass.friction=0.1:0.9 --latin 20 --measure discharge_rate\n\n"
        f"measures, without which the last row of the series is taken:\n{lines}"
        "  FILE.py:FUNCTION             a function that takes scree.Results and returns a number\nSee docs/sweeps.md."
    )
    add = parser.add_argument
    add("case", type=Path, metavar="CASE", help="case file (JSON)")
    add("--vary", action="append", default=[], metavar="PATH=VALUES", required=True,
        help="A,B,C or LOW:HIGH:N or log:LOW:HIGH:N; all combinations are run")  # fmt: skip
    add("--latin", type=int, metavar="N", help="N points of a Latin hypercube over the ranges, not all combinations")
    add("--measure", action="append", default=[], metavar="NAME", help="number to take from each run; repeatable")
    add("--out", type=Path, metavar="DIR", help="folder of the sweep (default: out/<name of the case file>_sweep)")
    add("--retry", action="store_true", help="run again what failed before")
    add("--dry-run", action="store_true", help="list the runs and do none")
    add_worker_arguments(parser)


def command(arguments: argparse.Namespace) -> int:
    varied = [Vary.parse(text).rounded() for text in arguments.vary]
    if len({v.path for v in varied}) < len(varied):
        raise InputError("--vary: a key is named twice")
    if arguments.latin is not None and not 1 <= arguments.latin <= MOST_POINTS:
        raise InputError(f"--latin: must be from 1 to {MOST_POINTS}")
    points = latin_hypercube(varied, arguments.latin) if arguments.latin else grid(varied)
    if arguments.dry_run:
        for point in points:
            print("  ".join(f"{key}={value}" for key, value in point.items()))
        return 0
    folder = arguments.out or Path("out") / f"{arguments.case.stem}_sweep"
    sweep = Sweep(arguments.case, points, folder, settings=parse_settings(arguments.set), measures=arguments.measure)
    workers = workers_of(arguments, len(points))
    share = f"on GPUs {arguments.devices}" if workers.devices else f"threads of each: {workers.threads}"
    print(f"{len(points)} runs, {workers.jobs} at a time, {share}", flush=True)
    try:
        sweep.run(workers, retry=arguments.retry, say=lambda text: print(text, flush=True))
    except KeyboardInterrupt:
        sweep.write()
        print(f"stopped; the same command continues, and {folder / 'table.csv'} has what is done", file=sys.stderr)
        return 130
    print(f"\n{table_of(sweep.rows, sweep.columns(), sweep.asked)}\n\n{folder / 'table.csv'}")
    return 3 if sweep.failures else 0
