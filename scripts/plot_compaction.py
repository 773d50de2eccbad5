#!/usr/bin/env python3
"""Draws frames of validation/deformable/compaction.json side by side: docs/compaction.png.

Usage: plot_compaction.py FOLDER [--to PICTURE] [--times T T ...]

The colour of a grain is its strain: the distance of the points of its surface from those of the undeformed grain,
placed as well as it can be (root mean square), over the radius. Needs numpy, h5py, pillow, matplotlib and pyvista.
"""

import argparse
import json
import pathlib

import h5py
import numpy

BOX = (0, 0.05, 0, 0.05, 0, 0.13)  # walls of the case [m]
SIZE = (330, 560)                  # of each picture
COLOURS = ["#7fa3ba", "#e9b44c", "#b5523b"]  # of no strain, some and much


def list_frames(folder):
    """Times [s] and files of the surfaces of grains."""
    files = json.loads((folder / "grains.vtkhdf.series").read_text())["files"]
    return [(entry["time"], folder / entry["name"]) for entry in files]


def read_surfaces(file):
    """Vertices [n, 3] in metres, triangles [m, 3] and the grain [m] of each triangle."""
    with h5py.File(file) as hdf:
        root = hdf["VTKHDF"]
        return root["Points"][...], root["Connectivity"][...].reshape(-1, 3), root["CellData/clump"][...]


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


def misfit(before, after):
    """Distance of two sets of points (root mean square) when the first is moved as a rigid body, over its radius."""
    before, after = before - before.mean(axis=0), after - after.mean(axis=0)
    u, _, v = numpy.linalg.svd(before.T @ after)
    turn = u @ numpy.diag([1, 1, numpy.sign(numpy.linalg.det(u @ v))]) @ v
    return numpy.sqrt(((before @ turn - after) ** 2).sum(axis=1).mean() / (before**2).sum(axis=1).mean())


def strains(start, now):
    """Strain of each grain."""
    points, triangles, grain = now
    found = numpy.zeros(grain.max() + 1)
    for k in range(len(found)):
        of_grain = numpy.unique(triangles[grain == k])
        found[k] = misfit(start[0][of_grain], points[of_grain])
    return found


def draw(pyvista, start, now, most):
    """Picture of one frame, drawn at twice its size for smooth edges."""
    from matplotlib.colors import LinearSegmentedColormap
    points, triangles, grain = now
    surface = pyvista.PolyData(points, numpy.hstack([numpy.full((len(triangles), 1), 3), triangles]))
    surface["strain"] = strains(start, now)[grain]
    plotter = pyvista.Plotter(off_screen=True, window_size=[2 * n for n in SIZE])
    plotter.set_background("white")
    colours = LinearSegmentedColormap.from_list("strain", COLOURS)
    plotter.add_mesh(surface, scalars="strain", cmap=colours, clim=[0, most], smooth_shading=True,
                     split_sharp_edges=True, ambient=0.2, show_scalar_bar=False)
    plotter.add_mesh(pyvista.Box(BOX), style="wireframe", color="#888888", line_width=3)
    plotter.camera_position = [(0.27, -0.27, 0.17), (0.025, 0.025, 0.062), (0, 0, 1)]
    plotter.camera.view_angle = 25
    return plotter.screenshot(return_img=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--to", type=pathlib.Path, default=pathlib.Path("docs/compaction.png"))
    parser.add_argument("--times", type=float, nargs="+", default=[0, 0.12, 0.15], help="moments [s]")
    arguments = parser.parse_args()
    import pyvista

    frames = list_frames(arguments.folder)
    start = read_surfaces(frames[0][1])
    chosen = nearest_frames(frames, arguments.times)
    last = strains(start, read_surfaces(chosen[-1][1]))
    most = float(numpy.quantile(last, 0.98))
    draw_row(chosen, lambda file: draw(pyvista, start, read_surfaces(file), most), SIZE, arguments.to)
    print(f"strain at the end: mean {last.mean():.3f}, largest {last.max():.3f}; the colours end at {most:.3f}")
    print(arguments.to)


if __name__ == "__main__":
    main()
