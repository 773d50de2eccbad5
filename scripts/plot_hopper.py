#!/usr/bin/env python3
"""Draws two pictures of a run of configs/hopper.json: frames side by side, and its flow compared with Beverloo's law.

Usage: plot_hopper.py FOLDER [--to DIR] [--times T T ...] [--open T]

Reads frames and series.csv of an output folder; writes DIR/hopper.png and DIR/hopper_flow.png (default: docs) and
prints the numbers. Needs numpy, h5py, matplotlib, pillow and pyvista.
"""

import argparse
import csv
import json
import pathlib

import h5py
import numpy

ORIFICE = 0.050                 # diameter of the orifice of configs/hopper.stl [m]
BIN = 0.060                     # radius of its bin [m]
DENSITY = 2500.0                # density of glass [kg/m3]
GRAVITY = 9.81                  # [m/s2]
BEVERLOO_C, BEVERLOO_K = 0.58, 1.4
LAYERS = ["#1d3557", "#4a7c99", "#a8c8c8", "#f1e3b8", "#e9b44c", "#d1603d", "#8d2b2b"]


def list_frames(folder):
    """Times [s] and files of the frames of a run."""
    files = json.loads((folder / "frames.vtkhdf.series").read_text())["files"]
    return [(entry["time"], folder / entry["name"]) for entry in files]


def read_points(file):
    with h5py.File(file) as hdf:
        root = hdf["VTKHDF"]
        return root["Points"][...], {name: values[...] for name, values in root["PointData"].items()}


def ids_of(first, now):
    """Ids of the particles in a later frame: its field, or found by radius, since both frames ascend in id."""
    if "id" in now:
        return now["id"]
    radius, ids, at = first["radius"], [], 0
    for r in now["radius"]:
        while radius[at] != r:
            at += 1
        ids.append(at)
        at += 1
    return numpy.array(ids)


def spheres(pyvista, points, radius, colour):
    """An actor that draws one ball per point."""
    import vtk
    from vtkmodules.util.numpy_support import numpy_to_vtk

    cloud = pyvista.PolyData(points)
    cloud["size"] = radius.astype(float)
    colours = numpy_to_vtk(colour.astype(numpy.uint8), deep=True)
    colours.SetName("colour")
    cloud.GetPointData().AddArray(colours)
    mapper = vtk.vtkGlyph3DMapper()
    mapper.SetInputData(cloud)
    mapper.SetSourceData(pyvista.Sphere(radius=1.0, theta_resolution=18, phi_resolution=14))
    mapper.SetScaleArray("size")
    mapper.SetScaleModeToScaleByMagnitude()
    mapper.SetScaleFactor(1.0)
    mapper.SetScalarModeToUsePointFieldData()
    mapper.SelectColorArray("colour")
    mapper.SetColorModeToDirectScalars()
    actor = vtk.vtkActor()
    actor.SetMapper(mapper)
    actor.GetProperty().SetAmbient(0.25)
    actor.GetProperty().SetDiffuse(0.8)
    actor.GetProperty().SetSpecular(0.15)
    actor.GetProperty().SetSpecularPower(20)
    return actor


