"""Columns of the series, sorted into plots."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

import numpy

from ..measures import LineFit
from ..results import Results

__all__ = ["Plot", "Plots", "plots"]

_MOST_ROWS = 2000
#: Title and the columns of it; the first that matches takes a column.
_FAMILIES = [
    ("Discharged mass", r"removed_mass_.*"),
    ("Mass flow through outlets", r"mass_flow_.*"),
    ("Kinetic energy", r"kinetic_energy"),
    ("Energies", r"(kinetic|elastic|work|lost)_?\w*|energy_error"),
    ("Mean temperature", r"temperature_mean"),
    ("Heat of the particles", r"heat"),
    ("Heat so far", r"heat_(?!flow_)\w+"),
    ("Flow of heat from boundaries", r"heat_flow_\w+"),
    ("Liquid", r"liquid_\w+"),
    ("Overlap over the radius", r"overlap_max\w*"),
    ("Time step, and the critical one", r"critical_step|time_step"),
    ("Contacts", r"contacts|wall_contacts|bonds|broken_bonds"),
    ("Particles", r"particles|inserted|removed_.*"),
    (r"Force on \1", r"force_[xyz]_(.*)"),
    (r"Torque on \1", r"(?:torque_[xyz]|axis_torque)_(.*)"),
    ("Power of boundaries", r"power_.*"),
    ("Worn volumes", r"(?:archard|finnie)_volume_.*"),
    ("Impacts on boundaries", r"impacts_.*"),
    (r"Motion of \1", r"(?:shift|velocity)_[xyz]_(.*)"),
    (r"Centre of \1", r"center_[xyz]_(.*)"),
    (r"Orientation of \1", r"orientation_[wxyz]_(.*)"),
    (r"Spin of \1", r"spin_[xyz]_(.*)"),
    (r"Turning of \1", r"(?:angle|rate)_(.*)"),
    ("Stress of the cell", r"stress_(kinetic_)?[xyz]{2}"),
    ("Strain of the cell", r"strain_[xyz]{2}"),
    ("Fabric", r"fabric_[xyz]{2}"),
    ("Coordination", r"coordination\w*"),
    ("Load histories", r"history_length_\w+"),
]


@dataclass
class Plot:
    """Columns that share a unit."""

    title: str
    unit: str
    columns: list[dict[str, Any]] = field(default_factory=list)  #: name, values, and shown, dashed, colour


@dataclass
class Plots:
    """The plots of a series at one moment; a run that goes on adds rows."""

    plots: list[Plot] = field(default_factory=list)
    constant: list[str] = field(default_factory=list)  #: columns that are the same number in all rows
    time: list[float] = field(default_factory=list)  #: [s] of the rows that are shown
    rows: int = 0  #: of the series


def _rows_shown(n: int, most: int) -> numpy.ndarray:
    """Indices of the rows that are plotted: all, or evenly chosen ones."""
    if n <= most:
        return numpy.arange(n)
    return numpy.unique(numpy.round(numpy.linspace(0, n - 1, most)).astype(int))


def _family(name: str, unit: str, probes: list[str]) -> str:
    for probe in sorted(probes, key=len, reverse=True):  # "bed_top" before "bed"
        if name.startswith(probe + "_"):
            return f"Probe {probe}"
    for title, pattern in _FAMILIES:
        if found := re.fullmatch(pattern, name):
            if title == "Energies" and unit != "J":
                continue
            return found.expand(title) if "\\" in title else title
    return name.replace("_", " ")


def _numbers(values: numpy.ndarray) -> list[float | None]:
    return [float(f"{v:.7g}") if numpy.isfinite(v) else None for v in values]


def plots(run: Results, flows: dict[str, LineFit], most: int = _MOST_ROWS) -> Plots:
    """The columns of a run, sorted into plots; none without a series."""
    if not run.has_series or not len(series := run.shared_series()):
        return Plots()
    units = series.attrs["units"]
    probes = list((run.case.get("output", {}).get("series") or {}).get("probes") or {})
    rows = _rows_shown(len(series), most)
    time = series.index.to_numpy(float)
    found: dict[tuple[str, str], Plot] = {}
    constant = []
    for name in series.columns:
        if name == "step":
            continue
        values = series[name].to_numpy(float)
        seen = values[numpy.isfinite(values)]
        if not len(seen) or (seen == seen[0]).all():
            constant.append(f"{name} ({seen[0]:g})" if len(seen) else f"{name} (nothing to measure)")
            continue
        unit = units.get(name, "")
        plot = found.setdefault((_family(name, unit, probes), unit), Plot(_family(name, unit, probes), unit))
        plot.columns.append({"name": name, "values": _numbers(values[rows])})
        if fit := flows.get(name):
            at = time[rows]
            line = numpy.where((at >= fit.start) & (at <= fit.end), fit.offset + fit.slope * at, numpy.nan)
            plot.columns.append({"name": f"fit: {fit.slope:.4g} {unit}/s", "values": _numbers(line), "dashed": True,
                                 "colour": "#d1603d"})  # fmt: skip
    order = {title: k for k, (title, _) in enumerate(_FAMILIES)}
    ordered = sorted(found.values(), key=lambda plot: order.get(plot.title, 99))
    return Plots(ordered, constant, [float(f"{t:.10g}") for t in time[rows]], len(series))
