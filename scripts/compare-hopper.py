#!/usr/bin/env python3
"""Lets LIGGGHTS (package `liggghts`) empty the hopper of the README, and compares its flow with that of scree.

Usage: compare-hopper.py RUN [--work FOLDER]

RUN is the folder of a run of configs/hopper.json. LIGGGHTS starts from its beads at 0.5 s, at rest and without the
gate, with the same mesh, materials and step (model hertz, tangential history). Both flows are the slope of the mass
over time while 10 to 60 % of all beads leave. Takes some six minutes on one core. Needs numpy, h5py and pandas.
"""

from __future__ import annotations

import argparse
import pathlib
import sys

import numpy

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "python/src"))
import rivals  # noqa: E402
import scree  # noqa: E402
from scree.measures import fit_line  # noqa: E402

STEP, STEPS, EVERY = 1.32e-5, 76000, 500

INPUT = f"""{rivals.LIGGGHTS_HEAD}neighbor 0.0004 bin
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
    return fit_line(time[steady], share[steady]).slope * mass


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("run", type=pathlib.Path)
    parser.add_argument("--work", type=pathlib.Path, default=ROOT / "out/hopper_liggghts")
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    run = scree.Results(options.run)
    frame = min(run.frames, key=lambda each: abs(each.time - 0.5))
    radius, places = frame.radius[:].astype(float), frame.positions[:]
    mass = rivals.DENSITY * 4 / 3 * numpy.pi * (radius**3).sum()
    spheres = ((r, *place) for r, place in zip(radius, places))
    rivals.write_spheres(options.work / "bed.data", spheres, [-0.07, -0.07, -0.06], [0.07, 0.07, 0.42], types=2)
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
