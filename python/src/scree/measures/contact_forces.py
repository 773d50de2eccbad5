"""Measures of the forces of contacts: how they are distributed over sizes and directions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy
from numpy.typing import NDArray

from ..errors import ResultsError
from ..frames import ContactFrame
from ..results import Results
from ..stage_times import reached, stage_times
from .values import Numbers, parts

if TYPE_CHECKING:
    import pandas

_ROUNDING = 1e-5  # relative, of forces in single precision: a contact that slips may seem to have more than its limit


def contacts_of(run: Results, which: int | slice) -> list[ContactFrame]:
    """One file of contacts, or those of a slice. Raises ResultsError where there is none."""
    files = run.contacts
    if not len(files):
        raise ResultsError(f"{run.folder}: has no files of contacts: the case needs output.contacts")
    found = files[which] if isinstance(which, slice) else [files[which]]
    if not found:
        raise ResultsError(f"{run.folder}: has no such files of contacts")
    return found


def force_distribution(
    run: Results,
    frame: int | slice = -1,
    part: str = "normal",
    *,
    bins: int = 50,
    largest: float | None = None,
    boundaries: bool = False,
) -> pandas.DataFrame:
    """The distribution P(f) of contact forces over their mean, from files of contacts.

    `part` is "normal", "shear" or "whole", the magnitude of the two last; or "mobilised", the part of the friction that
    contacts mobilise (mobilised_friction), which is not divided by a mean. Normal forces that pull are negative; their
    mean is that of those that press. The table is indexed by the middle of each bin, "force" or "mobilised", up to
    `largest` (the largest value), with the columns `density`, whose integral over all values is 1, and `contacts`.
    `attrs["mean"]` is the mean [N]. With a slice of files each force is divided by the mean of its own file. Contacts
    with boundaries count with `boundaries`."""
    import pandas

    if part not in ("normal", "shear", "whole", "mobilised"):
        raise ResultsError(f'force_distribution: "{part}" is none of normal, shear, whole, mobilised')
    parts(bins, "bins")
    values, means = [], []
    for contacts in contacts_of(run, frame):
        kept = _kept(contacts, boundaries)
        if part == "mobilised":
            ratio = mobilised_friction(run, contacts)[kept]
            values.append(ratio[numpy.isfinite(ratio)])
            continue
        force = _force(contacts, part)[kept]
        mean = float(force[force > 0].mean()) if (force > 0).any() else 0.0
        if mean > 0:
            means.append(mean)
            values.append(force / mean)
    if not values or not (number := sum(map(len, values))):
        raise ResultsError(f"{run.folder}: no contact has a force of this kind")
    every = numpy.concatenate(values)
    edges = numpy.linspace(min(float(every.min()), 0.0), _top(every, largest, part), bins + 1)
    counts = numpy.histogram(every, edges)[0]
    table = pandas.DataFrame({"density": counts / (number * numpy.diff(edges)), "contacts": counts})
    table.index = pandas.Index((edges[1:] + edges[:-1]) / 2, name="mobilised" if part == "mobilised" else "force")
    table.attrs["units"] = {}
    if means:
        table.attrs["mean"] = float(numpy.mean(means))
    return table


def _top(values: Numbers, largest: float | None, part: str) -> float:
    """The end of the last bin; 1 for a friction of which nothing more is mobilised."""
    if largest is not None:
        return largest
    highest = float(values.max())
    return 1.0 if part == "mobilised" and highest <= 1.0 else highest if highest > 0 else 1.0


def _kept(contacts: ContactFrame, boundaries: bool) -> NDArray[numpy.bool_]:
    wall = numpy.asarray(contacts["with_boundary"][...]) != 0
    return numpy.ones(len(wall), bool) if boundaries else ~wall


def _force(contacts: ContactFrame, part: str) -> Numbers:
    if part == "normal":
        return numpy.asarray(contacts["normal_force"][...], float)
    force = contacts.forces if part == "whole" else numpy.asarray(contacts["shear_force"][...], float)
    return numpy.asarray(numpy.linalg.norm(force, axis=1))


def mobilised_friction(run: Results, contacts: ContactFrame) -> Numbers:
    """[n_contacts] shear force over friction times normal force, of each contact of a file: 1 where it slips.

    NaN where nothing presses, or without friction. The friction is that of both materials at this time, of the case and
    its stages; if the case has several materials, a frame of the same time has to tell id and material. Bonds bear
    shear forces of their own, and with cohesion or liquid more than the normal force presses the grains together:
    such contacts may have more than 1."""
    pressing = numpy.asarray(contacts["normal_force"][...], float)
    limit = numpy.maximum(pressing, 0) * _friction(run, contacts)
    ratio = numpy.divide(_force(contacts, "shear"), limit, out=numpy.full(len(limit), numpy.nan), where=limit > 0)
    return numpy.where((ratio > 1) & (ratio < 1 + _ROUNDING), 1.0, ratio)


def _friction(run: Results, contacts: ContactFrame) -> Numbers:
    """[n_contacts]"""
    table = friction_table(run, contacts.time)
    if len(table) == 1:
        return numpy.full(len(contacts), table[0, 0])
    names = list(run.case["materials"])
    first, second = (numpy.asarray(contacts[name][...]).astype(numpy.int64) for name in ("first", "second"))
    wall = numpy.asarray(contacts["with_boundary"][...]) != 0
    near = run.frames.at(contacts.time) if len(run.frames) else None
    if (
        near is None
        or abs(near.time - contacts.time) > 1e-9 * max(1.0, near.time)
        or not {"id", "material"} <= {*near.names}
    ):
        raise ResultsError(f"{contacts.path}: the case has several materials, so a frame of the same time has to tell "
                           "which particle has which: with id and material in output.frames.fields")  # fmt: skip
    ids = numpy.asarray(near["id"][...]).astype(numpy.int64)
    material = numpy.full(int(max(ids.max(initial=0), second.max(initial=0), first[~wall].max(initial=0))) + 1, -1)
    material[ids] = numpy.asarray(near["material"][...]).astype(numpy.int64)
    one, other = numpy.zeros(len(first), numpy.int64), material[second]
    one[~wall] = material[first[~wall]]
    of_boundary = numpy.array([names.index(b["material"]) for b in run.case["boundaries"].values()] or [-1])
    one[wall] = of_boundary[first[wall]]
    found = table[one.clip(0, len(names) - 1), other.clip(0, len(names) - 1)]
    known = (one >= 0) & (other >= 0) & (one < len(names)) & (other < len(names))
    return numpy.where(known, found, numpy.nan)


def friction_table(run: Results, time: float) -> Numbers:
    """[n_materials, n_materials] friction of each pair of materials at a time [s], as case.json and its stages say."""
    names = list(run.case["materials"])
    own = numpy.array([run.case["materials"][name].get("friction", numpy.nan) for name in names], float)
    table: Numbers = numpy.minimum(own[:, None], own[None, :])
    rules = run.case.get("contacts") or []
    _set(table, names, [{**rule, "value": rule.get("friction")} for rule in rules])
    for begin, stage in zip(stage_times(run), run.case.get("stages") or [], strict=False):
        if stage.get("friction") and reached(begin, time):
            _set(table, names, stage["friction"])
    return table


def _set(table: Numbers, names: list[str], rules: list[dict[str, Any]]) -> None:
    """Sets the friction of pairs of materials. The first rule that matches a pair holds, also one without a value."""
    for i, first in enumerate(names):
        for j, second in enumerate(names):
            for rule in rules:
                a, b = rule.get("between") or ("*", "*")
                if (a in ("*", first) and b in ("*", second)) or (a in ("*", second) and b in ("*", first)):
                    if rule.get("value") is not None:
                        table[i, j] = rule["value"]
                    break


def contact_rose(
    run: Results, frame: int | slice = -1, *, plane: str = "xz", sectors: int = 36, boundaries: bool = False
) -> pandas.DataFrame:
    """The directions of contacts in a plane, as "xz", and the forces along them: a rose of contacts and of forces.

    Each contact counts along its normal and against it. The table is indexed by the "angle" [rad] of the middle of each
    sector, from the first axis of `plane` towards the second one, with the columns

    - `contacts`, and `density` [1/rad], whose integral over the circle is 1, as that of
    - `force_density` [1/rad], in which each contact counts with its normal force;
    - `normal_force` [N], the mean over the contacts of the sector; `shear_force` [N], that of the component in the
      plane, across the normal and towards larger angles. NaN in sectors without contacts.

    Contacts at right angles to the plane have no direction in it."""
    import pandas

    axes = ["xyz".find(letter) for letter in plane]
    if len(axes) != 2 or axes[0] == axes[1] or min(axes) < 0:
        raise ResultsError(f'contact_rose: plane: "{plane}" is no pair of axes, as "xz"')
    sums = numpy.zeros((3, parts(sectors, "sectors")))
    for contacts in contacts_of(run, frame):
        kept = _kept(contacts, boundaries)
        normal = numpy.asarray(contacts["normal"][...], float)[kept][:, axes]
        length = numpy.hypot(normal[:, 0], normal[:, 1])
        seen = length > 0
        across = numpy.column_stack([-normal[:, 1], normal[:, 0]])[seen] / length[seen][:, None]
        shear = (numpy.asarray(contacts["shear_force"][...], float)[kept][seen][:, axes] * across).sum(axis=1)
        pressing = numpy.asarray(contacts["normal_force"][...], float)[kept][seen]
        angle = numpy.arctan2(normal[seen, 1], normal[seen, 0]) % (2 * numpy.pi)
        for turned in (angle, (angle + numpy.pi) % (2 * numpy.pi)):  # the other way all signs change, and no component
            sector = numpy.floor(turned / (2 * numpy.pi) * sectors).astype(int) % sectors
            sums += [numpy.bincount(sector, weight, sectors) for weight in (numpy.ones(len(sector)), pressing, shear)]
    counts, forces, shears = sums
    if not counts.any():
        raise ResultsError(f"{run.folder}: no contact has a direction in the plane {plane}")
    width = 2 * numpy.pi / sectors
    least = numpy.where(counts > 0, counts, numpy.nan)
    whole = forces.sum() if forces.sum() > 0 else numpy.nan
    table = pandas.DataFrame({
        "contacts": counts.astype(numpy.int64), "density": counts / counts.sum() / width,
        "force_density": forces / whole / width, "normal_force": forces / least, "shear_force": shears / least,
    })  # fmt: skip
    table.index = pandas.Index((numpy.arange(sectors) + 0.5) * width, name="angle")
    table.attrs["units"] = {"angle": "rad", "density": "1/rad", "force_density": "1/rad", "normal_force": "N",
                            "shear_force": "N"}  # fmt: skip
    return table