def draw_moment(pyvista, folder, points, radius, colour, gate, size):
    """Picture of the half behind y = 0, seen from the front; drawn at twice its size for smooth edges."""
    from PIL import Image

    # Centre and half height of the picture [m]. The view is low and from the front.
    middle, half_height = 0.049, 0.112
    plotter = pyvista.Plotter(off_screen=True, window_size=(2 * size[0], 2 * size[1]), lighting="none")
    plotter.set_background("white")
    behind = points[:, 1] > 0
    plotter.add_actor(spheres(pyvista, points[behind], radius[behind], colour[behind]))
    hopper = pyvista.read(folder / "boundaries" / "hopper.vtkhdf").extract_surface(algorithm="dataset_surface")
    wall = hopper.clip("y", origin=(0, 0, 0), invert=False).clip("z", origin=(0, 0, 0.150), invert=True)
    plotter.add_mesh(wall, color="#dfe3e8", ambient=0.45, diffuse=0.6, specular=0.0)
    profile = numpy.array([[BIN, 0, 0.150], [BIN, 0, BIN - ORIFICE / 2], [ORIFICE / 2, 0, 0]])
    for side in (1, -1):
        plotter.add_mesh(pyvista.lines_from_points(profile * [side, 1, 1]).tube(radius=0.0009), color="#46505a")
    if gate:
        plate = pyvista.Box((-0.03, 0.03, 0, 0.03, -0.0012, -0.0001))
        plotter.add_mesh(plate, color="#46505a", ambient=0.4)
    for position, intensity in (((-0.6, -1.0, 1.1), 0.85), ((0.9, -0.9, 0.3), 0.35)):
        plotter.add_light(pyvista.Light(position=position, focal_point=(0, 0, middle), intensity=intensity))
    plotter.camera.parallel_projection = True
    plotter.camera.position = (0, -1, middle + 0.12)
    plotter.camera.focal_point = (0, 0, middle)
    plotter.camera.up = (0, 0, 1)
    plotter.camera.parallel_scale = half_height
    plotter.camera.clipping_range = (0.1, 3)
    image = Image.fromarray(plotter.screenshot(return_img=True))
    plotter.close()
    return image.resize(size, Image.LANCZOS)


def draw_moments(folder, times, opening, file):
    import pyvista
    from PIL import Image, ImageDraw, ImageFont
    import matplotlib

    frames = list_frames(folder)
    chosen = [min(frames, key=lambda frame: abs(frame[0] - t)) for t in times]
    start_points, start = read_points(min(frames, key=lambda frame: abs(frame[0] - opening))[1])
    edges = numpy.linspace(start_points[:, 2].min(), numpy.percentile(start_points[:, 2], 99.5), len(LAYERS) + 1)
    layer = numpy.clip(numpy.searchsorted(edges, start_points[:, 2]) - 1, 0, len(LAYERS) - 1)
    palette = numpy.array([[int(code[i:i + 2], 16) for i in (1, 3, 5)] for code in LAYERS])

    size = (400, 600)
    font_file = pathlib.Path(matplotlib.get_data_path()) / "fonts" / "ttf" / "DejaVuSans.ttf"
    font = ImageFont.truetype(str(font_file), 22)
    sheet = Image.new("RGB", (size[0] * len(chosen), size[1] + 36), "white")
    for k, (time, frame) in enumerate(chosen):
        points, fields = read_points(frame)
        colour = palette[layer[ids_of(start, fields)]]
        picture = draw_moment(pyvista, folder, points, fields["radius"], colour, time <= opening + 1e-3, size)
        sheet.paste(picture, (k * size[0], 0))
        text = f"{time - opening:.2f} s after opening" if time > opening + 1e-3 else "at rest"
        ImageDraw.Draw(sheet).text(((k + 0.5) * size[0], size[1] + 14), text, fill="#333333", font=font, anchor="mm")
    sheet.quantize(200, dither=Image.Dither.NONE).save(file, optimize=True)
    print(f"{file}: frames at " + ", ".join(f"{time:.3f}" for time, _ in chosen) + " s")


def bulk_density(folder, opening):
    """Bulk density [kg/m3] of the particles at rest in the middle of the bin."""
    points, fields = read_points(min(list_frames(folder), key=lambda frame: abs(frame[0] - opening))[1])
    low, high, radius = 0.045, 0.085, 0.050  # at least two diameters away from the wall and the free surface
    inside = (points[:, 2] > low) & (points[:, 2] < high) & (numpy.hypot(points[:, 0], points[:, 1]) < radius)
    mass = DENSITY * 4 / 3 * numpy.pi * (fields["radius"][inside].astype(float) ** 3).sum()
    return mass / (numpy.pi * radius**2 * (high - low))


