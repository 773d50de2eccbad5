"""Boundaries as surfaces: those that a run has written, and planes, which have no end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy

from ..results import Results
from .fields import Numbers

if TYPE_CHECKING:
    import pyvista

__all__ = ["FACET_VALUE", "clip_polygon", "facet_values", "meshes_at", "moved_planes", "plane_polygons", "surfaces_at"]

FACET_VALUE = "value of the facet"  #: name of these values in a surface


def clip_polygon(polygon: Numbers, point: Numbers, normal: Numbers, slack: float = 0.0) -> Numbers:
    """[n, 3] the part of a convex polygon on the side of a plane to which the normal points."""
    height = (polygon - point) @ normal + slack
    kept: list[Numbers] = []
    for k in range(len(polygon)):
        here, before = height[k], height[k - 1]
        if (here >= 0) != (before >= 0):
            kept.append(polygon[k - 1] + (polygon[k] - polygon[k - 1]) * (before / (before - here)))
        if here >= 0:
            kept.append(polygon[k])
    return numpy.array(kept).reshape(-1, 3)


def plane_polygons(planes: dict[str, tuple[Numbers, Numbers]], low: Numbers, high: Numbers) -> dict[str, Numbers]:
    """The part of each plane (point, normal) within a box and inside all other planes; empty ones are left out."""
    size = float(numpy.linalg.norm(high - low)) or 1.0
    found: dict[str, Numbers] = {}
    for name, (point, normal) in planes.items():
        across = numpy.cross(normal, numpy.eye(3)[numpy.abs(normal).argmin()])
        across /= numpy.linalg.norm(across)
        along = numpy.cross(normal, across)
        middle = (low + high) / 2
        centre = middle - ((middle - point) @ normal) * normal
        if numpy.linalg.norm(centre - middle) > 2 * size:
            continue
        corners = ((1, 1), (-1, 1), (-1, -1), (1, -1))
        polygon = numpy.array([centre + 2 * size * (a * across + b * along) for a, b in corners])
        for axis in range(3):
            if abs(normal[axis]) > 0.999:
                continue
            unit = numpy.eye(3)[axis]
            polygon = clip_polygon(polygon, low, unit)
            polygon = clip_polygon(polygon, high, -unit) if len(polygon) else polygon
        for other, (other_point, other_normal) in planes.items():
            if other != name and len(polygon) and abs(normal @ other_normal) < 0.999:
                polygon = clip_polygon(polygon, other_point, other_normal, 1e-9 * size)
        if len(polygon) >= 3:
            found[name] = polygon
    return found


def _translation(motions: Sequence[dict[str, Any]], time: float) -> Numbers | None:
    """[3] [m] what prescribed motions have moved a plane by; None where it turns or follows a table."""
    moved = numpy.zeros(3)
    for motion in motions:
        start, end = float(motion.get("from", 0.0)), motion.get("until")
        span = max(0.0, min(time, float(end) if end is not None else time) - start)
        if motion.get("type") == "translation" and "velocity" in motion:
            moved += numpy.array(motion["velocity"], float) * span
        elif motion.get("type") == "oscillation":
            angle = 2 * numpy.pi * float(motion["frequency"]) * span + float(motion.get("phase") or 0.0)
            offset = numpy.sin(angle) - numpy.sin(float(motion.get("phase") or 0.0))
            way = numpy.array(motion["direction"], float)
            moved += way / numpy.linalg.norm(way) * float(motion["amplitude"]) * offset
        else:
            return None
    return moved


def moved_planes(run: Results, time: float) -> dict[str, tuple[Numbers, Numbers]]:
    """Point and normal of each plane of a case at a time [s]. Planes whose place is not known are left out."""
    planes = {}
    for name, boundary in run.case.get("boundaries", {}).items():
        if boundary.get("type") != "plane":
            continue
        point = numpy.array(boundary["point"], float)
        normal = numpy.array(boundary["normal"], float)
        moved = _translation(boundary.get("motion") or [], time)
        if moved is None:
            continue
        if boundary.get("drive"):
            moved = moved + _driven_shift(run, name, time)
        planes[name] = (point + moved, normal / numpy.linalg.norm(normal))
    return planes


def _driven_shift(run: Results, name: str, time: float) -> Numbers:
    """[3] [m] displacement of a driven boundary, from the series; 0 where it is not there."""
    shift = numpy.zeros(3)
    if not run.has_series:
        return shift
    series = run.series
    for k, axis in enumerate("xyz"):
        column = f"shift_{axis}_{name}"
        if column in series and len(series):
            shift[k] = numpy.interp(time, series.index.to_numpy(float), series[column].to_numpy(float))
    return shift


def facet_values(run: Results, time: float, field: str) -> dict[str, Numbers]:
    """[n_triangles] values of a field of facets at a time [s], of each boundary that has it."""
    found: dict[str, Numbers] = {}
    for name, boundary in run.boundaries.items():
        frame = boundary.at(time)
        if frame is not None and field in frame:
            found[name] = numpy.asarray(frame[field][...], float)
    return found


def meshes_at(run: Results, time: float, field: str | None = None) -> dict[str, pyvista.PolyData]:
    """Surfaces that the run has written of boundaries, at a time [s], with the values of a field of facets."""
    import pyvista

    found: dict[str, pyvista.PolyData] = {}
    for name, boundary in run.boundaries.items():
        frame = boundary.at(time)
        if frame is None or len(frame) == 0:
            continue
        triangles = frame.triangles
        if triangles is not None and len(triangles):
            found[name] = pyvista.PolyData.from_regular_faces(frame.positions[...], triangles.astype(int))
            if field is not None and field in frame:
                found[name].cell_data[FACET_VALUE] = numpy.asarray(frame[field][...], float)
    return found


def surfaces_at(
    run: Results, time: float, low: Numbers, high: Numbers, field: str | None = None
) -> dict[str, pyvista.PolyData]:
    """Surfaces of all boundaries at a time [s]; planes end at the box from `low` to `high`."""
    import pyvista

    found = meshes_at(run, time, field)
    for name, polygon in plane_polygons(moved_planes(run, time), low, high).items():
        found[name] = pyvista.PolyData(polygon, numpy.array([len(polygon), *range(len(polygon))]))
    return found
