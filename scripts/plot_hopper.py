#!/usr/bin/env python3
"""Compares the flow of a run of configs/hopper.json with Beverloo's law.

Usage: plot_hopper.py FOLDER [--to DIR] [--open T]

Reads frames and series.csv of an output folder, writes DIR/hopper_flow.png (default: docs) and prints the numbers. Needs
numpy, h5py and matplotlib.
"""

import argparse
import csv
import json
import pathlib

import h5py
import numpy

ORIFICE = 0.050                 # diameter of the orifice of configs/hopper.stl [m]
DENSITY = 2500.0                # density of glass [kg/m3]
GRAVITY = 9.81                  # [m/s2]
BEVERLOO_C, BEVERLOO_K = 0.58, 1.4


def list_frames(folder):
    """Times [s] and files of the frames of a run."""
    files = json.loads((folder / "frames.vtkhdf.series").read_text())["files"]
    return [(entry["time"], folder / entry["name"]) for entry in files]


def read_points(file):
    with h5py.File(file) as hdf:
        root = hdf["VTKHDF"]
        return root["Points"][...], {name: values[...] for name, values in root["PointData"].items()}


def bulk_density(folder, opening):
    """Bulk density [kg/m3] of the particles at rest in the middle of the bin."""
    points, fields = read_points(min(list_frames(folder), key=lambda frame: abs(frame[0] - opening))[1])
    low, high, radius = 0.045, 0.085, 0.050  # at least two diameters away from the wall and the free surface
    inside = (points[:, 2] > low) & (points[:, 2] < high) & (numpy.hypot(points[:, 0], points[:, 1]) < radius)
    mass = DENSITY * 4 / 3 * numpy.pi * (fields["radius"][inside].astype(float) ** 3).sum()
    return mass / (numpy.pi * radius**2 * (high - low))


def draw_flow(folder, opening, file):
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    with open(folder / "series.csv", newline="") as text:
        header, *rows = csv.reader(text)
    table = numpy.array(rows, dtype=float)
    time, mass = table[:, 0], table[:, header.index("removed_mass_orifice[kg]")]
    _, fields = read_points(list_frames(folder)[0][1])
    radius = fields["radius"].astype(float)
    total = DENSITY * 4 / 3 * numpy.pi * (radius**3).sum()
    diameter = 2 * radius.mean()

    steady = (mass > 0.1 * total) & (mass < 0.6 * total)
    if steady.sum() < 3:
        raise SystemExit("plot_hopper: the run is too short: less than a tenth of the mass has left")
    flow, offset = numpy.polyfit(time[steady], mass[steady], 1)
    density = bulk_density(folder, opening)
    scale = density * numpy.sqrt(GRAVITY) * (ORIFICE - BEVERLOO_K * diameter) ** 2.5
    law = BEVERLOO_C * scale
    middle_time, middle_mass = time[steady].mean(), mass[steady].mean()

    figure, axes = pyplot.subplots(figsize=(7, 4.2), dpi=120)
    axes.plot(time, mass, color="#1d3557", lw=2.2, label="scree: mass through the orifice")
    ends = numpy.array([middle_time - middle_mass / law, middle_time + (0.75 * total - middle_mass) / law])
    axes.plot(ends, middle_mass + law * (ends - middle_time), "--", color="#d1603d", lw=1.6,
              label=f"Beverloo, C = {BEVERLOO_C}, k = {BEVERLOO_K}: {law:.3f} kg/s")
    axes.axvspan(time[steady][0], time[steady][-1], color="#a8c8c8", alpha=0.3, lw=0,
                 label=f"steady part: {flow:.3f} kg/s")
    axes.axhline(total, color="#999999", lw=0.8)
    axes.text(time[0], total, " all of it", va="bottom", color="#777777")
    axes.set_xlabel("time [s]")
    axes.set_ylabel("discharged mass [kg]")
    axes.set_ylim(0, 1.12 * total)
    axes.set_xlim(time[0], max(time[-1], ends[-1]))
    axes.legend(frameon=False, loc="lower right", bbox_to_anchor=(1.0, 0.04))
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    figure.tight_layout()
    figure.savefig(file)
    print(f"{file}: up to t = {time[-1]:.3f} s")
    print(f"total mass            {total:.4f} kg, mean diameter {diameter * 1e3:.3f} mm")
    print(f"bulk density at rest  {density:.0f} kg/m3, solid fraction {density / DENSITY:.3f}")
    print(f"steady flow           {flow:.4f} kg/s, from t = {time[steady][0]:.3f} to {time[steady][-1]:.3f} s")
    print(f"Beverloo              {law:.4f} kg/s with C = {BEVERLOO_C}, k = {BEVERLOO_K}; run / law = {flow / law:.3f}")
    print(f"C of this run         {flow / scale:.3f} with k = {BEVERLOO_K}")
    print(f"left at the end       {total - mass[-1]:.4f} kg")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path, help="output folder of a run of configs/hopper.json")
    docs = pathlib.Path(__file__).resolve().parent.parent / "docs"
    parser.add_argument("--to", type=pathlib.Path, default=docs, help="where the picture goes (default: docs)")
    parser.add_argument("--open", type=float, default=0.5, help="when the gate opens [s]")
    arguments = parser.parse_args()
    arguments.to.mkdir(parents=True, exist_ok=True)
    draw_flow(arguments.folder, arguments.open, arguments.to / "hopper_flow.png")


if __name__ == "__main__":
    main()
