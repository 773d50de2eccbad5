#!/usr/bin/env python3
"""Compares law `jaeger`, exact and with merged histories, with `mindlin_reversal` in the test configs/biaxial_jaeger.json.

Usage: biaxial_jaeger.py SCREE [--only RUN ...] [--out DIR] [--repeats N] [--threads N] [--precision P] [--steps N]

Makes all runs one after the other from the same packing, writes their folders to out/biaxial and prints a table in
Markdown. If out/biaxial_packing is missing, the packing is made first. Times are those of the stages in run.log, and
the shortest one of repeated runs; measure on a quiet machine. On a busy machine the processor time of runs with one
thread is the best measure. Bytes are those of the histories in the memory table of run.log at the end of the run.
Lengths are columns of the series, and stay empty without them.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys

from plot_biaxial import curves, read_series, running_mean

ROOT = pathlib.Path(__file__).resolve().parent.parent
RUNS = {
    "mindlin_reversal": ["contacts.0.law=mindlin_reversal"],
    "jaeger": ["contacts.0.law=jaeger"],
    "jaeger_0.1": ["contacts.0.law=jaeger", 'contacts.0.load_history={"merging": 0.1}'],
    "jaeger_0.2": ["contacts.0.law=jaeger", 'contacts.0.load_history={"merging": 0.2}'],
    "hertz_mindlin": ["contacts.0.law=hertz_mindlin"],
}
USUAL = ["mindlin_reversal", "jaeger", "jaeger_0.1", "jaeger_0.2"]
TIMES = ["total", "forces", "processor"]
UNITS = {"B": 1, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30}


def run_case(options, case, folder, sets=(), steps=()):
    """Processor time [s]. If scree refuses the case, prints its errors and returns None."""
    command = [options.scree, "run", str(case), "--out", str(folder), "--quiet", "--backend", "host", "--threads", str(options.threads)]
    command += steps
    for value in sets:
        command += ["--set", value]
    before = os.times()
    done = subprocess.run(command, capture_output=True, text=True)
    after = os.times()
    if done.returncode != 0:
        print(f"{folder.name}: not run\n{done.stdout}{done.stderr}", file=sys.stderr)
        return None
    return after.children_user + after.children_system - before.children_user - before.children_system


def make_packing(options, folder):
    if not list(folder.glob("checkpoints/*.h5")) and run_case(options, ROOT / "configs/biaxial_packing.json", folder) is None:
        sys.exit("biaxial_jaeger: no packing")


def bytes_of(text):
    number, unit = re.fullmatch(r"([\d. ]+) (\w+)", text).groups()
    return float(number.replace(" ", "")) * UNITS[unit]


def read_log(folder):
    """Seconds for each stage and bytes for each line of the memory table, from the last run in run.log."""
    text = (folder / "run.log").read_text()
    stages, memory = text[text.rindex("time per stage"):].split("\nmemory\n", 1)
    memory = memory[:memory.index("  total")]
    seconds = {name: float(value) for name, value in re.findall(r"^  (\S.*?) +([\d.]+) s +[\d.]+ %", stages, re.M)}
    sizes = {name: bytes_of(value.strip()) for name, value in re.findall(r"^  (\S.*?)  +([\d. ]+ [KMG]?i?B)  ", memory, re.M)}
    return seconds, sizes


def measure(folder):
    """The values in the row of a run."""
    table = read_series(folder)
    seconds, sizes = read_log(folder)
    strain, ratio, _ = curves(table)
    ratio = running_mean(ratio)
    peak = max(range(len(ratio)), key=ratio.__getitem__)
    result = {
        "total": sum(seconds.values()),
        "forces": seconds["pair contacts"],
        "contacts": table["contacts"][-1],
        "bytes": sum(size for name, size in sizes.items() if "histor" in name) / table["contacts"][-1],
        "peak": (ratio[peak], strain[peak]),
    }
    if "history_length_mean" in table:
        means = table["history_length_mean"]
        longest = max(range(len(means)), key=means.__getitem__)
        result["mean"] = sum(means) / len(means)
        result["most"] = (means[longest], strain[longest])
        result["longest"] = max(table["history_length_max"])
    return result


def shortest(a, b):
    return b | {time: min(a[time], b[time]) for time in TIMES}


def print_table(results):
    print("| run | total [s] | ratio | forces and motion [s] | ratio | processor time [s] | ratio | "
          "mean length over the run | largest mean, at strain | longest | "
          "bytes per contact | contacts at the end | peak of the stress ratio, at strain |")
    print("|---" * 13 + "|")
    base = results.get("mindlin_reversal")
    for name, run in results.items():
        times = [text for key in TIMES for text in (f"{run[key]:.2f}", f"{run[key] / base[key]:.2f}" if base else "")]
        lengths = ["", "", ""]
        if "mean" in run:
            lengths = [f"{run['mean']:.0f}", f"{run['most'][0]:.0f}, {100 * run['most'][1]:.2f} %", f"{run['longest']:.0f}"]
        cells = [name.replace("_0", ", merging 0"), *times, *lengths, f"{run['bytes']:.0f}", f"{run['contacts']:.0f}",
                 f"{run['peak'][0]:.3f}, {100 * run['peak'][1]:.2f} %"]
        print("| " + " | ".join(cells) + " |")


def main():
    parser = argparse.ArgumentParser(description="Compares the law jaeger with mindlin_reversal in biaxial compression.")
    parser.add_argument("scree", help="the program")
    parser.add_argument("--only", nargs="+", choices=RUNS, default=USUAL, metavar="RUN", help="of " + ", ".join(RUNS))
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "out/biaxial")
    parser.add_argument("--repeats", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--precision", choices=["mixed", "double"], default="mixed")
    parser.add_argument("--steps", type=int, default=40000, help="1e-6 of strain each")
    options = parser.parse_args()
    packing = ROOT / "out/biaxial_packing"
    make_packing(options, packing)
    common = [f"start={packing}", f"precision={options.precision}"]
    steps = ["--steps", str(options.steps)]
    best = {}
    for _ in range(options.repeats):  # one run of each after the other, so that a slow minute of the machine hits all of them
        for name in options.only:
            processor = run_case(options, ROOT / "configs/biaxial_jaeger.json", options.out / name, common + RUNS[name], steps)
            if processor is None:
                continue
            result = measure(options.out / name) | {"processor": processor}
            best[name] = shortest(best.get(name, result), result)
    print_table(best)


if __name__ == "__main__":
    main()
