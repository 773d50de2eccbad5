#!/usr/bin/env python3
"""Measures the speed of scree beside LAMMPS, LIGGGHTS and Yade on the same bed of spheres, in turn.

Usage: compare-codes.py [settle|linear|shear] [--program SCREE] [--codes lammps liggghts yade] [--particles N]
                        [--threads N] [--repeats N]

All get the same positions, radii, walls or cell, gravity, step and materials: a bed at rest with Hertz-Mindlin contacts
(`settle`) or linear springs (`linear`), or a periodic cell in simple shear (`shear`, LAMMPS alone). All contacts have
tangential history. The others compute in double precision, scree in double and in mixed. They are the packages
`lammps`, `liggghts` and `yade` of Debian, which are compiled for any processor; scree is compiled for the machine. Each
repeat runs all of them, and its ratios are those of that repeat. Ratios depend on the machine.
"""

from __future__ import annotations

import argparse
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

import rivals

ROOT = pathlib.Path(__file__).resolve().parent.parent


def run_scree(options: argparse.Namespace, file: pathlib.Path) -> tuple[dict[str, float], str]:
    """Particle-steps per second by precision (of the sheared cell, if there is one), and all that was printed."""
    bench = ["settle", "--law", "linear_spring_dashpot"] if options.bed == "linear" else [options.bed]
    command = [options.program, "bench", *bench, "--sizes", options.particles, "--threads", options.threads]
    command += ["--backend", "host", "--precision", "double", "mixed", "--write-bed", file]
    told = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=True).stdout
    rows = [line.split() for line in told.splitlines()
            if re.match(r"\s*\d+\s+(double|mixed)", line) and "at rest" not in line]  # fmt: skip
    return {row[1]: float(row[5]) for row in rows}, told


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("bed", nargs="?", default="settle", choices=("settle", "linear", "shear"))
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / "build/release/bin/scree")
    parser.add_argument("--codes", nargs="+", choices=list(rivals.RATES), default=None)
    parser.add_argument("--particles", type=lambda text: int(float(text)), default=100000)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    codes = options.codes or [code for code in rivals.RATES if rivals.installed(code)]
    if options.bed == "shear":
        codes = [code for code in codes if code == "lammps"]
    if not codes or not all(map(rivals.installed, codes)):
        sys.exit("compare-codes: not installed: apt-get install lammps liggghts yade (or choose with --codes)")
    results: dict[str, list[float]] = {name: [] for name in ("scree double", "scree mixed", *codes)}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for _ in range(options.repeats):
            rates, told = run_scree(options, folder / "bed.csv")
            bed = rivals.Bed.read(options.bed, folder / "bed.csv", told)
            for precision in ("double", "mixed"):
                results[f"scree {precision}"].append(rates[precision])
            for code in codes:
                results[code].append(rivals.RATES[code](folder, bed, options.threads))
    print(f"{options.bed}, {len(bed.spheres)} particles, {options.threads} thread(s): million particle-steps/s "
          f"(median of {options.repeats}, least, most), and how many times as fast scree is")  # fmt: skip
    for name, values in results.items():
        line = f"{name:14} {statistics.median(values) / 1e6:6.2f}  {min(values) / 1e6:6.2f}  {max(values) / 1e6:6.2f}"
        if name in codes:
            for precision in ("double", "mixed"):
                ratios = [own / other for own, other in zip(results[f"scree {precision}"], values)]
                line += f"   in {precision} {statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})"
        print(line)


if __name__ == "__main__":
    main()
