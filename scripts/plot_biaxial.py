#!/usr/bin/env python3
"""Draws stress ratio, volume and lengths of the load histories against strain, for runs of configs/biaxial_jaeger.json.

Usage: plot_biaxial.py [RUN ...] [--to PICTURE]

RUN is an output folder (default: all folders in out/biaxial), PICTURE the file to write (default: docs/biaxial.png).
Lengths are drawn if the series of a run has the columns history_length_mean and history_length_max.
"""

import argparse
import csv
import pathlib
import sys

COLOURS = ["#4c78a8", "#e4a94f", "#6aa06a", "#b0607a", "#7a6ab0"]
GREY = "#9c9c9c"


def read_series(folder):
    """Columns of the series. The first row is left out, since it has no forces yet."""
    with open(folder / "series.csv", newline="") as file:
        rows = list(csv.reader(file))
    return {name: [float(row[k]) for row in rows[2:]] for k, name in enumerate(rows[0])}


def curves(table):
    """For each row: compression along z [-], ratio of the stresses along z and x [-], increase of the volume [-]."""
    strain = [-value for value in table["strain_zz"]]
    ratio = [along / side for along, side in zip(table["stress_zz[Pa]"], table["stress_xx[Pa]"])]
    volume = [sum(parts) for parts in zip(table["strain_xx"], table["strain_yy"], table["strain_zz"])]
    return strain, ratio, volume


def running_mean(values, reach=5):
    """Means over `reach` neighbours on both sides, since stress ratios jump by a percent from row to row."""
    near = [values[max(0, k - reach):k + reach + 1] for k in range(len(values))]
    return [sum(some) / len(some) for some in near]


def draw(folders, picture):
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot

    tables = [(folder.name, read_series(folder)) for folder in folders]
    with_lengths = any("history_length_mean" in table for _, table in tables)
    figure, panels = pyplot.subplots(3 if with_lengths else 2, 1, figsize=(6, 8 if with_lengths else 6), dpi=110, sharex=True)
    for k, (name, table) in enumerate(tables):
        colour = COLOURS[k % len(COLOURS)]
        strain, ratio, volume = curves(table)
        percent = [100 * value for value in strain]
        panels[0].plot(percent, ratio, color=colour, label=name.replace("_", " "))
        panels[1].plot(percent, [100 * value for value in volume], color=colour)
        if "history_length_mean" in table:
            panels[2].plot(percent, table["history_length_mean"], color=colour)
            panels[2].plot(percent, table["history_length_max"], color=colour, linewidth=0.7, linestyle="--")
    panels[0].set_ylabel("stress along z / along x")
    panels[0].legend(frameon=False)
    panels[1].set_ylabel("growth of volume [%]")
    if with_lengths:
        panels[2].set_yscale("log")
        panels[2].set_ylabel("segments: mean, longest")
    panels[-1].set_xlabel("compression along z [%]")
    for axes in panels:
        axes.grid(color=GREY, alpha=0.3)
    figure.tight_layout()
    figure.savefig(picture)


def main():
    parser = argparse.ArgumentParser(description="Draws runs of configs/biaxial_jaeger.json.")
    parser.add_argument("runs", nargs="*", type=pathlib.Path, metavar="RUN", help="output folder (default: all in out/biaxial)")
    parser.add_argument("--to", type=pathlib.Path, default=pathlib.Path("docs/biaxial.png"), metavar="PICTURE")
    options = parser.parse_args()
    folders = options.runs or sorted(path.parent for path in pathlib.Path("out/biaxial").glob("*/series.csv"))
    if not folders:
        sys.exit("plot_biaxial: no series in out/biaxial; run scripts/biaxial_jaeger.py first")
    draw(folders, options.to)
    print(options.to)


if __name__ == "__main__":
    main()
