#!/usr/bin/env python3
"""Draws frames of configs/level_set_rain.json side by side: docs/level_set_rain.png.

Usage: plot_grains.py FOLDER [--to PICTURE] [--times T T ...]

Reads the surfaces of all grains of an output folder. Needs numpy, h5py, pillow and pyvista.
"""

import argparse
import json
import pathlib

import h5py
import numpy

SHAPES = ["#4a7c99", "#e9b44c", "#b5523b"]  # colour by shape, in the order of the number of triangles
BOX = (0, 0.08, 0, 0.08, 0, 0.2)            # walls of the case, as high as the picture shows them [m]


def list_frames(folder):
    """Times [s] and files of the surfaces of grains."""
    files = json.loads((folder / "grains.vtkhdf.series").read_text())["files"]
    return [(entry["time"], folder / entry["name"]) for entry in files]


def read_surfaces(file):
    """Vertices [n, 3] in metres, triangles [m, 3] and the grain [m] of each triangle."""
    with h5py.File(file) as hdf:
        root = hdf["VTKHDF"]
        return root["Points"][...], root["Connectivity"][...].reshape(-1, 3), root["CellData/clump"][...]


def shape_of_triangles(grain):
    """Number of the shape of each triangle. Grains of one shape have the same number of triangles."""
    _, of_triangle, counts = numpy.unique(grain, return_inverse=True, return_counts=True)
    _, shape = numpy.unique(counts, return_inverse=True)
    return shape[of_triangle]


def draw(pyvista, file, size):
    """Picture of one frame, drawn at twice its size for smooth edges."""
    points, triangles, grain = read_surfaces(file)
    faces = numpy.hstack([numpy.full((len(triangles), 1), 3), triangles])
    surface = pyvista.PolyData(points, faces)
    palette = numpy.array([[int(c[i:i + 2], 16) for i in (1, 3, 5)] for c in SHAPES], dtype=numpy.uint8)
    shade = numpy.random.default_rng(1).uniform(0.8, 1.1, grain.max() + 1)[grain]
    colours = palette[shape_of_triangles(grain) % len(SHAPES)] * shade[:, None]
    surface["colour"] = numpy.clip(colours, 0, 255).astype(numpy.uint8)
    plotter = pyvista.Plotter(off_screen=True, window_size=[2 * n for n in size])
    plotter.set_background("white")
    plotter.add_mesh(surface, scalars="colour", rgb=True, smooth_shading=True, split_sharp_edges=True, ambient=0.2)
    plotter.add_mesh(pyvista.Box(BOX), style="wireframe", color="#888888", line_width=3)
    plotter.camera_position = [(0.46, -0.43, 0.3), (0.04, 0.04, 0.088), (0, 0, 1)]
    plotter.camera.view_angle = 22
    return plotter.screenshot(return_img=True)


def draw_row(chosen, draw_frame, size, target):
    """Writes a picture of frames side by side. `chosen` are entries of list_frames(); draw_frame(file) draws one."""
    from PIL import Image
    picture = Image.new("RGB", (size[0] * len(chosen), size[1]), "white")
    for k, (time, file) in enumerate(chosen):
        picture.paste(Image.fromarray(draw_frame(file)).resize(size, Image.LANCZOS), (k * size[0], 0))
        print(f"{file.name}: {time:g} s")
    picture.quantize(128).save(target, optimize=True)


def nearest_frames(frames, moments):
    """The entries of list_frames() nearest to some moments [s]."""
    return [min(frames, key=lambda frame: abs(frame[0] - moment)) for moment in moments]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--to", type=pathlib.Path, default=pathlib.Path("docs/level_set_rain.png"))
    parser.add_argument("--times", type=float, nargs="+", default=[0.08, 0.14, 0.4], help="moments [s]")
    arguments = parser.parse_args()
    import pyvista

    size = (340, 480)
    chosen = nearest_frames(list_frames(arguments.folder), arguments.times)
    draw_row(chosen, lambda file: draw(pyvista, file, size), size, arguments.to)
    print(arguments.to)


if __name__ == "__main__":
    main()
