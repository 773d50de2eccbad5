"""A case in sentences."""

from __future__ import annotations

from typing import Any

from ..render.labels import quantity_text
from ..results import Results
from .boundary_words import boundaries_in_words
from .contact_words import contacts_in_words, materials_in_words
from .particle_words import particles_in_words
from .stage_words import gravity_text, stages_in_words

__all__ = ["case_in_words"]


def _setting(case: dict[str, Any]) -> list[str]:
    time = case["time"]
    sentences = [f"The run simulates {quantity_text(time['duration'], 's')}" + (
        f" in steps of {quantity_text(time['step'], 's')}." if isinstance(time.get("step"), int | float) else " in steps that adapt.")]  # fmt: skip
    gravity = gravity_text([float(g) for g in case.get("gravity", [0, 0, -9.81])])
    sentences.append(gravity[0].upper() + gravity[1:] + ".")
    domain = case.get("domain") or {}
    if domain.get("periodic"):
        axes = domain["periodic"].get("axes", ["x", "y", "z"])
        sentences.append(f"The cell is periodic along {', '.join(axes)}.")
    for name in domain.get("outlets") or {}:
        sentences.append(f"Particles that pass the outlet {name} are counted and removed.")
    for name in domain.get("delete_in") or {}:
        sentences.append(f"Particles in the region {name} are counted and removed.")
    if case.get("heat") is not None:
        sentences.append(_heat(case["heat"]))
    if "precision" in case:
        sentences.append(f"Numbers: {case['precision']} precision; seed {case.get('seed', 1)}.")
    return sentences


def _heat(heat: dict[str, Any]) -> str:
    ways = ["contacts", *(["the gas between particles"] if heat.get("gas") else [])]
    text = f"Heat flows through {' and '.join(ways)}" + (", and by radiation" if heat.get("radiation") else "")
    text += f"; particles begin at {heat.get('temperature', 293.15):g} K if nothing else is said"
    share = heat.get("dissipation") or 0.0
    return text + (f"; {100 * share:.4g} % of what contacts lose becomes heat." if share else ".")


def case_in_words(run: Results) -> dict[str, list[str]]:
    """Sentences by heading."""
    case = run.case
    return {"Particles": particles_in_words(case), "Boundaries": boundaries_in_words(case),
            "Contacts": contacts_in_words(case), "Materials": materials_in_words(case),
            "Stages": stages_in_words(case), "Setting": _setting(case)}  # fmt: skip
