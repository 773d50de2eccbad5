"""Whether a run can be trusted: its step, overlaps and energy error."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy

from ..errors import ResultsError
from ..measures import LineFit, discharge_rate, mass_columns
from ..results import Results

__all__ = ["Diagnostic", "diagnostics", "flows"]


#: The time step over the least critical step. Older logs have it under "speed" where nothing touched at the end.
_LEAST = re.compile(r"(\d[\d.e+-]*) of \d[\d.e+-]* s, the least critical step")


@dataclass(frozen=True)
class Diagnostic:
    """One line: a name, its value in words, "good", "doubtful", "bad" or "unknown", and what that means."""

    name: str
    value: str
    verdict: str
    meaning: str


def _step(run: Results) -> Diagnostic:
    name = "Time step over the critical step"
    ratio = None
    if found := _LEAST.search("\n".join(run.log.lines)):
        ratio = float(found[1])
    elif "critical_step" in run.shared_series().columns:
        critical = run.shared_series()["critical_step"].to_numpy(float)
        step = (
            run.shared_series()["time_step"].to_numpy(float)
            if "time_step" in run.shared_series().columns
            else run.case["time"]["step"]
        )
        ratios = (step / critical)[numpy.isfinite(critical) & (critical > 0)] if not isinstance(step, str) else []
        ratio = float(max(ratios)) if len(ratios) else None
    if ratio is None:
        return Diagnostic(name, "unknown", "unknown", "Nothing touched, or the series does not say.")
    verdict = "good" if ratio <= 0.8 else "doubtful" if ratio <= 1 else "bad"
    meaning = {
        "good": "The step was stable for all contacts.",
        "doubtful": "The step was close to the limit; a smaller time.step or time.safety is safer.",
        "bad": "The step was longer than some contact allows: energies may have grown. Use a smaller time.step.",
    }
    return Diagnostic(name, f"at most {ratio:.2g}", verdict, meaning[verdict])


def _overlap(run: Results) -> Diagnostic:
    name = "Largest overlap"
    if "overlap_max_so_far" not in run.shared_series().columns or not len(run.shared_series()):
        return Diagnostic(name, "unknown", "unknown", "The series does not say.")
    largest = float(run.shared_series()["overlap_max_so_far"].max())
    verdict = "good" if largest <= 0.02 else "doubtful" if largest <= 0.05 else "bad"
    meaning = {
        "good": "Contacts are small beside the particles, as the contact laws assume.",
        "doubtful": "Contacts are large: the material is soft for these loads.",
        "bad": "The material is far too soft for these loads; raise young_modulus, or lower speeds and loads.",
    }
    return Diagnostic(name, f"{100 * largest:.2g} % of the smaller radius", verdict, meaning[verdict])


def _energy(run: Results) -> Diagnostic:
    name = "Energy error"
    if "energy_error" not in run.shared_series().columns:
        return Diagnostic(name, "not measured", "unknown", 'Set "energies": true in output.series to have it.')
    series = run.shared_series()
    error = float(series["energy_error"].abs().max())
    parts = [c for c in series.columns if c.startswith(("kinetic_", "elastic", "work_", "lost_"))
             and c not in ("kinetic_energy",) and run.units.get(c) == "J"]  # fmt: skip
    scale = float(series[parts].abs().max().max()) if parts else 0.0
    if scale <= 0:
        return Diagnostic(name, f"{error:.3g} J", "unknown", "No energy was exchanged.")
    ratio = error / scale
    verdict = "good" if ratio <= 0.01 else "doubtful" if ratio <= 0.05 else "bad"
    meaning = {
        "good": "Energy is kept to within a hundredth of the largest term.",
        "doubtful": "Energy is kept to within a twentieth of the largest term; a smaller step helps.",
        "bad": "Energy is not kept: the step is too long, or a law gives back too much.",
    }
    return Diagnostic(name, f"{100 * ratio:.2g} % of the largest term ({error:.3g} J)", verdict, meaning[verdict])


def _end(run: Results) -> Diagnostic:
    status = run.status
    verdict = {"done": "good", "running": "unknown", "interrupted": "doubtful"}.get(status, "bad")
    error = run.log.errors[0] if run.log.errors else ""
    meaning = error or {"done": "The run came to its end.", "running": "The run goes on; this is what it has so far.",
                        "interrupted": "The run was stopped; scree run --resume continues it.",
                        "killed": "The run ended without a word; scree run --resume continues it."}.get(status, "")  # fmt: skip
    return Diagnostic("State", status, verdict, meaning)


def diagnostics(run: Results) -> list[Diagnostic]:
    """State, step, overlaps and energy error of a run."""
    found = [_end(run)]
    if run.has_series:
        found += [_step(run), _overlap(run), _energy(run)]
    return found


def flows(run: Results) -> dict[str, LineFit]:
    """A line through the steady part of each column of mass that allows one."""
    found = {}
    if run.has_series:
        for column in mass_columns(run):
            try:
                found[column] = discharge_rate(run, column)[1]
            except ResultsError:
                continue  # too few rows
    return found
