"""Whether a run can be trusted: its step, overlaps and energy error."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy

from ..errors import ResultsError
from ..measures import LineFit, discharge_rate, mass_columns
from ..results import Results
from .energy import energy_error

__all__ = ["Diagnostic", "diagnostics", "flows", "series_damage"]

_GOOD_ENERGY = 0.01  # largest error over the largest term of the ledger with which energy counts as kept

#: The time step over the least critical step. Older logs have it under "speed" where nothing touched at the end.
_LEAST = re.compile(r"(\d[\d.e+-]*) of \d[\d.e+-]* s, the least critical step")


@dataclass(frozen=True)
class Diagnostic:
    """One line: a name, its value in words, "good", "doubtful", "bad" or "unknown", and what that means."""

    name: str
    value: str
    verdict: str
    meaning: str


def series_damage(run: Results) -> str:
    """A sentence that says why the series of a run cannot be read; empty if it can, or if there is none, or none yet."""
    try:
        run.shared_series()
    except ResultsError as error:
        file = run.folder / "series.csv"
        begun = file.is_file() and b"\n" in file.read_bytes()  # a run that has just begun has not written a line
        return f"The series could not be read: {error}." if begun else ""
    return ""


def _ratio_of_series(run: Results) -> float | None:
    """Largest time step over the critical step in the rows of the series."""
    series = run.shared_series()
    if "critical_step" not in series.columns:
        return None
    critical = series["critical_step"].to_numpy(float)
    step = series["time_step"].to_numpy(float) if "time_step" in series.columns else run.case["time"]["step"]
    if isinstance(step, str):
        return None
    ratios = (step / critical)[numpy.isfinite(critical) & (critical > 0)]
    return float(max(ratios)) if len(ratios) else None


def _percent(part: float) -> str:
    """ "0.85 %", "2600 %": two digits without an exponent, unless the number is very small or large."""
    value = float(f"{100 * part:.2g}")
    return (f"{value:.0f}" if 10 <= value < 1e6 else f"{value:.2g}") + " %"


def _step(run: Results, damage: str) -> Diagnostic:
    name = "Time step over the critical step"
    known = [float(found[1]) for part in run.log.parts if (found := _LEAST.search("\n".join(part.lines)))]
    if len(known) < len(run.log.parts) and not damage and (of_series := _ratio_of_series(run)) is not None:
        known.append(of_series)  # a part that was killed does not say it
    ratio = max(known, default=None)
    if ratio is None:
        return Diagnostic(name, "unknown", "unknown", damage or "Nothing touched, or the series does not say.")
    verdict = "good" if ratio <= 0.8 else "doubtful" if ratio <= 1 else "bad"
    meaning = {
        "good": "The step was stable for all contacts.",
        "doubtful": "The step was close to the limit; a smaller time.step or time.safety is safer.",
        "bad": "The step was longer than some contact allows: energies may have grown. Use a smaller time.step.",
    }[verdict]
    energy = None if damage or verdict != "bad" else energy_error(run)
    if energy is not None and energy.scale > 0 and energy.kept_ratio <= _GOOD_ENERGY:
        verdict = "doubtful"  # the theory is of linear springs that all swing at their worst
        meaning = ("Above the critical step of linear theory for some contact, but energy is kept within "
                   f"{_percent(energy.kept_ratio)} of its largest term; a smaller time.step or time.safety is safer.")  # fmt: skip
    return Diagnostic(name, f"at most {ratio:.2g}" if ratio <= 1 else f"at most {ratio:.3g}", verdict, meaning)


def _overlap(run: Results, damage: str) -> Diagnostic:
    name = "Largest overlap"
    if damage:
        return Diagnostic(name, "unknown", "unknown", damage)
    if "overlap_max_so_far" not in run.shared_series().columns or not len(run.shared_series()):
        return Diagnostic(name, "unknown", "unknown", "The series does not say.")
    largest = float(run.shared_series()["overlap_max_so_far"].max())
    verdict = "good" if largest <= 0.03 else "doubtful" if largest <= 0.05 else "bad"
    meaning = {
        "good": "Contacts are small beside the particles, as the contact laws assume.",
        "doubtful": "Contacts are large: the material is soft for these loads.",
        "bad": "The material is far too soft for these loads; raise young_modulus, or lower speeds and loads.",
    }
    return Diagnostic(name, f"{_percent(largest)} of the smaller radius", verdict, meaning[verdict])


def _energy(run: Results, damage: str) -> Diagnostic:
    name = "Energy error"
    if damage:
        return Diagnostic(name, "unknown", "unknown", damage)
    found = energy_error(run)
    if found is None:
        return Diagnostic(name, "not measured", "unknown", 'Set "energies": true in output.series to have it.')
    if found.scale <= 0:
        return Diagnostic(name, f"{found.error:.3g} J", "unknown", "No energy was exchanged.")
    verdict = "good" if found.ratio <= _GOOD_ENERGY else "doubtful" if found.ratio <= 0.05 else "bad"
    meaning = {
        "good": "Energy is kept to within a hundredth of the largest term.",
        "doubtful": "Energy is kept to within a twentieth of the largest term; a smaller step helps.",
        "bad": "Energy is not kept: the step is too long, or a law gives back too much.",
    }[verdict]
    if verdict != "good" and found.causes:
        meaning = (f"Energy changed when {', and when '.join(map(str, found.causes))}: boundaries that come or go while "
                   f"grains overlap them do that. Apart from it energy is kept within {_percent(found.kept_ratio)} of the largest term.")  # fmt: skip
    return Diagnostic(name, f"{_percent(found.ratio)} of the largest term ({found.error:.3g} J)", verdict, meaning)


def _end(run: Results) -> Diagnostic:
    status = run.status
    verdict = {"done": "good", "running": "unknown", "interrupted": "doubtful"}.get(status, "bad")
    error = run.log.errors[0] if run.log.errors else ""
    meaning = error or {"done": "The run came to its end.", "running": "The run goes on; this is what it has so far.",
                        "interrupted": "The run was stopped; scree run --resume continues it.",
                        "killed": "The run ended without a word; scree run --resume continues it."}.get(status, "")  # fmt: skip
    return Diagnostic("State", status, verdict, meaning)


def diagnostics(run: Results) -> list[Diagnostic]:
    """State, step, overlaps and energy error of a run. Without a series the state alone; where it cannot be read, the
    rest is unknown."""
    found = [_end(run)]
    damage = series_damage(run)
    if run.has_series or damage:
        found += [_step(run, damage), _overlap(run, damage), _energy(run, damage)]
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
