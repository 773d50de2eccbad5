#!/usr/bin/env python3
"""Draws loops of the tangential force under three laws, from `scree contact`, and the tractions after them: docs/jaeger.md.

Usage: plot_loops.py SCREE [--to PNG]

A sphere is pressed on a plane and moved back and forth along it. Needs matplotlib.
"""

import argparse
import csv
import pathlib
import subprocess
import tempfile

RADIUS, MODULUS, POISSON, FRICTION, OVERLAP = 1e-3, 70e9, 0.25, 0.5, 1e-6
KAPPA = (2 - POISSON) / (2 * (1 - POISSON))
REACH = KAPPA * FRICTION * OVERLAP  # displacement at which the whole contact slides, on first loading
CASE = """{ "title": "Loops", "time": { "duration": 1 }, "precision": "double",
  "materials": { "glass": { "density": 2500, "young_modulus": %g, "poisson_ratio": %g, "friction": %g, "restitution": 1 } },
  "particles": [ { "material": "glass", "radius": 1e-3, "fill": { "box": [[0, 0, 0], [0.01, 0.01, 0.01]], "count": 1 } } ],
  "contacts": [ { "between": ["glass", "glass"], "law": "%%s" } ] }""" % (MODULUS, POISSON, FRICTION)
LAWS = {"jaeger": "tab:blue", "mindlin_reversal": "tab:orange", "hertz_mindlin": "tab:green"}


def to_and_fro(turns, points):
    """The path from turn to turn, with `points` steps between two turns."""
    places = [turns[0]]
    for begin, end in zip(turns, turns[1:]):
        places += [begin + (end - begin) * (k + 1) / points for k in range(points)]
    return places


def contact(scree, law, places, pressed, folder):
    """Displacements over REACH, forces over friction times normal force, and the table of tractions at the end."""
    case, path = folder / "case.json", folder / "path.csv"
    case.write_text(CASE % law)
    lines = ["time,normal,tangential1", "0,0,0", f"1,{pressed[0]:.17g},0"]
    lines += [f"{k + 2},{n:.17g},{place * REACH:.17g}" for k, (n, place) in enumerate(zip(pressed, places))]
    path.write_text("\n".join(lines) + "\n")
    command = [scree, "contact", str(case), "--between", "glass", "glass", "--wall", "--radii", str(RADIUS), "--path", str(path),
               "--out", str(folder / "answer.csv")]
    if law == "jaeger":
        command += ["--traction", str(folder / "traction.csv")]
    subprocess.run(command, check=True, capture_output=True)
    rows = list(csv.DictReader((folder / "answer.csv").open()))[2:]
    normal = max(float(row["force_x[N]"]) for row in rows)
    return places, [-float(row["force_y[N]"]) / (FRICTION * normal) for row in rows]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scree")
    parser.add_argument("--to", default="docs/jaeger_loops.png")
    options = parser.parse_args()
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, 3, figsize=(13, 4))
    turns = [0, 0.8, -0.4, 0.6, 0.1, 0.4, 0.2, 0.9]
    loops = to_and_fro(turns, 60)
    oblique = to_and_fro([0, 0.9, -0.2, 0.9], 60)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for law, colour in LAWS.items():
            x, force = contact(options.scree, law, loops, [OVERLAP] * len(loops), folder)
            axes[0].plot(x, force, color=colour, label=law, linewidth=1.6 if law == "jaeger" else 1)
            if law == "jaeger":
                text = [line for line in (folder / "traction.csv").read_text().splitlines() if not line.startswith("#")]
                table = list(csv.reader(text))
                columns = list(zip(*[[float(v) for v in row] for row in table[1:]]))
                half_width, peak = columns[0][-1], FRICTION * columns[1][0]
                axes[2].plot([r / half_width for r in columns[0]], [FRICTION * p / peak for p in columns[1]], "k--", linewidth=1,
                             label="friction times pressure")
                axes[2].plot([r / half_width for r in columns[0]], [q / peak for q in columns[2]], color=colour, label="traction on the plane")
            pressed = [OVERLAP * (1 + 0.4 * place) for place in oblique]
            x, force = contact(options.scree, law, oblique, pressed, folder)
            axes[1].plot(x, force, color=colour, linewidth=1.6 if law == "jaeger" else 1)
    axes[0].set(title="constant normal force", xlabel="displacement / reach", ylabel="tangential force / (friction x largest normal force)")
    axes[1].set(title="pressed as it is sheared, and back", xlabel="displacement / reach")
    axes[2].set(title="after the loops on the left", xlabel="r / contact radius", ylabel="over friction times largest pressure")
    axes[0].legend()
    axes[2].legend()
    for axis in axes:
        axis.grid(alpha=0.3)
    figure.tight_layout()
    figure.savefig(options.to, dpi=90)


if __name__ == "__main__":
    main()
