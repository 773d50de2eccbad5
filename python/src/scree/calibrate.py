"""`scree calibrate`: fits values of a case to measured numbers by least squares.

Runs are noisy: another seed gives another number. So points are spread over the ranges, each with several seeds, a
polynomial is fitted to their means, the least squares are sought on it, and the next run is made there, until the
parameters no longer change by more than a part of their error. One parameter with one number is sought between two
points that lie on both sides of the number. All runs stay in a folder; a repeated command uses them.
"""

from __future__ import annotations

import argparse
import json
import math
import shlex
import sys
from pathlib import Path

from .calibration import Calibration, Fitted
from .calibration_points import Point, Target
from .program import InputError
from .sweep import Vary, add_worker_arguments, parse_settings, workers_of

__all__ = ["Calibration", "Fitted", "Point", "Target", "add_arguments", "command"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        "scree calibrate heap.json --fit materials.sand.friction=0.1:0.9 --to angle_of_repose=24.5+-0.5\n"
        "Measures are those of scree sweep. The exit code is 1 if what is wanted was not reached. See docs/sweeps.md."
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


def _other_solutions(calibration: Calibration, found: Fitted) -> list[str]:
    """Warnings of other values that meet the number, too, or may do so."""
    (p, *_), (t, *_) = calibration.parameters, calibration.targets
    said = []
    for verb, ranges in (("is", found.others), ("may be", found.perhaps)):
        for low, high in ranges:
            where = f"between {p.short(low)} and {p.short(high)}" if low < high else f"near {p.short(low)}"
            there = "there are several solutions" if verb == "is" else "there may be several solutions"
            said.append(f"warning: {there}: another value of {p.path} that gives {t.measure} = {t.value:g} {verb} "
                        f"{where}; --fit with a narrower range finds it")  # fmt: skip
    return said


def command(arguments: argparse.Namespace) -> int:
    parameters = []
    for text in arguments.fit:
        path, _, rest = text.partition("=")
        vary = Vary.parse(text, "--fit") if path and rest else None
        if vary is None or math.isnan(vary.low) or vary.values:
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
    point = ", ".join(f"{p.path} = {p.short(found.nearest[p.path])}" for p in calibration.parameters)
    print(f"  at the nearest point that was run, {point}:")
    for target in targets:
        mean, error = found.measures[target.measure]
        scatter = f" ± {error:.1g}" if arguments.seeds > 1 else ""
        print(f"  {target.measure} is {mean:.4g}{scatter}; wanted: {target.value:g} ± {target.error:.2g}")
    if arguments.seeds == 1:
        print("warning: one run per point does not tell how much the measures scatter, so the errors are too small; "
              "--seeds 3 tells")  # fmt: skip
    for sentence in _other_solutions(calibration, found):
        print(sentence)
    if found.at_limit:
        print(f"warning: {', '.join(found.at_limit)}: the best value is at the end of its range; "
              "a wider one may do better")  # fmt: skip
    if found.loose:
        print(f"warning: {', '.join(found.loose)}: the measures hardly depend on it, or not on it alone: "
              "its value is not known")  # fmt: skip
    if not found.at_rest:
        print("warning: the search has not come to rest; more --points or --seeds help")
    if not found.reached:
        print("warning: what is wanted was not reached: no point that was run near these values meets it within two "
              "standard errors")  # fmt: skip
    used = {**settings, **short}
    words = ["scree", "run", str(arguments.case), *(word for key in used for word in ("--set", f"{key}={used[key]}"))]
    print(f"{found.runs} runs in {folder}" + (f"; to use the values: {shlex.join(words)}" if found.reached else ""))
    result = {"values": found.values, "errors": found.errors, "measures": found.measures, "nearest": found.nearest,
              "runs": found.runs,
              "at_rest": found.at_rest, "at_limit": found.at_limit, "loose": found.loose,
              "reached": found.reached, "others": found.others, "perhaps": found.perhaps}  # fmt: skip
    (folder / "calibration.json").write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    return 0 if found.reached else 1