def draw_flow(folder, opening, file):
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    with open(folder / "series.csv", newline="") as text:
        header, *rows = csv.reader(text)
    table = numpy.array(rows, dtype=float)
    time, mass = table[:, 0], table[:, header.index("removed_mass_orifice[kg]")]
    _, fields = read_points(list_frames(folder)[0][1])
    radius = fields["radius"].astype(float)
    total = DENSITY * 4 / 3 * numpy.pi * (radius**3).sum()
    diameter = 2 * radius.mean()

    steady = (mass > 0.1 * total) & (mass < 0.6 * total)
    if steady.sum() < 3:
        raise SystemExit("plot_hopper: the run is too short: less than a tenth of the mass has left")
    flow, offset = numpy.polyfit(time[steady], mass[steady], 1)
    density = bulk_density(folder, opening)
    scale = density * numpy.sqrt(GRAVITY) * (ORIFICE - BEVERLOO_K * diameter) ** 2.5
    law = BEVERLOO_C * scale
    middle_time, middle_mass = time[steady].mean(), mass[steady].mean()

    figure, axes = pyplot.subplots(figsize=(7, 4.2), dpi=120)
    axes.plot(time, mass, color="#1d3557", lw=2.2, label="scree: mass through the orifice")
    ends = numpy.array([middle_time - middle_mass / law, middle_time + (0.75 * total - middle_mass) / law])
    axes.plot(ends, middle_mass + law * (ends - middle_time), "--", color="#d1603d", lw=1.6,
              label=f"Beverloo, C = {BEVERLOO_C}, k = {BEVERLOO_K}: {law:.3f} kg/s")
    axes.axvspan(time[steady][0], time[steady][-1], color="#a8c8c8", alpha=0.3, lw=0,
                 label=f"steady part: {flow:.3f} kg/s")
    axes.axhline(total, color="#999999", lw=0.8)
    axes.text(time[0], total, " all of it", va="bottom", color="#777777")
    axes.set_xlabel("time [s]")
    axes.set_ylabel("discharged mass [kg]")
    axes.set_ylim(0, 1.12 * total)
    axes.set_xlim(time[0], max(time[-1], ends[-1]))
    axes.legend(frameon=False, loc="lower right", bbox_to_anchor=(1.0, 0.04))
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    figure.tight_layout()
    figure.savefig(file)
    print(f"{file}: up to t = {time[-1]:.3f} s")
    print(f"total mass            {total:.4f} kg, mean diameter {diameter * 1e3:.3f} mm")
    print(f"bulk density at rest  {density:.0f} kg/m3, solid fraction {density / DENSITY:.3f}")
    print(f"steady flow           {flow:.4f} kg/s, from t = {time[steady][0]:.3f} to {time[steady][-1]:.3f} s")
    print(f"Beverloo              {law:.4f} kg/s with C = {BEVERLOO_C}, k = {BEVERLOO_K}; run / law = {flow / law:.3f}")
    print(f"C of this run         {flow / scale:.3f} with k = {BEVERLOO_K}")
    print(f"left at the end       {total - mass[-1]:.4f} kg")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path, help="output folder of a run of configs/hopper.json")
    docs = pathlib.Path(__file__).resolve().parent.parent / "docs"
    parser.add_argument("--to", type=pathlib.Path, default=docs, help="where the pictures go (default: docs)")
    parser.add_argument("--times", type=float, nargs="+", default=[0.5, 0.7, 0.94, 1.2], help="moments [s]")
    parser.add_argument("--open", type=float, default=0.5, help="when the gate opens [s]")
    arguments = parser.parse_args()
    arguments.to.mkdir(parents=True, exist_ok=True)
    draw_moments(arguments.folder, arguments.times, arguments.open, arguments.to / "hopper.png")
    draw_flow(arguments.folder, arguments.open, arguments.to / "hopper_flow.png")


if __name__ == "__main__":
    main()
