"""Loads on walls as a function of height."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy

from ..errors import ResultsError
from ..results import Results
from .values import parts

if TYPE_CHECKING:
    import pandas

_AXES = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}


def wall_profile(
    run: Results,
    boundary: str,
    along: str | Sequence[float] = "z",
    *,
    bins: int = 20,
    frame: int | slice = -1,
) -> pandas.DataFrame:
    """Pressure and shear of a mesh with facets in slices along an axis: as on the wall of a silo over its height.

    `along` is "x", "y", "z" or a direction. A facet counts in the slice of its centre, so facets must not be longer
    than a slice. The table is indexed by the middle of each slice [m] along the axis, "height"; its columns are the
    means by area `pressure` and `shear` [Pa] and the `area` [m2] of the facets. A frame of a mesh has means since the
    frame before it; with a slice of frames the table has the mean of these. NaN where a slice has no facet. Raises
    ResultsError for a boundary whose case does not ask for `facets`."""
    import pandas

    parts(bins, "bins")
    if boundary not in run.boundaries:
        raise ResultsError(f'{run.folder}: has no boundary "{boundary}"')
    direction = numpy.asarray(_AXES.get(along) if isinstance(along, str) else along, float)
    if direction.shape != (3,) or not (length := float(numpy.linalg.norm(direction))) > 0:
        raise ResultsError(f'wall_profile: "{along}" is neither x, y or z nor a direction')
    frames = run.boundaries[boundary].frames
    chosen = list(frames[frame]) if isinstance(frame, slice) else [frames[frame]] if len(frames) else []
    if not chosen:
        raise ResultsError(f"{run.folder}: has no such frames of the boundary {boundary}")
    if "pressure" not in chosen[0].names:
        raise ResultsError(f'{run.folder}: boundaries.{boundary} has no "facets", so the pressure on it is not known')
    corners = numpy.asarray(chosen[-1].positions[:], float)[numpy.asarray(chosen[-1].triangles)]
    area = numpy.linalg.norm(numpy.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1) / 2
    place = corners.mean(axis=1) @ (direction / length)
    ends = corners.reshape(-1, 3) @ (direction / length)
    edges = numpy.linspace(ends.min(), ends.max(), bins + 1)
    total = numpy.histogram(place, edges, weights=area)[0]
    columns = {}
    for name in ("pressure", "shear"):
        load = numpy.mean([numpy.asarray(each[name][...], float) for each in chosen], axis=0)
        sums = numpy.histogram(place, edges, weights=load * area)[0]
        columns[name] = numpy.divide(sums, total, out=numpy.full(bins, numpy.nan), where=total > 0)
    table = pandas.DataFrame({**columns, "area": total})
    table.index = pandas.Index((edges[1:] + edges[:-1]) / 2, name="height")
    table.attrs["units"] = {"height": "m", "pressure": "Pa", "shear": "Pa", "area": "m2"}
    return table
