#!/usr/bin/env python3
"""make_benchmark.py SOURCE [FOLDER]: converts the files of Dosta et al. (2024) to those of configs/benchmark/.

SOURCE has the initial positions and walls of the benchmark (doi 10.5281/zenodo.8252892, or the folder
Drivers/Papers/OSBenchmark of MercuryDPM, BSD 3-Clause), plain or compressed by gzip: 25KParticles.txt,
DrumPartCoordinates.txt, PenetrationWalls.txt, DrumWalls.txt, and 50KParticles.txt and 100KParticles.txt if they are
there. All numbers stay as they are written. FOLDER (default: configs/benchmark) also gets silo_room.obj and
silo_small_room.obj, the rooms that the silos are filled in, which come from no file.
"""

import gzip
import itertools
import math
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SEGMENTS = 96  # of the room of the silo


def rows_of(source: pathlib.Path, name: str) -> list[list[str]]:
    """Rows of a file of the benchmark without the line of names; nothing if there is no such file."""
    plain, packed = source / name, source / f"{name}.gz"
    if plain.exists():
        text = plain.read_text()
    elif packed.exists():
        text = gzip.decompress(packed.read_bytes()).decode()
    else:
        return []
    return [line.split() for line in text.splitlines()[1:] if line.strip()]


def write_particles(file: pathlib.Path, rows: list[list[str]], radius: str) -> None:
    """A particle file of the spheres of one radius. The line of the ball has other columns: the case has the ball."""
    lines = [",".join([*row[1:], row[0]]) for row in rows if len(row) == 4 and row[0] == radius]
    file.write_text("\n".join(["x,y,z,radius", *lines]) + "\n")


def write_walls(file: pathlib.Path, rows: list[list[str]]) -> None:
    """Triangles as OBJ; equal points are one vertex."""
    corners = [tuple(row[k : k + 3]) for row in rows for k in (0, 3, 6)]
    number = {corner: k for k, corner in enumerate(dict.fromkeys(corners), 1)}
    lines = [f"v {' '.join(corner)}" for corner in number]
    lines += ["f " + " ".join(str(number[corner]) for corner in corners[k : k + 3]) for k in range(0, len(corners), 3)]
    file.write_text("\n".join(lines) + "\n")


def write_room(file: pathlib.Path, profile: list[tuple[float, float]]) -> None:
    """A closed surface of revolution about z through the points (radius, z), from the bottom to the top."""
    lines = [f"v 0 0 {profile[0][1]:.7g}", f"v 0 0 {profile[-1][1]:.7g}"]
    angles = [2 * math.pi * k / SEGMENTS for k in range(SEGMENTS)]
    lines += [f"v {r * math.cos(a):.7g} {r * math.sin(a):.7g} {z:.7g}" for r, z in profile for a in angles]
    for k in range(SEGMENTS):
        rings = [[3 + ring * SEGMENTS + side % SEGMENTS for side in (k, k + 1)] for ring in range(len(profile))]
        lines += [f"f 1 {rings[0][1]} {rings[0][0]}", f"f 2 {rings[-1][0]} {rings[-1][1]}"]
        for low, high in itertools.pairwise(rings):
            lines += [f"f {low[0]} {low[1]} {high[1]}", f"f {low[0]} {high[1]} {high[0]}"]
    file.write_text("\n".join(lines) + "\n")


def main() -> None:
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    source = pathlib.Path(sys.argv[1])
    folder = pathlib.Path(sys.argv[2]) if len(sys.argv) == 3 else ROOT / "configs/benchmark"
    folder.mkdir(parents=True, exist_ok=True)
    for bed in ("25K", "50K", "100K"):
        if rows := rows_of(source, f"{bed}Particles.txt"):
            write_particles(folder / f"bed_{bed.lower()}.csv", rows, "0.001")
    if rows := rows_of(source, "DrumPartCoordinates.txt"):
        write_particles(folder / "drum_m1.csv", rows, "0.001")
        write_particles(folder / "drum_m2.csv", rows, "0.002")
    for name, to in (("PenetrationWalls.txt", "box.obj"), ("DrumWalls.txt", "drum.obj")):
        if rows := rows_of(source, name):
            write_walls(folder / to, rows)
    write_room(folder / "silo_room.obj", [(0.03, -0.0554222), (0.1, 0.0145778), (0.1, 0.175)])
    write_room(folder / "silo_small_room.obj", [(0.02, -0.0593008), (0.1, 0.0206992), (0.1, 0.175)])


if __name__ == "__main__":
    main()
