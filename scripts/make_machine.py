#!/usr/bin/env python3
"""make_machine.py screen|screw|drum [options] FILE.obj: writes a simple machine as a surface mesh, in metres.

docs/machines.md shows cases with these meshes. Each machine consists of named parts; `part` of a boundary chooses one.
"""

import argparse
import math
from collections.abc import Iterator

Point = tuple[float, float, float]


class Surface:
    """Triangles by the names of their parts."""

    def __init__(self) -> None:
        self.parts: dict[str, list[tuple[Point, Point, Point]]] = {}

    def quad(self, part: str, a: Point, b: Point, c: Point, d: Point) -> None:
        self.parts.setdefault(part, []).extend([(a, b, c), (a, c, d)])

    def bar(self, part: str, low: Point, high: Point) -> None:
        """A closed box whose triangles face outwards."""
        x, y, z = zip(low, high, strict=True)
        at = [(x[i & 1], y[i >> 1 & 1], z[i >> 2]) for i in range(8)]
        for a, b, c, d in ((0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)):
            self.quad(part, at[a], at[b], at[c], at[d])

    def write(self, file: str) -> None:
        with open(file, "w") as out:
            corners = 0
            for part, triangles in self.parts.items():
                out.write(f"o {part}\n")
                for triangle in triangles:
                    out.writelines("v {:.9g} {:.9g} {:.9g}\n".format(*point) for point in triangle)
                    out.write(f"f {corners + 1} {corners + 2} {corners + 3}\n")
                    corners += 3


def steps(n: int) -> Iterator[tuple[float, float]]:
    """Pairs of neighbouring angles around a circle."""
    for k in range(n):
        yield 2 * math.pi * k / n, 2 * math.pi * ((k + 1) % n) / n


def about_x(radius: float, angle: float, x: float) -> Point:
    return x, radius * math.cos(angle), radius * math.sin(angle)


def screen(aperture: float, wire: float, cells: tuple[int, int]) -> Surface:
    """A deck of square bars with square apertures, from x = 0 on, symmetric about y = 0, with its top at z = 0."""
    surface, pitch = Surface(), aperture + wire
    side, bottom = cells[1] * pitch / 2 + wire / 2, -wire
    for i in range(cells[0] + 1):
        surface.bar("deck", (i * pitch, -side, bottom), (i * pitch + wire, side, 0.0))
    for j in range(cells[1] + 1):
        for i in range(cells[0]):
            y = j * pitch - side
            surface.bar("deck", (i * pitch + wire, y, bottom), ((i + 1) * pitch, y + wire, 0.0))
    return surface


def screw(radius: float, shaft: float, pitch: float, length: float, segments: int = 32) -> Surface:
    """A right-handed screw about x, from x = 0: a closed shaft, and a flight without thickness."""
    surface = Surface()
    for k in range(round(segments * length / pitch)):
        a, b = 2 * math.pi * k / segments, 2 * math.pi * (k + 1) / segments
        x, y = pitch * k / segments, pitch * (k + 1) / segments
        surface.quad("flight", about_x(shaft, a, x), about_x(radius, a, x), about_x(radius, b, y), about_x(shaft, b, y))
    for a, b in steps(segments):
        surface.quad(
            "shaft", about_x(shaft, a, 0), about_x(shaft, b, 0), about_x(shaft, b, length), about_x(shaft, a, length)
        )
        surface.parts["shaft"].append(((0, 0, 0), about_x(shaft, b, 0), about_x(shaft, a, 0)))
        surface.parts["shaft"].append(((length, 0, 0), about_x(shaft, a, length), about_x(shaft, b, length)))
    return surface


def drum(radius: float, length: float, lifters: int, height: float, dam: float, segments: int = 72) -> Surface:
    """A drum about x, open at both ends. Its wall is bent inwards to lifters; a dam is a ring at each end."""
    surface = Surface()

    def wall(k: int) -> float:
        if not lifters:
            return radius
        return radius - (height if k * lifters % segments < lifters else 0.0)

    for k, (a, b) in enumerate(steps(segments)):
        r, s = wall(k), wall((k + 1) % segments)
        surface.quad("wall", about_x(r, a, 0), about_x(r, a, length), about_x(s, b, length), about_x(s, b, 0))
        for x in (0.0, length) if dam else ():
            edge = radius - dam
            surface.quad("dam", about_x(radius, a, x), about_x(radius, b, x), about_x(edge, b, x), about_x(edge, a, x))
    return surface


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    kinds = parser.add_subparsers(dest="kind", required=True)
    sieve = kinds.add_parser("screen", help=screen.__doc__)
    sieve.add_argument("--aperture", type=float, required=True, help="edge of an aperture [m]")
    sieve.add_argument("--wire", type=float, required=True, help="edge of the section of a bar [m]")
    sieve.add_argument("--cells", type=int, nargs=2, required=True, help="apertures along x and y")
    feeder = kinds.add_parser("screw", help=screw.__doc__)
    turning = kinds.add_parser("drum", help=drum.__doc__)
    for machine, names in ((feeder, ("radius", "shaft", "pitch", "length")), (turning, ("radius", "length"))):
        for name in names:
            machine.add_argument(f"--{name}", type=float, required=True, help="[m]")
    turning.add_argument("--lifters", type=int, default=0, help="their number, a divisor of 72")
    turning.add_argument("--height", type=float, default=0.0, help="of a lifter [m]")
    turning.add_argument("--dam", type=float, default=0.0, help="height of the rings at both ends [m]")
    for machine in kinds.choices.values():
        machine.add_argument("file")
    given = parser.parse_args()
    if given.kind == "screen":
        surface = screen(given.aperture, given.wire, tuple(given.cells))
    elif given.kind == "screw":
        surface = screw(given.radius, given.shaft, given.pitch, given.length)
    else:
        if given.lifters and 72 % given.lifters:
            parser.error("--lifters must divide 72")
        surface = drum(given.radius, given.length, given.lifters, given.height, given.dam)
    surface.write(given.file)


if __name__ == "__main__":
    main()
