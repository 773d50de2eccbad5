#!/usr/bin/env python3
"""Lets LIGGGHTS (package `liggghts`) empty the hopper of the README, and compares its flow with that of scree.

Usage: compare-hopper.py RUN [--work FOLDER]

RUN is the folder of a run of configs/hopper.json. LIGGGHTS starts from its beads at 0.5 s, at rest and without the gate,
with the same mesh, materials and step (model hertz, tangential history). Both flows are the slope of the mass over time
while 10 to 60 % of all beads leave. Takes some six minutes on one core. Needs numpy, h5py and pandas.
"""

from __future__ import annotations

import argparse
import pathlib
import sys

import numpy

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "python/src"), str(ROOT / "scripts")]
import rivals  # noqa: E402
import scree  # noqa: E402

STEP, STEPS, EVERY = 1.32e-5, 76000, 500
DENSITY = 2500.0  # [kg/m3]

INPUT = f"""
units si
atom_style granular
atom_modify map array
boundary f f f
newton off
communicate single vel yes
read_data bed.data
neighbor 0.0004 bin
neigh_modify delay 0
fix p1 all property/global youngsModulus peratomtype 6e7 6e8
fix p2 all property/global poissonsRatio peratomtype 0.25 0.30
fix p3 all property/global coefficientRestitution peratomtypepair 2 0.7 0.7 0.7 0.7
fix p4 all property/global coefficientFriction peratomtypepair 2 0.5 0.4 0.4 0.5
pair_style gran model hertz tangential history
pair_coeff * *
timestep {STEP}
fix down all gravity 9.81 vector 0.0 0.0 -1.0
fix cad all mesh/surface file {ROOT / "configs/hopper.stl"} type 2 scale 0.001
fix wall all wall/gran model hertz tangential history mesh n_meshes 1 meshes cad
fix move all nve/sphere
thermo {EVERY}
thermo_style custom step atoms cpu
thermo_modify lost ignore norm no
run {STEPS}
"""


def flow(time: numpy.ndarray, share: numpy.ndarray, mass: float) -> float:
    """[kg/s] `share` of all mass has left at each time."""
    steady = (share > 0.1) & (share < 0.6)
    return float(numpy.polyfit(time[steady], share[steady], 1)[0]) * mass


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("run", type=pathlib.Path)
    parser.add_argument("--work", type=pathlib.Path, default=ROOT / "out/hopper_liggghts")
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    run = scree.Results(options.run)
    frame = min(run.frames, key=lambda each: abs(each.time - 0.5))
    radius, places = frame.radius[:].astype(float), frame.positions[:]
    mass = DENSITY * 4 / 3 * numpy.pi * (radius**3).sum()
    with open(options.work / "bed.data", "w") as out:
        out.write(f"bed\n\n{len(radius)} atoms\n2 atom types\n\n")
        out.write("-0.07 0.07 xlo xhi\n-0.07 0.07 ylo yhi\n-0.06 0.42 zlo zhi\n\nAtoms\n\n")
        for i, (r, (x, y, z)) in enumerate(zip(radius, places), 1):
            out.write(f"{i} 1 {2 * r:.17g} {DENSITY} {x:.17g} {y:.17g} {z:.17g}\n")
    (options.work / "in.hopper").write_text(INPUT)
    told = rivals.run(["liggghts", "-in", "in.hopper"], options.work, 1)
    rows = numpy.array([line.split()[:2] for line in told.splitlines()
                        if len(line.split()) == 3 and line.split()[0].isdigit()], float)  # fmt: skip
    series = run.series
    own = flow(series.index.to_numpy(float), series["removed_mass_orifice"].to_numpy(float) / mass, mass)
    other = flow(rows[:, 0] * STEP, 1 - rows[:, 1] / len(radius), mass)
    print(f"scree {own:.4f} kg/s, LIGGGHTS {other:.4f} kg/s: {100 * (own / other - 1):+.1f} %")


if __name__ == "__main__":
    main()
