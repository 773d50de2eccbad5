"""What a screen or another separator does to particles of each size."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy

from ..errors import ResultsError
from ..results import Results
from .values import Numbers, parts

if TYPE_CHECKING:
    import pandas


def partition_curve(
    run: Results,
    outlet: str,
    classes: int | Sequence[float] = 10,
    *,
    inlet: str = "",
    material: str = "",
    since: float = 0.0,
) -> pandas.DataFrame:
    """The share of the mass of each size that has left through one outlet, of all that has left: Tromp's curve.

    `classes` are the edges of the classes of size, diameters [m] in ascending order, or the number of classes with as
    many particles each. The table is indexed by the mean diameter of a class by mass [m]; its columns are `from` and
    `to`, the edges [m], `particles`, `mass` [kg] through any outlet, and `share`. `attrs["cut"]` is the cut size d50
    [m], where the share crosses one half, linear between two classes; NaN where it does not, or does so several times.
    Particles that left before the time `since` [s] are left out, so that a screen can fill first. The case needs
    output.left. Raises ResultsError where nothing has left."""
    import pandas

    left = run.left
    outlets = sorted(set(left["outlet"]))
    if outlet not in outlets:
        raise ResultsError(f'{run.folder}: nothing has left through "{outlet}"; the outlets are {", ".join(outlets)}')
    for column, name in (("inlet", inlet), ("material", material)):
        if name and column not in left:
            raise ResultsError(f"{run.folder}: left.csv has no column {column}")
        left = left[left[column] == name] if name else left
    left = left[left["time"] >= since]
    if not len(left):
        raise ResultsError(f"{run.folder}: no such particle has left")
    size, mass = left["diameter"].to_numpy(float), left["mass"].to_numpy(float)
    if isinstance(classes, int):
        parts(classes, "classes")
        edges = numpy.unique(numpy.quantile(size, numpy.linspace(0, 1, classes + 1)))
    else:
        edges = numpy.asarray(classes, float)
    if len(edges) < 2:
        edges = numpy.array([size.min(), size.max()])
    elif not (numpy.diff(edges) > 0).all():
        raise ResultsError("partition_curve: the edges of the classes must ascend")
    kind = numpy.searchsorted(edges, size, side="right") - 1
    kind[size == edges[-1]] = len(edges) - 2  # the last class has both of its edges
    rows = []
    for k in range(len(edges) - 1):
        own = kind == k
        if not own.any():
            continue
        total = float(mass[own].sum())
        through = float(mass[own & (left["outlet"] == outlet).to_numpy()].sum())
        middle = float((mass[own] * size[own]).sum()) / total
        rows.append((middle, edges[k], edges[k + 1], int(own.sum()), total, through / total))
    if not rows:
        raise ResultsError("partition_curve: no particle that has left lies in these classes")
    table = pandas.DataFrame(rows, columns=["diameter", "from", "to", "particles", "mass", "share"])
    table = table.set_index("diameter")
    table.attrs["units"] = {"diameter": "m", "from": "m", "to": "m", "mass": "kg"}
    table.attrs["cut"] = _cut(table.index.to_numpy(float), table["share"].to_numpy(float))
    return table


def _cut(size: Numbers, share: Numbers) -> float:
    """[m] where the share crosses one half; NaN unless it does so once."""
    above = share > 0.5
    crossings = numpy.flatnonzero(above[1:] != above[:-1])
    if len(crossings) != 1:
        return float("nan")
    k = int(crossings[0])
    return float(size[k] + (0.5 - share[k]) / (share[k + 1] - share[k]) * (size[k + 1] - size[k]))
