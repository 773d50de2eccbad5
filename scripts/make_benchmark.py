#!/usr/bin/env python3
"""make_benchmark.py SOURCE [FOLDER]: converts the files of Dosta et al. (2024) to those of configs/benchmark/.

SOURCE has the initial positions and walls of the benchmark (doi 10.5281/zenodo.8252892, or the folder
Drivers/Papers/OSBenchmark of MercuryDPM, BSD 3-Clause), plain or compressed by gzip: 25KParticles.txt,
DrumPartCoordinates.txt, PenetrationWalls.txt, DrumWalls.txt, and 50KParticles.txt and 100KParticles.txt if they are
there. All numbers stay as they are written. FOLDER is configs/benchmark if it is left out.
"""

import gzip
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


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


if __name__ == "__main__":
    main()
