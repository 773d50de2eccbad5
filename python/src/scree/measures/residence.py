"""Times that particles stay in a run."""

from __future__ import annotations

import math

import numpy

from ..errors import ResultsError
from ..results import Results
from .values import Measure, Numbers


def residence_times(
    run: Results, outlet: str = "", *, inlet: str = "", material: str = "", group: str = ""
) -> tuple[Numbers, Numbers]:
    """Times [s] from coming in to leaving, in ascending order, and the masses [kg] of these particles.

    They are those of left.csv: of one outlet, inlet, material and group, or of all. If inlets brought particles, those
    of the start, which were in the middle of their way then, are left out. The distribution by mass is
    `cumsum(mass) / sum(mass)` over `time`."""
    left = run.left
    which = ""
    for column, name, how in (
        ("outlet", outlet, "through the outlet"),
        ("inlet", inlet, "of the inlet"),
        ("material", material, "of the material"),
        ("group", group, "of the group"),
    ):
        if not name:
            continue
        which += f' {how} "{name}"'
        if column not in left:
            raise ResultsError(f"{run.folder}: left.csv has no column {column}")
        left = left[left[column] == name]
    left = left[left["inserted"].notna()]
    if (left["inserted"] > 0).any():
        left = left[left["inserted"] > 0]
    if not len(left):
        raise ResultsError(f"{run.folder}: no particle of which it is known when it came in has left{which}")
    stay = (left["time"] - left["inserted"]).to_numpy(float)
    order = numpy.argsort(stay, kind="stable")
    return stay[order], left["mass"].to_numpy(float)[order]


def residence_time(run: Results, outlet: str = "", *, inlet: str = "", material: str = "", group: str = "") -> Measure:
    """Mean residence time [s] by mass; the error is as if particles were independent."""
    stay, mass = residence_times(run, outlet, inlet=inlet, material=material, group=group)
    weight = mass / mass.sum()
    mean = float((weight * stay).sum())
    spread = float((weight * (stay - mean) ** 2).sum())
    return Measure(mean, "s", math.sqrt(spread * float((weight**2).sum())))


def residence_time_variance(
    run: Results, outlet: str = "", *, inlet: str = "", material: str = "", group: str = ""
) -> Measure:
    """Variance [s2] of the residence times by mass."""
    stay, mass = residence_times(run, outlet, inlet=inlet, material=material, group=group)
    weight = mass / mass.sum()
    mean = float((weight * stay).sum())
    return Measure(float((weight * (stay - mean) ** 2).sum()), "s2")
