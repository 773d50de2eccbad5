#!/usr/bin/env python3
"""Draws a frame of configs/clumps.json, seen along the axis of the drum: docs/clumps.png.

Usage: plot_clumps.py FOLDER [PICTURE]    FOLDER is the output folder of the run (default: out/clumps)
"""

import pathlib
import sys

import h5py
import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy
from matplotlib.collections import PatchCollection
from matplotlib.patches import Circle

DRUM_RADIUS = 0.1  # [m]
SPHERES_OF = {4: "#4c78a8", 5: "#e4a94f"}  # colour by the number of members: rods and tetrapods
SINGLE = "#9c9c9c"


def read_frame(file):
    """Positions [n, 3] and radii [n] in metres, and the clump of each sphere, -1 for none."""
    with h5py.File(file) as frame:
        data = frame["VTKHDF"]
        points = data["PointData"]
        return data["Points"][:], points["radius"][:], points["clump"][:]


def draw(axes, positions, radii, clumps):
    members = {number: count for number, count in zip(*numpy.unique(clumps, return_counts=True))}
    back_to_front = numpy.argsort(-positions[:, 1])  # the view is from y = 0
    circles, colours = [], []
    for i in back_to_front:
        circles.append(Circle((positions[i, 0], positions[i, 2]), radii[i]))
        colours.append(SINGLE if clumps[i] < 0 else SPHERES_OF.get(int(members[clumps[i]]), "#54a24b"))
    axes.add_collection(PatchCollection(circles, facecolors=colours, edgecolors="black", linewidths=0.4))
    axes.add_patch(Circle((0, 0), DRUM_RADIUS, fill=False, linewidth=2))
    axes.set_xlim(-1.05 * DRUM_RADIUS, 1.05 * DRUM_RADIUS)
    axes.set_ylim(-1.05 * DRUM_RADIUS, 0.5 * DRUM_RADIUS)
    axes.set_aspect("equal")
    axes.axis("off")


def main():
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "out/clumps")
    picture = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else "docs/clumps.png")
    frames = sorted((folder / "frames").glob("frame_*.vtkhdf"))
    if not frames:
        sys.exit(f"plot_clumps: no frames in {folder}; run configs/clumps.json first")
    figure, axes = plt.subplots(figsize=(8, 6), dpi=110)
    draw(axes, *read_frame(frames[-1]))
    figure.savefig(picture, bbox_inches="tight", pad_inches=0.02)
    print(f"{picture}: {frames[-1].name} of {folder}")


if __name__ == "__main__":
    main()
