#!/usr/bin/env python3
"""Draws the results of tests in periodic cells: docs/triaxial.png, docs/simple_shear.png and docs/cyclic_undrained.png.

Usage: plot_cell.py [FOLDER [PICTURES]]

FOLDER contains the output folders of the runs (default: out); that of configs/dense/triaxial.json is
FOLDER/triaxial_dense.
"""

import csv
import pathlib
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy

BLUE, YELLOW, GREY = "#4c78a8", "#e4a94f", "#9c9c9c"


def read_last_stage(folder):
    """Columns of the series in the last stage, with strains counted from its beginning."""
    with open(folder / "series.csv", newline="") as file:
        rows = list(csv.reader(file))
    table = {name: numpy.array([float(row[k]) for row in rows[1:]]) for k, name in enumerate(rows[0])}
    last = table["stage"][-2]  # the last row comes after the end of all stages
    first = numpy.flatnonzero(table["stage"] >= last)[0]
    table = {name: column[first:] for name, column in table.items()}
    for name in table:
        if name.startswith("strain_"):
            table[name] = table[name] - table[name][0]
    return table


def solid_fraction(table):
    return 1 / (1 + table["void_ratio"])


def draw_triaxial(folders, picture):
    figure, (above, below) = plt.subplots(2, 1, figsize=(6, 6), dpi=110, sharex=True)
    for folder, label, colour in zip(folders, ["loose", "dense"], [BLUE, YELLOW]):
        if not (folder / "series.csv").exists():
            continue
        table = read_last_stage(folder)
        sides = -0.5 * (table["stress_xx[Pa]"] + table["stress_yy[Pa]"])
        along = -table["stress_zz[Pa]"]
        volume = table["strain_xx"] + table["strain_yy"] + table["strain_zz"]
        start = f"{label}, {solid_fraction(table)[0]:.3f} solid"
        above.plot(-100 * table["strain_zz"], (along - sides) / (along + 2 * sides) * 3, color=colour, label=start)
        below.plot(-100 * table["strain_zz"], 100 * volume, color=colour)
    above.set_ylabel("deviator / mean stress")
    above.legend(frameon=False)
    below.set_ylabel("growth of volume [%]")
    below.set_xlabel("axial compression [%]")
    return save(figure, picture)


def draw_simple_shear(folder, picture):
    table = read_last_stage(folder)
    figure, (above, below) = plt.subplots(2, 1, figsize=(6, 6), dpi=110, sharex=True)
    above.plot(100 * table["strain_xy"], -table["stress_xy[Pa]"] / table["stress_yy[Pa]"], color=BLUE)
    above.set_ylabel("shear stress / normal stress")
    below.plot(100 * table["strain_xy"], solid_fraction(table), color=BLUE)
    below.set_ylabel("solid fraction")
    below.set_xlabel("shear strain [%]")
    return save(figure, picture)


def draw_cyclic(folder, picture):
    table = read_last_stage(folder)
    pressure = -(table["stress_xx[Pa]"] + table["stress_yy[Pa]"] + table["stress_zz[Pa]"]) / 3e3
    shear = table["stress_xy[Pa]"] / 1e3
    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 4), dpi=110, sharey=True)
    left.plot(pressure, shear, color=BLUE, linewidth=0.8)
    left.set_xlabel("mean stress of the grains [kPa]")
    left.set_ylabel("shear stress [kPa]")
    left.set_xlim(left=0)
    right.plot(100 * table["strain_xy"], shear, color=BLUE, linewidth=0.8)
    right.set_xlabel("shear strain [%]")
    return save(figure, picture)


def save(figure, picture):
    for axes in figure.axes:
        axes.grid(color=GREY, alpha=0.3)
    figure.tight_layout()
    figure.savefig(picture)
    return picture


def main():
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "out")
    pictures = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else "docs")
    drawn = []
    if (folder / "triaxial/series.csv").exists():
        drawn.append(draw_triaxial([folder / "triaxial", folder / "triaxial_dense"], pictures / "triaxial.png"))
    if (folder / "simple_shear/series.csv").exists():
        drawn.append(draw_simple_shear(folder / "simple_shear", pictures / "simple_shear.png"))
    if (folder / "cyclic_undrained/series.csv").exists():
        drawn.append(draw_cyclic(folder / "cyclic_undrained", pictures / "cyclic_undrained.png"))
    if not drawn:
        sys.exit(f"plot_cell: no series in {folder}; run configs/triaxial.json, simple_shear.json or cyclic_undrained.json first")
    for picture in drawn:
        print(picture)


if __name__ == "__main__":
    main()
