#!/usr/bin/env python3
"""Draws the drift of energy and angular momentum in Dzhanibekov's motion, and prints the table of docs/rotation.md.

Usage: plot_rotation.py FILE [--to PICTURE]

FILE is the output of the test:
SCREE_ROTATION_TABLE=FILE build/host/bin/kernel_tests_host --gtest_filter='RotationDrift.*'
"""

import argparse
import csv
import pathlib


def read(file):
    """Rows of each integrator, in the order of the file."""
    table = {}
    with open(file, newline="") as lines:
        for row in csv.DictReader(lines):
            table.setdefault(row["integrator"], []).append({key: float(row[key]) for key in row if key != "integrator"})
    return table


def print_table(table):
    print("| integrator | energy, 1e4 steps | 1e5 | 1e6 | momentum, 1e4 steps | 1e5 | 1e6 |\n|---|---|---|---|---|---|---|")
    for name, rows in table.items():
        cells = []
        for column in ("worst_energy", "worst_momentum"):
            for step in (1e4, 1e5, 1e6):
                cells += ["{:.1e}".format(row[column]) for row in rows if row["step"] == step]
        print("| " + " | ".join([name] + cells) + " |")


def draw(table, picture):
    try:
        import matplotlib
        matplotlib.use("Agg")
        from matplotlib import pyplot
    except ImportError:
        print("no picture: matplotlib is not installed")
        return
    figure, panels = pyplot.subplots(1, 2, figsize=(9, 3.6))
    for panel, column, title in ((panels[0], "worst_energy", "energy"), (panels[1], "worst_momentum", "angular momentum")):
        for index, (name, rows) in enumerate(table.items()):
            single = "single" in name
            panel.loglog([row["step"] for row in rows], [max(row[column], 1e-17) for row in rows],
                         "--" if single else "-", color="C%d" % (index % 3), label=name)
        panel.set(xlabel="step", ylabel="largest relative error", title=title)
        panel.grid(alpha=0.3)
    panels[0].legend(fontsize=8)
    figure.tight_layout()
    figure.savefig(picture, dpi=90)
    print("wrote", picture)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=pathlib.Path)
    parser.add_argument("--to", type=pathlib.Path, default=pathlib.Path("rotation.png"))
    arguments = parser.parse_args()
    table = read(arguments.file)
    print_table(table)
    draw(table, arguments.to)


if __name__ == "__main__":
    main()
