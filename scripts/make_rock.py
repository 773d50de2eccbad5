#!/usr/bin/env python3
"""make_rock.py [FILE]: writes rock.stl, the mesh of a rounded rock of some 10 units across, for docs/deformable.md.

The rock is an ellipsoid with three shallow bumps and a flat side. Its surface is an octahedron whose faces are divided.
"""

import math
import struct
import sys

AXES = (6.0, 5.0, 4.2)
BUMPS = (((0.6, 0.6, 0.53), 0.10), ((-0.8, 0.2, 0.56), 0.08), ((0.1, -0.9, -0.42), 0.12))  # direction, height
FLAT = ((-0.42, 0.3, -0.86), 0.86)  # direction, largest distance over the radius
PARTS = 14  # of each edge of the octahedron


def point(x, y, z):
    """Point of the surface along a direction."""
    length = math.sqrt(x * x + y * y + z * z)
    x, y, z = x / length, y / length, z / length
    radius = 1.0
    for (a, b, c), height in BUMPS:
        radius += height * math.exp((x * a + y * b + z * c - 1) / 0.12)
    (a, b, c), most = FLAT
    along = x * a + y * b + z * c
    if along > 0:
        radius = 1 / (radius**-8 + (along / most) ** 8) ** (1 / 8)  # the smaller of the two, rounded
    return tuple(radius * axis * value for axis, value in zip(AXES, (x, y, z)))


def triangles():
    """All triangles, with their corners counter-clockwise as seen from outside."""
    for sx in (1, -1):
        for sy in (1, -1):
            for sz in (1, -1):
                def corner(i, j):
                    return point(sx * i, sy * j, sz * (PARTS - i - j))
                for i in range(PARTS):
                    for j in range(PARTS - i):
                        faces = [(corner(i, j), corner(i + 1, j), corner(i, j + 1))]
                        if i + j < PARTS - 1:
                            faces.append((corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1)))
                        for a, b, c in faces:
                            yield (a, b, c) if sx * sy * sz > 0 else (a, c, b)


def main():
    file = sys.argv[1] if len(sys.argv) > 1 else "rock.stl"
    faces = list(triangles())
    with open(file, "wb") as out:
        out.write(b"a rock, made by scripts/make_rock.py".ljust(80) + struct.pack("<I", len(faces)))
        for face in faces:
            out.write(struct.pack("<12fH", 0, 0, 0, *(value for corner in face for value in corner), 0))
    print(file)


main()
