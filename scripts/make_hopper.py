#!/usr/bin/env python3
"""Writes configs/hopper.stl and configs/gate.stl: a conical hopper under a cylindrical bin, and a flat gate.

Axis z, orifice at z = 0. Lengths in millimetres, as drawings usually are; the case scales them to metres.
"""
import math
import pathlib
import struct

ORIFICE, BIN = 25.0, 60.0        # radii [mm]
HALF_ANGLE = math.radians(45)    # angle between cone and vertical
TOP = 400.0                      # upper rim of the bin [mm]
SEGMENTS = 72


def write_stl(path, triangles):
    with open(path, "wb") as out:
        out.write(b"binary STL, millimetres".ljust(80, b" "))
        out.write(struct.pack("<I", len(triangles)))
        for a, b, c in triangles:
            u = [b[i] - a[i] for i in range(3)]
            v = [c[i] - a[i] for i in range(3)]
            n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
            length = math.sqrt(sum(x * x for x in n))
            out.write(struct.pack("<12fH", *(x / length for x in n), *a, *b, *c, 0))


def ring(radius, z):
    return [(radius * math.cos(2 * math.pi * i / SEGMENTS), radius * math.sin(2 * math.pi * i / SEGMENTS), z)
            for i in range(SEGMENTS)]


def band(lower, upper):
    triangles = []
    for i in range(SEGMENTS):
        j = (i + 1) % SEGMENTS
        triangles += [(lower[i], upper[i], upper[j]), (lower[i], upper[j], lower[j])]
    return triangles


def main():
    folder = pathlib.Path(__file__).resolve().parent.parent / "configs"
    cone_top = (BIN - ORIFICE) / math.tan(HALF_ANGLE)
    levels = [ring(ORIFICE, 0.0), ring(BIN, cone_top), ring(BIN, TOP)]
    write_stl(folder / "hopper.stl", band(levels[0], levels[1]) + band(levels[1], levels[2]))
    side = 1.2 * ORIFICE
    corners = [(-side, -side, -0.1), (side, -side, -0.1), (side, side, -0.1), (-side, side, -0.1)]
    write_stl(folder / "gate.stl", [(corners[0], corners[1], corners[2]), (corners[0], corners[2], corners[3])])


if __name__ == "__main__":
    main()
