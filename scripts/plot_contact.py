#!/usr/bin/env python3
"""Draws tables of `scree contact`: the forces along the path, and the energies into which the work went.

Usage: plot_contact.py FILE [FILE ...] [--x COLUMN] [--to PICTURE]

Several files are drawn into one picture, to compare laws or materials. --x is the column of the horizontal axis
(default: overlap[m]; time[s] suits paths that go back and forth). Prints the balance of each file, and draws only if
matplotlib is installed.
"""

import argparse
import csv
import pathlib


def read(file):
    """Columns of a CSV file by name."""
    with open(file, newline="") as lines:
        rows = list(csv.reader(lines))
    return {name: [float(row[i]) for row in rows[1:]] for i, name in enumerate(rows[0])}


def balance(table):
    """Work, the energies into which it went, and the difference [J]."""
    start = table["elastic[J]"][0]
    kept = table["elastic[J]"][-1] - start
    lost = sum(table[name + "[J]"][-1] for name in ("friction", "viscous", "breakage", "parting"))
    work = table["work[J]"][-1]
    return work, kept, lost, work - kept - lost


def draw(tables, x, picture):
    try:
        import matplotlib
        matplotlib.use("Agg")
        from matplotlib import pyplot
    except ImportError:
        print("no picture: matplotlib is not installed")
        return
    figure, (forces, energies) = pyplot.subplots(1, 2, figsize=(11, 4.5))
    for name, table in tables.items():
        forces.plot(table[x], table["force_x[N]"], label=f"{name}: along x")
        shear = [(y * y + z * z) ** 0.5 for y, z in zip(table["force_y[N]"], table["force_z[N]"])]
        forces.plot(table[x], shear, "--", label=f"{name}: across")
        for energy in ("work", "elastic", "friction", "viscous", "breakage"):
            values = table.get(energy + "[J]")
            if values and any(values):
                energies.plot(table["time[s]"], values, label=f"{name}: {energy}")
    forces.set(xlabel=x, ylabel="force on body 2 [N]")
    energies.set(xlabel="time[s]", ylabel="energy [J]")
    forces.legend()
    energies.legend()
    figure.tight_layout()
    figure.savefig(picture, dpi=150)
    print("wrote", picture)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=pathlib.Path)
    parser.add_argument("--x", default="overlap[m]")
    parser.add_argument("--to", type=pathlib.Path, default=pathlib.Path("contact.png"))
    arguments = parser.parse_args()
    tables = {file.stem: read(file) for file in arguments.files}
    for name, table in tables.items():
        if "work[J]" in table:
            print("{}: work {:.9g} J, kept {:.9g} J, lost {:.9g} J, missing {:.3g} J".format(name, *balance(table)))
    draw(tables, arguments.x, arguments.to)


if __name__ == "__main__":
    main()
