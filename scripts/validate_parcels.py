#!/usr/bin/env python3
"""Compares flows of parcels with those of their grains: prints the table of docs/verification.md.

Usage: validate_parcels.py [--only shear|feeder ...] [--scales 1 2 4] [--program FILE] [--work FOLDER]

Runs validation/parcels/*.json at each scale, and takes the mean of several seeds where particles are few. Exits with 1
if a figure differs from that of the first scale by more than 5 %. On one core the shear of the grains (scale 1) takes
some two minutes, and their feeder some forty.
"""

import argparse
import csv
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PARTS = ("shear", "feeder")
ALLOWED = 0.05
STRAIN = {1: 2.6, 2: 8, 4: 60}  # few particles need a longer mean
SEEDS = {"shear": {}, "feeder": {2: 2, 3: 3, 4: 4}}  # else 1


def columns(file):
    """Columns of a table by name."""
    with open(file, newline="") as text:
        rows = list(csv.reader(text))
    return {name: [float(row[k]) for row in rows[1:]] for k, name in enumerate(rows[0])}


def mean(values, chosen):
    kept = [value for value, take in zip(values, chosen) if take]
    return sum(kept) / len(kept)


def shear(table):
    """Means over strains from 0.6 on: stress ratio, solid fraction, loss over the work of the shear."""
    strain = table["strain_xy"]
    chosen = [value >= 0.6 for value in strain]
    first, last = chosen.index(True), len(chosen) - 1
    normal = [-value for value in table["stress_yy[Pa]"]]
    solid = [1 - value for value in map(porosity, table["void_ratio"])]
    volume = mean(table["volume[m3]"], chosen)
    lost = sum(table[name][last] - table[name][first]
               for name in ("lost_friction[J]", "lost_viscous[J]", "lost_parting[J]") if name in table)
    work = mean(normal, chosen) * volume * (strain[last] - strain[first])
    return {"stress ratio": mean([abs(s / n) if n else 0 for s, n in zip(table["stress_xy[Pa]"], normal)], chosen),
            "solid fraction": mean(solid, chosen), "loss": lost / work}


def porosity(void_ratio):
    return void_ratio / (1 + void_ratio)


def feeder(table):
    """Mass rate at the end of the belt from 1 s after its start on [kg/s]."""
    time, mass = table["time[s]"], table["removed_mass_end[kg]"]
    first = next(k for k, t in enumerate(time) if t >= 1.5)
    return {"mass rate [kg/s]": (mass[-1] - mass[first]) / (time[-1] - time[first])}


def run(part, scale, seed, arguments):
    """Figures of one run, its number of particles, and its wall time."""
    out = arguments.work / f"{part}_{scale:g}_{seed}"
    command = [arguments.program, "run", ROOT / f"validation/parcels/{part}.json", "--out", out, "--quiet",
               "--set", f"parcels.scale={scale:g}", "--set", f"seed={seed}"]
    if part == "shear":
        command += ["--set", f"domain.control.1.until.strain.xy={STRAIN.get(scale, 8)}"]
    subprocess.run(command, check=True)
    log = (out / "run.log").read_text()
    wall = re.search(r"wall time (.*)", log)
    particles = re.search(r"^particles +([0-9 ]+)", log, re.MULTILINE)
    figures = {"shear": shear, "feeder": feeder}[part](columns(out / "series.csv"))
    return figures, particles.group(1).strip() if particles else "?", wall.group(1) if wall else "?"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--only", nargs="+", choices=PARTS, default=PARTS)
    parser.add_argument("--scales", nargs="+", type=float, default=[1, 2, 4])
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / "build/host/bin/scree")
    parser.add_argument("--work", type=pathlib.Path, default=ROOT / "out/parcels")
    arguments = parser.parse_args()
    arguments.work.mkdir(parents=True, exist_ok=True)
    good = True
    for part in arguments.only:
        grains = None
        for scale in arguments.scales:
            seeds = range(1, SEEDS[part].get(scale, 1) + 1)
            runs = [run(part, scale, seed, arguments) for seed in seeds]
            figures = {name: sum(each[name] for each, _, _ in runs) / len(runs) for name in runs[0][0]}
            _, particles, wall = runs[0]
            grains = grains or figures
            differences = {name: value / grains[name] - 1 for name, value in figures.items()}
            good = good and all(abs(difference) <= ALLOWED for difference in differences.values())
            told = ", ".join(f"{name} {value:.5g} ({100 * differences[name]:+.1f} %)"
                             for name, value in figures.items())
            print(f"{part}, scale {scale:g}, {particles} particles, {len(runs)} run(s) of {wall}: {told}", flush=True)
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
