"""Measures of the rows of the series."""

from __future__ import annotations

import numpy

from ..errors import ResultsError
from ..names import unknown_name
from ..results import Results
from .values import LineFit, Measure, Numbers, fit_line

_ROUNDING = 1e-6  # relative: a probe adds masses in the precision of the run


def mass_columns(run: Results) -> list[str]:
    """Columns of the series that add up mass [kg]: of outlets, regions and flow probes; those that stay 0 left out."""
    series, units = run.shared_series(), run.units
    probes = run.case.get("output", {}).get("series", {}).get("probes", {})
    flows = {f"{name}_mass" for name, probe in probes.items() if probe.get("type") == "flow"}
    return [name for name in series.columns
            if units.get(name) == "kg" and (name in flows or name.startswith("removed_mass_"))
            and len(series) and float(series[name].abs().max()) > 0]  # fmt: skip


def discharge_rate(run: Results, name: str = "", part: tuple[float, float] = (0.1, 0.6)) -> tuple[Measure, LineFit]:
    """Mass flow [kg/s] through an outlet or a flow probe: the slope while `part` of the mass at the end has left.

    Without a name it is the outlet or the probe with the most mass; if an outlet has as much as a probe before it, up
    to the rounding of masses, it is the outlet."""
    columns = mass_columns(run)
    if name:
        columns = [
            column for column in (f"removed_mass_{name}", f"{name}_mass", name) if column in run.shared_series().columns
        ]
        if not columns:
            raise ResultsError(f'{run.folder}: no outlet and no flow probe has the name "{name}"')
    if not columns:
        raise ResultsError(f"{run.folder}: no mass has left through an outlet or passed a flow probe")
    series = run.shared_series()
    masses = {column: series[column].to_numpy(float) for column in columns}
    most = max(abs(mass[-1]) for mass in masses.values())
    column = next(c for c in columns if abs(masses[c][-1]) >= (1 - _ROUNDING) * most)  # outlets come first
    time, mass = series.index.to_numpy(float), masses[column]
    last = mass[-1]
    steady = (mass / last > part[0]) & (mass / last < part[1]) if last else numpy.zeros(len(mass), bool)
    if steady.sum() < 3:
        share = f"{part[0]:.0%} to {part[1]:.0%}"
        raise ResultsError(f"{run.folder}: {column}: fewer than three rows while {share} passed; "
                           "a smaller output.series.every helps")  # fmt: skip
    fit = fit_line(time[steady], mass[steady])
    return Measure(fit.slope, "kg/s", fit.error), fit


def _column(run: Results, name: str) -> Numbers:
    series = run.shared_series()
    if name not in series.columns:
        raise ResultsError(
            f'{run.folder}: the series has no column "{name}"; {unknown_name(name, map(str, series.columns))}'
        )
    values = series[name].to_numpy(float)
    if not len(values):
        raise ResultsError(f"{run.folder}: the series has no rows")
    return values


def _some(run: Results, name: str, values: Numbers) -> Numbers:
    """The values that are numbers; there has to be one."""
    known: Numbers = values[~numpy.isnan(values)]
    if not len(known):
        raise ResultsError(f"{run.folder}: {name}: there is no number in these rows of the series")
    return known


def final(run: Results, name: str) -> Measure:
    """The last value of a column of the series."""
    return Measure(float(_column(run, name)[-1]), run.units.get(name, ""))


def largest(run: Results, name: str) -> Measure:
    return Measure(float(_some(run, name, _column(run, name)).max()), run.units.get(name, ""))


def mean(run: Results, name: str) -> Measure:
    """Mean over the time of the second half of the run, by the trapezoidal rule: a stage can change the interval of
    rows. Rows without a number have no part in it."""
    values, time = _column(run, name), run.shared_series().index.to_numpy(float)
    late = time >= time[-1] / 2
    values, half_gaps = values[late], numpy.diff(time[late]) / 2
    weights = (numpy.append(half_gaps, 0) + numpy.append(0, half_gaps))[~numpy.isnan(values)]
    known = _some(run, name, values)
    return Measure(float(numpy.average(known, weights=weights if weights.any() else None)), run.units.get(name, ""))
