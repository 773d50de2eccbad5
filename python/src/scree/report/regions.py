"""Regions of a case in which particles are at the start or appear, as outlines for the diagram."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy

from ..results import Results
from .geometry import Numbers

__all__ = ["Region", "box_region", "fills", "hull", "inlets"]

_CORNERS = 60  # of the polygon that stands for a circle


@dataclass
class Region:
    """A region: points [n, 3] [m] of which the outline seen along an axis is the hull, or in their order if it is a
    `polygon`."""

    title: str
    points: Numbers
    polygon: bool = False
    round: bool = False  #: its outline is not that of the box around it


def _ring(centre: Numbers, axis: Numbers, radius: float) -> Numbers:
    """[n, 3] points of a circle about an axis."""
    axis = axis / numpy.linalg.norm(axis)
    across = numpy.cross(axis, numpy.eye(3)[numpy.abs(axis).argmin()])
    across /= numpy.linalg.norm(across)
    turn = 2 * numpy.pi * numpy.arange(_CORNERS) / _CORNERS
    points: Numbers = centre + radius * (numpy.outer(numpy.cos(turn), across)
                                         + numpy.outer(numpy.sin(turn), numpy.cross(axis, across)))  # fmt: skip
    return points


def box_region(title: str, low: Any, high: Any) -> Region:
    """The box from the lowest to the highest corner [3] [m]."""
    ends = numpy.array([low, high], float)
    corners = [[ends[i][0], ends[j][1], ends[k][2]] for i in (0, 1) for j in (0, 1) for k in (0, 1)]
    return Region(title, numpy.array(corners))


def _region(title: str, region: dict[str, Any]) -> Region | None:
    """A region of a case; None where only a file tells it."""
    if box := region.get("box") or (region.get("above") or {}).get("box"):
        return box_region(title, *box)
    if cylinder := region.get("cylinder"):
        start, end = (numpy.array(cylinder[key], float) for key in ("from", "to"))
        rims = [_ring(centre, end - start, cylinder["radius"]) for centre in (start, end)]
        return Region(title, numpy.concatenate(rims), round=True)
    if sphere := region.get("sphere"):
        centre = numpy.array(sphere["center"], float)
        return Region(title, numpy.concatenate([_ring(centre, axis, sphere["radius"]) for axis in numpy.eye(3)]),
                      round=True)  # fmt: skip
    face = region.get("face") or {}
    if disc := face.get("disc"):
        centre, normal = (numpy.array(disc[key], float) for key in ("center", "normal"))
        return Region(title, _ring(centre, normal, disc["radius"]), round=True)
    if polygon := face.get("polygon"):
        return Region(title, numpy.array(polygon, float), polygon=True)
    return None


def fills(run: Results) -> list[Region]:
    """Where particles are at the start, if all of them fill round regions; else none, and a box around them says more.

    Entries that share a region give it once."""
    found: dict[bytes, Region] = {}
    for entry in run.case.get("particles") or []:
        if entry.get("inlet"):
            continue
        region = _region("grains at the start", entry.get("fill") or {})
        if region is None or not region.round:
            return []
        found[region.points.tobytes()] = region
    return [] if run.case.get("start") else list(found.values())


def inlets(run: Results) -> list[Region]:
    """Where particles appear during the run, as far as the case tells it without files."""

    def each() -> Iterator[Region]:
        for entry in run.case.get("particles") or []:
            if inlet := entry.get("inlet"):
                title = f"inlet {inlet['name']}" if inlet.get("name") else "inlet"
                region = _region(title, inlet.get("region") or {})
                if region is not None:
                    yield region

    return list(each())


def hull(points: Numbers) -> Numbers:
    """[n, 2] the corners of the convex hull of points in a plane [m, 2], in order (Andrew's monotone chain)."""
    ordered = sorted({(float(x), float(y)) for x, y in points})

    def chain(given: list[tuple[float, float]]) -> list[tuple[float, float]]:
        found: list[tuple[float, float]] = []
        for x, y in given:
            while len(found) > 1:
                (x1, y1), (x2, y2) = found[-2:]
                if (x2 - x1) * (y - y1) - (y2 - y1) * (x - x1) > 0:
                    break
                found.pop()
            found.append((x, y))
        return found[:-1]

    return numpy.array([*chain(ordered), *chain(ordered[::-1])] or ordered).reshape(-1, 2)
