#!/usr/bin/env python3
"""Runs a case of the benchmark of Dosta et al. (2024) and compares it with published figures.

Usage: benchmark.py penetration|drum|silo|silo_small [--program FILE] [--backend NAME] [--threads N] [--minutes M]
                    [--out FOLDER] [--resume] [--read] [--set PATH=VALUE ...]

Runs the case of configs/benchmark/ in full, or until M minutes have passed, and says up to which time it got. --resume
goes on in FOLDER where an earlier run ended; --read only reads FOLDER. Prints each figure beside the published range
and the accepted one of configs/benchmark/published.csv, and exits 1 if a figure is outside. Figures that the run has
not reached are neither. docs/benchmarks.md says what is measured.
"""

from __future__ import annotations

import argparse
import csv
import pathlib
import signal
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDER = ROOT / "configs/benchmark"
CASES = {"penetration": "penetration_25k", "drum": "drum", "silo": "silo", "silo_small": "silo_small"}
STEADY = 0.3, 3.5  # the flow of a silo counts between these times since it was opened [s]
SPREAD = 0.2  # if the run has got so far beyond the first of them [s]
TINY = 1e-9  # rounding of times [s]

Table = dict[str, list[float]]
Figures = dict[str, float]


def run_case(options: argparse.Namespace, out: pathlib.Path) -> None:
    """Runs the case, at most for the minutes that were given; ends the program if scree fails."""
    command = [options.program, "run", FOLDER / f"{CASES[options.case]}.json", "--out", out]
    command += ["--backend", options.backend]
    command += ["--threads", options.threads] if options.threads else []
    command += ["--resume"] if options.resume else []
    command += [word for change in options.set for word in ("--set", change)]
    run = subprocess.Popen([str(word) for word in command])
    try:
        status = run.wait(None if options.minutes is None else 60 * options.minutes)
    except (subprocess.TimeoutExpired, KeyboardInterrupt):
        if run.poll() is None:
            run.send_signal(signal.SIGINT)  # scree writes a checkpoint and ends
        status = run.wait()
    if status not in (0, 128 + signal.SIGINT):
        sys.exit(f"benchmark: scree ended with exit code {status}")


def read_series(out: pathlib.Path) -> Table:
    """Columns of series.csv by name, with the units left out."""
    with open(out / "series.csv", newline="") as text:
        header, *rows = csv.reader(text)
    if not rows:
        sys.exit(f"benchmark: there are no rows in {out / 'series.csv'}")
    return {name.split("[")[0]: [float(row[k]) for row in rows] for k, name in enumerate(header)}


def penetration(table: Table) -> Figures:
    """How deep the ball falls into the bed, and where it is at the end."""
    path = [(moment, z - 0.06) for moment, z in zip(table["time"], table["ball_0_position_z"])]
    end, found = path[-1][0], {}
    if end >= 0.02 - TINY:
        found["displacement after 0.02 s"] = min(path, key=lambda row: abs(row[0] - 0.02))[1]
    if end >= 0.05:  # it has turned
        found["time of the lowest displacement"], found["lowest displacement"] = min(path, key=lambda row: row[1])
    if end >= 0.1 - TINY:
        found["displacement after 0.1 s"] = path[-1][1]
    return found


def drum(table: Table) -> Figures:
    """Extremes of the number of small spheres in zone 2, which swings as the bed turns over in some two seconds."""
    path = list(zip(table["time"], table["zone2_m1_particles"]))
    found = {}
    for low, high, best, when, most in (
        (0, 1, max, "", "most m1 in zone 2 before 1 s"),
        (1, 2, min, "time of the first minimum", ""),
        (1.5, 3, max, "", "most m1 in zone 2 between the minima"),
        (3, 4, min, "time of the second minimum", ""),
        (3.5, 5, max, "", "most m1 in zone 2 after them"),
    ):
        if path[-1][0] >= high - TINY:
            moment, count = best((row for row in path if low <= row[0] <= high + TINY), key=lambda row: row[1])
            found[when or most] = moment if when else count
    return found


def silo(table: Table) -> Figures:
    """Flow through the orifice, and the time until no particle is left in the silo."""
    rows = [(moment, count) for moment, count, stage in zip(table["time"], table["particles"], table["stage"]) if stage]
    if not rows:
        return {}
    opened, found = rows[0][0], {}
    steady = [row for row in rows if STEADY[0] <= row[0] - opened <= STEADY[1] and row[1] > 2000]
    if steady and steady[-1][0] - steady[0][0] >= SPREAD:
        found["particles per second"] = -statistics.linear_regression(*zip(*steady)).slope
    for moment, count in rows:
        if count <= 0.002 * rows[0][1]:  # a few may rest on the rim
            found["time until empty"] = moment - opened
            break
    return found


MEASURES = {"penetration": penetration, "drum": drum, "silo": silo, "silo_small": silo}


def compare(case: str, found: Figures) -> bool:
    """Prints the table of a case; whether all figures that were found are in the accepted ranges."""
    text = (FOLDER / "published.csv").read_text().splitlines()
    rows = [row for row in csv.DictReader(line for line in text if not line.startswith("#")) if row["case"] == case]
    cells = [("figure", "measured", "published", "accepted", "", "source")]
    good = True
    for row in rows:
        value, verdict, accepted = found.get(row["figure"]), "not reached", ""
        if row["accept_low"]:
            accepted = f"{row['accept_low']} to {row['accept_high']}"
        if value is not None:
            inside = not accepted or float(row["accept_low"]) <= value <= float(row["accept_high"])
            verdict = "FAIL" if not inside else "pass" if accepted else ""
            good = good and inside
        name = f"{row['figure']} [{row['unit']}]".removesuffix(" []")
        measured = "-" if value is None else f"{value:.6g}"
        published = row["low"] if row["low"] == row["high"] else f"{row['low']} to {row['high']}"
        cells.append((name, measured, published, accepted, verdict, row["source"]))
    widths = [max(len(row[k]) for row in cells) for k in range(len(cells[0]))]
    for line in cells:
        print("  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip())
    return good


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("case", choices=list(CASES))
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / "build/release/bin/scree")
    parser.add_argument("--backend", choices=["auto", "host", "cuda"], default="auto")
    parser.add_argument("--threads", type=int, help="threads of the host backend (default: all cores)")
    parser.add_argument("--minutes", type=float, help="end the run after so many minutes, with a checkpoint")
    parser.add_argument("--out", type=pathlib.Path, help="folder of results (default: out/benchmark/CASE)")
    parser.add_argument("--resume", action="store_true", help="go on where the run in the folder ended")
    parser.add_argument("--read", action="store_true", help="run nothing, read the folder")
    parser.add_argument("--set", action="append", default=[], metavar="PATH=VALUE", help="as for scree run")
    options = parser.parse_args()
    out = options.out or ROOT / "out/benchmark" / options.case
    begun = time.monotonic()
    if not options.read:
        run_case(options, out)
    table = read_series(out)
    print(f"{options.case}: {table['step'][-1]:.0f} steps, up to {table['time'][-1]:.6g} s", end="")
    print("" if options.read else f", {(time.monotonic() - begun) / 60:.1f} minutes of this run")
    if not compare(options.case, MEASURES[options.case](table)):
        sys.exit(1)


if __name__ == "__main__":
    main()
