#!/usr/bin/env python3
"""make_pebble.py [FILE]: writes configs/pebble.nrrd, a small image of voxels as a segmented scan has them.

The label 1 is a pebble: a ball of 12 voxels with bumps of random directions, heights and widths. The numbers come from
a generator that is written here, so the image is the same everywhere.
"""

import gzip
import math
import sys

voxels = 34
edge = 2.5e-4  # of a voxel [m]


def random_numbers(seed):
    """Numbers in [0, 1): a linear congruential generator."""
    while True:
        seed = (6364136223846793005 * seed + 1442695040888963407) % 2**64
        yield (seed >> 11) / 2**53


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
    header = (
        "NRRD0004\n# a pebble, made by scripts/make_pebble.py\ntype: uint8\ndimension: 3\n"
        f"sizes: {voxels} {voxels} {voxels}\nspacings: {edge} {edge} {edge}\nencoding: gzip\n\n"
    )
    with open(file, "wb") as out:
        out.write(header.encode() + gzip.compress(bytes(labels), 9, mtime=0))


main()
