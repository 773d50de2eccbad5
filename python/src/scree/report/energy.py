"""How well a run keeps its energy, and what boundaries that come or go have to do with it."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy

from ..render.walls import present_boundaries
from ..results import Results
from ..stage_times import stage_times

__all__ = ["EnergyError", "Switch", "energy_error", "switches"]

_BEFORE = 1e-7  # relative time at which the boundaries are those before a switch


@dataclass(frozen=True)
class Switch:
    """A moment [s] at which boundaries come or go during a run."""

    time: float
    come: tuple[str, ...]
    go: tuple[str, ...]

    def __str__(self) -> str:
        """ "lid" was put in at 1.36 s."""
        parts = [" and ".join(f'"{name}"' for name in names) + (" were " if len(names) > 1 else " was ") + what
                 for names, what in ((self.come, "put in"), (self.go, "taken away")) if names]  # fmt: skip
        return f"{' and '.join(parts)} at {self.time:.4g} s"


def switches(run: Results) -> list[Switch]:
    """The moments at which boundaries come or go, by `present_from`, `present_until`, or `present` in a stage."""
    times = set(stage_times(run))
    for boundary in (run.case.get("boundaries") or {}).values():
        times |= {float(boundary[key]) for key in ("present_from", "present_until") if boundary.get(key)}
    found = []
    for time in sorted(time for time in times if 0 < time <= run.time):
        before, after = (present_boundaries(run, t) for t in (time * (1 - _BEFORE), time))
        come, go = tuple(n for n in after if n not in before), tuple(n for n in before if n not in after)
        if come or go:
            found.append(Switch(time, come, go))
    return found


@dataclass(frozen=True)
class EnergyError:
    """The largest error of the ledger of energies [J]."""

    error: float  #: [J] its magnitude
    scale: float  #: [J] largest term of the ledger
    kept: float = 0.0  #: [J] largest magnitude without what happened while boundaries came or went
    causes: list[Switch] = field(default_factory=list)  #: those that made most of the error; empty if none did

    @property
    def ratio(self) -> float:
        """Error over the largest term."""
        return self.error / self.scale

    @property
    def kept_ratio(self) -> float:
        """The same of what the steps alone did: without the switches, if these are the causes."""
        return (self.kept if self.causes else self.error) / self.scale


def energy_error(run: Results) -> EnergyError | None:
    """The error of the ledger in the series of a run; None where it was not measured.

    A boundary that is put where grains are, or taken away while grains press it, changes elastic energy at once, which
    nothing has paid for. What the error changes by between the rows around such a moment counts as made by it."""
    series = run.shared_series()
    if "energy_error" not in series.columns or not len(series):
        return None
    parts = [c for c in series.columns if c.startswith(("kinetic_", "elastic", "work_", "lost_"))
             and c not in ("kinetic_energy",) and run.units.get(c) == "J"]  # fmt: skip
    scale = float(series[parts].abs().max().max()) if parts else 0.0
    time, error = series.index.to_numpy(float), series["energy_error"].to_numpy(float)
    largest = float(numpy.nanmax(numpy.abs(error), initial=0.0))
    rest, made = error.copy(), []  # `rest`: the error without what the switches so far have made
    for switch in switches(run):
        before = numpy.searchsorted(time, switch.time * (1 - 1e-5), side="left") - 1
        after = numpy.searchsorted(time, switch.time * (1 + 1e-5), side="right")
        if before >= 0 and after < len(time):
            jump = float(rest[after] - rest[before])  # none is left where two switches lie between the same rows
            rest[before + 1 : after] = rest[before]
            rest[after:] -= jump
            made.append((abs(float(error[after] - error[before])), switch))
    kept = float(numpy.nanmax(numpy.abs(rest), initial=0.0))
    causes = [switch for jump, switch in made if jump > 0.1 * largest] if kept < 0.5 * largest else []
    return EnergyError(largest, scale, kept, causes)
