"""Radii of the particles of a frame: those that it has, or those that the case tells."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy
from numpy.typing import NDArray

from .errors import ResultsError
from .frames import Frame
from .results import Results

__all__ = ["known_radii", "unknown_radii"]

Numbers = NDArray[numpy.float64]


def known_radii(run: Results, frame: Frame) -> Numbers:
    """[n] [m] radii of the particles of a frame: its field radius, else those of the case where it has one size of
    spheres for each material. NaN where neither tells."""
    if "radius" in frame:
        return numpy.asarray(frame["radius"][...], float)
    sizes: dict[str, set[float]] = {}
    for material, size in _sizes(run.case):
        sizes.setdefault(material, set()).add(size)
    if "material" in frame and "" not in sizes:
        names = list(run.case.get("materials") or {})
        table = numpy.array([_one(sizes.get(name, set())) for name in names] or [math.nan])
        of_material: Numbers = table[numpy.asarray(frame["material"][...]).astype(int).clip(0, len(table) - 1)]
        return of_material
    return numpy.full(len(frame), _one(set().union(*sizes.values())))


def unknown_radii(frame: Frame) -> ResultsError:
    """The error where sizes are needed that known_radii() does not find."""
    return ResultsError(f'{frame.path}: the frame has no radii, and the case has no single size for each material: add '
                        '"radius" to output.frames.fields')  # fmt: skip


def _one(sizes: set[float]) -> float:
    return next(iter(sizes)) if len(sizes) == 1 else math.nan


def _sizes(case: dict[str, Any]) -> Iterator[tuple[str, float]]:
    """Materials of the spheres of a case, and their radii [m]: NaN, which is equal to no size, for those that differ.
    The material is "" where the case does not tell it. Level-set grains are left out: they have surfaces."""
    if case.get("start") is not None:
        yield "", math.nan
    shapes = case.get("shapes") or {}
    scale = float((case.get("parcels") or {}).get("scale") or 1.0)
    for entry in case.get("particles") or []:
        for part in entry.get("mixture") or [entry]:
            shape = part.get("shape") or "sphere"
            if (shapes.get(shape) or {}).get("type") == "level_set":
                continue
            radius, diameter = part.get("radius"), part.get("diameter")
            if isinstance(diameter, int | float):
                radius = 0.5 * diameter
            plain = shape == "sphere" and isinstance(radius, int | float) and not entry.get("file")
            material = "" if entry.get("file") else str(part.get("material") or "")
            yield material, scale * float(radius) if plain else math.nan
