#!/usr/bin/env python3
"""make_scan.py [FILE]: writes docs/tutorials/scan.nrrd, an image of four broken stones as a segmented scan has them.

Each stone has a label, 1 to 4; 0 is what is between them. A stone is the part of space behind a dozen planes of random
directions and distances. The image is the same everywhere.
"""

import math
import sys

from voxel_image import random_numbers, write_nrrd

room = 36  # voxels of a stone along each axis
edge = 2.5e-4  # of a voxel [m]
planes = 14


def stone(random):
    """Planes (normal, distance from the middle in voxels); the last six bound the stone along the axes."""
    found = []
    for _ in range(planes):
        z, angle = 2 * next(random) - 1, 2 * math.pi * next(random)
        ring = math.sqrt(1 - z * z)
        found.append((ring * math.cos(angle), ring * math.sin(angle), z, 8.5 + 5 * next(random)))
    for axis in range(3):
        for sign in (-1, 1):
            found.append((*(sign * (axis == k) for k in range(3)), 11 + 4 * next(random)))
    return found


def main():
    file = sys.argv[1] if len(sys.argv) > 1 else "docs/tutorials/scan.nrrd"
    random = random_numbers(11)
    stones = [stone(random) for _ in range(4)]
    middle = (room - 1) / 2
    labels = bytearray()
    for k in range(room):
        for j in range(2 * room):
            for i in range(2 * room):
                number = i // room + 2 * (j // room)
                x, y, z = i % room - middle, j % room - middle, k - middle
                inside = all(x * a + y * b + z * c < distance for a, b, c, distance in stones[number])
                labels.append(number + 1 if inside else 0)
    write_nrrd(file, "four stones, made by scripts/make_scan.py", (2 * room, 2 * room, room), edge, labels)


main()
