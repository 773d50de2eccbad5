#!/usr/bin/env python3
"""Runs examples/engine_in_20_lines.cpp and compares the heights that it prints with closed forms.

Usage: falling_beads.py PROGRAM

Until a bead touches the plane, its height is that of free fall. After its first impact it never comes back to where it
started, since its dashpot takes energy. At the end it rests, and Hertz's force carries its weight:
m g = 4/3 E* sqrt(r) u^(3/2) with the overlap u. Exits 1 when a height differs.
"""
import math
import subprocess
import sys

GRAVITY, DENSITY, YOUNG, POISSON = 9.81, 2500.0, 1e7, 0.25
RADII, STARTS = (3e-3, 4e-3, 5e-3), (0.02, 0.03, 0.04)
ROWS = 50
TOLERANCE = 2e-9  # [m] heights are printed to 1e-9; the overlaps at rest are 4e-6 to 1e-5


def overlap_at_rest(radius):
    """Overlap [m] of a sphere at rest on a plane of its own material."""
    modulus = YOUNG / (2 * (1 - POISSON**2))
    weight = 4 / 3 * math.pi * radius**3 * DENSITY * GRAVITY
    return (weight / (4 / 3 * modulus * math.sqrt(radius))) ** (2 / 3)


def problems(rows):
    if len(rows) != ROWS or any(len(row) != 1 + len(RADII) for row in rows):
        yield f"{ROWS} rows of a time and {len(RADII)} heights are expected"
        return
    for bead, (radius, start) in enumerate(zip(RADII, STARTS), 1):
        impact = math.sqrt(2 * (start - radius) / GRAVITY)
        for row in rows:
            time, height = row[0], row[bead]
            if time <= impact and abs(height - (start - GRAVITY * time**2 / 2)) > TOLERANCE:
                yield f"bead {bead} does not fall freely at {time} s: {height} m"
            if time > impact and not 0 < height < start:
                yield f"bead {bead} is at an impossible height at {time} s: {height} m"
        rest = radius - overlap_at_rest(radius)
        if abs(rows[-1][bead] - rest) > TOLERANCE:
            yield f"bead {bead} comes to rest at {rows[-1][bead]:.9f} m, not at {rest:.9f} m"


def main():
    output = subprocess.run([sys.argv[1]], check=True, capture_output=True, text=True).stdout
    found = list(problems([[float(word) for word in line.split()] for line in output.splitlines()]))
    for problem in found:
        print(problem)
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
