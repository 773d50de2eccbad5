"""Boundaries as surfaces: those that a run has written, and planes, which have no end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy
from numpy.typing import NDArray

from ..frames import Frame
from ..results import Results
from ..stage_times import reached, stage_times
from .fields import Numbers
from .poses import PoseError, pose_at

if TYPE_CHECKING:
    import pyvista

__all__ = [
    "FACET_VALUE",
    "changing",
    "clip_polygon",
    "facet_values",
    "meshes_at",
    "motions_of",
    "moved_planes",
    "plane_polygons",
    "planes_without_place",
    "present_boundaries",
    "surfaces_at",
    "written_surfaces",
]

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


def _up_to_planes(planes: dict[str, tuple[Numbers, Numbers]], low: Numbers, high: Numbers) -> tuple[Numbers, Numbers]:
    """A box, grown to planes across an axis that lie little beyond it: without this no two planes would meet there."""
    reach = 0.1 * float((high - low).max())
    lowest, highest = low - reach, high + reach
    low, high = low.copy(), high.copy()
    for point, normal in planes.values():
        axis = int(numpy.abs(normal).argmax())
        if normal[axis] > 0.999 and point[axis] >= lowest[axis]:
            low[axis] = min(low[axis], point[axis])
        elif normal[axis] < -0.999 and point[axis] <= highest[axis]:
            high[axis] = max(high[axis], point[axis])
    return low, high


def plane_polygons(planes: dict[str, tuple[Numbers, Numbers]], low: Numbers, high: Numbers) -> dict[str, Numbers]:
    """The part of each plane (point, normal) within a box and inside all other planes; empty ones are left out."""
    low, high = _up_to_planes(planes, low, high)
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


def motions_of(run: Results, name: str) -> list[dict[str, Any]]:
    """All prescribed motions of a boundary, those of the case and of its stages."""
    stages = run.case.get("stages") or []
    changes = [(stage.get("boundaries") or {}).get(name) or {} for stage in stages]
    boundary = run.case["boundaries"][name]
    return [motion for part in (boundary, *changes) for motion in part.get("motion") or []]


def changing(run: Results) -> set[str]:
    """Names of boundaries that do not look the same at all times: they move, appear, or go."""
    found = {name for name, boundary in run.boundaries.items() if boundary.moves}
    for name, boundary in run.case.get("boundaries", {}).items():
        if boundary.get("present_from") or boundary.get("present_until") is not None:
            found.add(name)
    for stage in run.case.get("stages") or []:
        changes = stage.get("boundaries") or {}
        found |= {name for name, change in changes.items() if change.get("present") is not None}
    return found


def present_boundaries(run: Results, time: float) -> list[str]:
    """Names of the boundaries that are there at a time [s], in the order of the case."""
    begun = [begin for begin in stage_times(run) if reached(begin, time)]
    stages = (run.case.get("stages") or [])[: len(begun)]
    found = []
    for name, boundary in run.case.get("boundaries", {}).items():
        end = boundary.get("present_until")
        there = reached(float(boundary.get("present_from") or 0.0), time) and not (
            end is not None and reached(float(end), time)
        )
        for stage in stages:  # what a stage changes stays changed in later ones
            change = ((stage.get("boundaries") or {}).get(name) or {}).get("present")
            there = there if change is None else bool(change)
        if there:
            found.append(name)
    return found


def moved_planes(run: Results, time: float) -> dict[str, tuple[Numbers, Numbers]]:
    """Point and normal of each plane that is there at a time [s]. Planes whose place is not known are left out:
    `planes_without_place` names them."""
    begun = stage_times(run)
    planes = {}
    for name in present_boundaries(run, time):
        boundary = run.case["boundaries"][name]
        if boundary.get("type") != "plane":
            continue
        try:
            pose = pose_at(run, name, time, begun)
        except PoseError:
            continue
        normal = pose.turn @ numpy.array(boundary["normal"], float)
        planes[name] = (pose.place(numpy.array(boundary["point"], float)), normal / numpy.linalg.norm(normal))
    return planes


def planes_without_place(run: Results) -> dict[str, str]:
    """Names of the planes of which the files of a run do not tell where they are, and why."""
    begun, time = stage_times(run), run.time
    found = {}
    for name, boundary in run.case.get("boundaries", {}).items():
        if boundary.get("type") == "plane":
            try:
                pose_at(run, name, time, begun)
            except PoseError as error:
                found[name] = str(error)
    return found


def facet_values(run: Results, time: float, field: str) -> dict[str, Numbers]:
    """[n_triangles] values of a field of facets at a time [s], of each boundary that is there and has it."""
    found: dict[str, Numbers] = {}
    boundaries = run.boundaries
    for name in present_boundaries(run, time):
        frame = boundaries[name].at(time)
        if frame is not None and field in frame:
            found[name] = numpy.asarray(frame[field][...], float)
    return found


def written_surfaces(run: Results, time: float) -> dict[str, tuple[Frame, NDArray[Any]]]:
    """Frame and triangles [n_triangles, 3] of each boundary that is there at a time [s] and that has a surface."""
    found = {}
    boundaries = run.boundaries
    for name in present_boundaries(run, time):
        frame = boundaries[name].at(time)
        triangles = None if frame is None or len(frame) == 0 else frame.triangles
        if frame is not None and triangles is not None and len(triangles):
            found[name] = (frame, triangles)
    return found


def meshes_at(run: Results, time: float, field: str | None = None) -> dict[str, pyvista.PolyData]:
    """Written surfaces of boundaries that are there at a time [s], with the values of a field of facets."""
    import pyvista

    found: dict[str, pyvista.PolyData] = {}
    for name, (frame, triangles) in written_surfaces(run, time).items():
        found[name] = pyvista.PolyData.from_regular_faces(frame.positions[...], triangles.astype(int))
        if field is not None and field in frame:
            found[name].cell_data[FACET_VALUE] = numpy.asarray(frame[field][...], float)
    return found


def surfaces_at(
    run: Results, time: float, low: Numbers, high: Numbers, field: str | None = None
) -> dict[str, pyvista.PolyData]:
    """Surfaces of all boundaries that are there at a time [s]; planes end at the box from `low` to `high`."""
    import pyvista

    found = meshes_at(run, time, field)
    for name, polygon in plane_polygons(moved_planes(run, time), low, high).items():
        found[name] = pyvista.PolyData(polygon, numpy.array([len(polygon), *range(len(polygon))]))
    return found
