#!/usr/bin/env python3
"""make_pebble.py [FILE]: writes configs/pebble.nrrd, a small image of voxels as a segmented scan has them.

The label 1 is a pebble: a ball of 12 voxels with bumps of random directions, heights and widths. The image is the
same everywhere.
"""

import math
import sys

from voxel_image import random_numbers, write_nrrd

voxels = 34
edge = 2.5e-4  # of a voxel [m]


def direction(random):
    z, angle = 2 * next(random) - 1, 2 * math.pi * next(random)
    ring = math.sqrt(1 - z * z)
    return ring * math.cos(angle), ring * math.sin(angle), z


def bumps(random):
    return [(direction(random), 5 * next(random) - 2.5, 0.3 + 0.5 * next(random)) for _ in range(12)]


def radius(x, y, z, shape):
    """Distance of the surface from the middle along a direction, in voxels."""
    sum = 12.0
    for (a, b, c), height, width in shape:
        sum += height * math.exp((x * a + y * b + z * c - 1) / (width * width))
    return min(max(sum, 8.0), 15.5)


def main():
    file = sys.argv[1] if len(sys.argv) > 1 else "configs/pebble.nrrd"
    shape = bumps(random_numbers(7))
    middle = (voxels - 1) / 2
    labels = bytearray()
    for k in range(voxels):
        for j in range(voxels):
            for i in range(voxels):
                x, y, z = i - middle, j - middle, 0.8 * (k - middle) / 0.64
                length = math.sqrt(x * x + y * y + z * z) or 1.0
                labels.append(1 if length < radius(x / length, y / length, z / length, shape) else 0)
    write_nrrd(file, "a pebble, made by scripts/make_pebble.py", (voxels, voxels, voxels), edge, labels)


main()
