#!/usr/bin/env python3
"""Runs a bed of `scree bench` in scree and in LAMMPS (package `lammps`), in turn, and prints both and their ratios.

Usage: compare-lammps.py SCREE [N] [REPEATS] [settle|linear|shear]

Both programs get the same positions, radii, walls or cell, gravity, step and materials, and run with tangential history
on one core; LAMMPS in double precision, scree in double and mixed. LAMMPS uses pair_style gran/hertz/history, or
gran/hooke/history for `linear`, newton off, a neighbour skin of 0.1 radii, which is the least Verlet distance of scree,
and fix deform with remapped velocities for simple shear. Each repeat runs all three, and its ratios are of that repeat
(default: 5 repeats). The ratio depends on the machine.
"""
import csv
import math
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

DENSITY, YOUNG, POISSON, FRICTION, STEP, RADIUS = 2500.0, 1e7, 0.25, 0.5, 1.4e-5, 1e-3
STEPS = 200


def write_data(folder, bed, low, high, tilt=""):
    with open(folder / "bed.data", "w") as out:
        out.write(f"bed\n\n{len(bed)} atoms\n1 atom types\n\n")
        for axis, a, b in zip("xyz", low, high):
            out.write(f"{a:.17g} {b:.17g} {axis}lo {axis}hi\n")
        out.write(tilt + "\nAtoms # sphere\n\n")
        for i, p in enumerate(bed, 1):
            out.write(f"{i} 1 {2 * float(p['radius']):.17g} {DENSITY} {p['x']} {p['y']} {p['z']}\n")


def linear_law():
    """gran/hooke/history with the springs of `scree bench settle --law linear_spring_dashpot`: k_n = 300 N/m and
    k_t = k_n / 4, damped to a restitution near 0.5."""
    stiffness = 300.0
    mass = DENSITY * 4 / 3 * math.pi * RADIUS**3 / 2  # of a pair
    damping = 2 * 0.2155 * math.sqrt(stiffness / mass)
    return f"{stiffness:.9g} {0.25 * stiffness:.9g} {damping:.9g} {damping / 2:.9g} {FRICTION} 1"


def law():
    """gran/hertz/history: F_n = k_n sqrt(R*) u^1.5, so k_n = 4/3 E*; k_t = 8 G*."""
    young = YOUNG / (2 * (1 - POISSON**2))
    shear = YOUNG / (2 * (1 + POISSON)) / (2 * (2 - POISSON))
    return f"{4 / 3 * young:.9g} {8 * shear:.9g} 1e4 5e3 {FRICTION} 1"


def write_input(folder, boundary, style, coefficients, fixes, warm_up):
    (folder / "in.bed").write_text(f"""
units si
atom_style sphere
boundary {boundary}
newton off
comm_modify vel yes
read_data bed.data
pair_style gran/{style}/history {coefficients}
pair_coeff * *
neighbor {0.1 * RADIUS} bin
neigh_modify delay 0 every 1 check yes
timestep {STEP}
fix move all nve/sphere
{fixes}
thermo 100
run {warm_up}
run {STEPS}
""")


def settle_input(folder, bed, _, style="hertz", coefficients=None):
    coefficients = coefficients or law()
    low = [min(float(p[k]) - float(p["radius"]) for p in bed) for k in "xyz"]
    high = [max(float(p[k]) + float(p["radius"]) for p in bed) for k in "xyz"]
    write_data(folder, bed, [a - 1e-3 for a in low], [b + 1e-3 for b in high])
    walls = "\n".join(
        f"fix wall_{axis} all wall/gran {style}/history {coefficients} {axis}plane {low[i]:.17g} {high[i]:.17g}"
        for i, axis in enumerate("xy"))
    write_input(folder, "f f f", style, coefficients, f"""fix down all gravity 9.81 vector 0 0 -1
fix floor all wall/gran {style}/history {coefficients} zplane {low[2]:.17g} NULL
{walls}""", 50)


def linear_input(folder, bed, text):
    settle_input(folder, bed, text, "hooke", linear_law())


def shear_input(folder, bed, text):
    cell = re.search(r"cell of the packing written \[m\]: (\S+) (\S+) (\S+), rate \[1/s\]: (\S+)", text)
    sides = [float(cell.group(k)) for k in (1, 2, 3)]
    for p in bed:
        for k, side in zip("xyz", sides):
            p[k] = f"{float(p[k]) % side:.17g}"
    write_data(folder, bed, [0, 0, 0], sides, "0 0 0 xy xz yz\n")
    write_input(folder, "p p p", "hertz", law(), f"fix shear all deform 1 xz erate {float(cell.group(4)):.9g} remap v flip yes", 1000)


def lammps_rate(folder, n):
    run = subprocess.run(["lmp", "-in", "in.bed"], cwd=folder, capture_output=True, text=True, check=True,
                         env={"OMP_NUM_THREADS": "1", "PATH": "/usr/bin:/bin", "OMPI_ALLOW_RUN_AS_ROOT": "1",
                              "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"})
    seconds = float(re.findall(r"Loop time of ([0-9.eE+-]+)", run.stdout)[-1])
    return n * STEPS / seconds


def run_scree(scree, bench, n, bed_file):
    """Rates by precision (of the sheared cell, if there is one), and the printed text."""
    law_of_bench = ["--law", "linear_spring_dashpot"] if bench == "linear" else []
    bench = "settle" if bench == "linear" else bench
    run = subprocess.run([scree, "bench", bench, *law_of_bench, "--sizes", str(n), "--threads", "1", "--backend", "host",
                          "--precision", "double", "mixed", "--write-bed", str(bed_file)],
                         capture_output=True, text=True, check=True)
    rows = [line.split() for line in run.stdout.splitlines()
            if re.match(r"\s*\d+\s+(double|mixed)", line) and "at rest" not in line]
    return {row[1]: float(row[5]) for row in rows}, run.stdout


def main():
    scree = sys.argv[1]
    n = int(float(sys.argv[2])) if len(sys.argv) > 2 else 100000
    repeats = int(sys.argv[3]) if len(sys.argv) > 3 else 5
    bench = sys.argv[4] if len(sys.argv) > 4 else "settle"
    make_input = {"settle": settle_input, "linear": linear_input, "shear": shear_input}[bench]
    results = {"scree double": [], "scree mixed": [], "LAMMPS double": []}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for _ in range(repeats):
            rates, text = run_scree(scree, bench, n, folder / "bed.csv")
            bed = list(csv.DictReader(open(folder / "bed.csv")))
            make_input(folder, bed, text)
            results["scree double"].append(rates["double"])
            results["scree mixed"].append(rates["mixed"])
            results["LAMMPS double"].append(lammps_rate(folder, len(bed)))
    print(f"{bench}, {n} particles, one core, particle-steps/s (median of {repeats}, least, most)")
    for name, values in results.items():
        print(f"{name:14} {statistics.median(values):.3g}  {min(values):.3g}  {max(values):.3g}")
    for name in ("scree double", "scree mixed"):
        ratios = [a / b for a, b in zip(results[name], results["LAMMPS double"])]
        print(f"{name} over LAMMPS: {statistics.median(ratios):.2f}  {min(ratios):.2f}  {max(ratios):.2f}")


if __name__ == "__main__":
    main()
