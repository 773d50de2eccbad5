"""What a picture holds beside the grains: boundaries that are about as large as the bed, and whatever moves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy

from ..results import Results
from . import walls
from .fields import Numbers

__all__ = ["wall_points"]

_WHOLE = 3.0  # up to so many times as large as the bed, with it, a boundary is shown whole
_FAR = 10.0  # up to so many sizes of the bed beyond it, boundaries that move stay in the picture
_EDGE = 0.25  # part of the bed's size by which larger boundaries reach beyond what is shown whole
_ENOUGH = 200  # points of a boundary that tell what a camera must hold


def wall_points(run: Results, times: Iterable[float], low: Numbers, high: Numbers) -> Numbers:
    """[n, 3] [m] points that a picture of a run has to hold at some times [s]. `low`, `high`: [3] [m] corners of the
    box around the grains.

    Boundaries up to three times as large as the bed are held whole, those that move at each of the times. Larger ones
    are cut off a little beyond all that is held whole, or the grains would be dots."""
    size = float((high - low).max())
    whole: list[Numbers] = [numpy.array([low, high])]
    large: list[tuple[Numbers, numpy.ndarray]] = []  # points, and along which axes they are cut off
    for points, moves in _meshes(run, times):
        lowest, highest = points.min(axis=0), points.max(axis=0)
        reach = numpy.maximum(highest, high) - numpy.minimum(lowest, low)  # of the bed and the boundary
        cut = (highest - lowest > _WHOLE * size) if moves else (reach > _WHOLE * size)
        if cut.any():
            large.append((points, cut))
        else:
            whole.append(numpy.clip(points, low - _FAR * size, high + _FAR * size))
    for point in _moving_planes(run, times, (low + high) / 2):
        reach = numpy.maximum(point, high) - numpy.minimum(point, low)
        if (reach <= _WHOLE * size).all():
            whole.append(point[None])
    held = numpy.concatenate(whole)
    margin = 0.02 * size + _EDGE * (high - low)
    lowest, highest = held.min(axis=0) - margin, held.max(axis=0) + margin
    return numpy.concatenate([held, *(numpy.where(cut, points.clip(lowest, highest), points) for points, cut in large)])


def _meshes(run: Results, times: Iterable[float]) -> Iterator[tuple[Numbers, bool]]:
    """Points of each boundary that has a surface, once where it rests, and whether it moves."""
    seen: set[str] = set()
    boundaries = run.boundaries
    for time in times:
        for name in walls.present_boundaries(run, time):
            boundary = boundaries[name]
            if name in seen and not boundary.moves:
                continue
            seen.add(name)
            frame = boundary.at(time)
            if frame is not None and len(frame):
                yield _outermost(numpy.asarray(frame.positions[...], float)), boundary.moves


def _moving_planes(run: Results, times: Iterable[float], middle: Numbers) -> Iterator[Numbers]:
    """The point of each moving plane that is nearest to the middle of the grains."""
    moving = {name for name, boundary in run.boundaries.items()
              if boundary.moves and boundary.description.get("type") == "plane"}  # fmt: skip
    for time in times if moving else ():
        for name, (point, normal) in walls.moved_planes(run, time).items():
            if name in moving:
                yield middle - ((middle - point) @ normal) * normal


def _outermost(points: Numbers) -> Numbers:
    """The points, or of many only those that lie farthest in one of many directions: a film has many frames."""
    if len(points) <= _ENOUGH:
        return points
    part = (numpy.arange(_ENOUGH) + 0.5) / _ENOUGH  # directions spread evenly along a spiral on the sphere
    height, turn = 1 - 2 * part, numpy.pi * (1 + 5**0.5) * _ENOUGH * part
    across = numpy.sqrt(1 - height**2)
    spiral = numpy.stack([across * numpy.cos(turn), across * numpy.sin(turn), height])
    directions = numpy.concatenate([spiral, numpy.eye(3), -numpy.eye(3)], axis=1)
    found: Numbers = points[numpy.unique((points @ directions).argmax(axis=0))]
    return found
