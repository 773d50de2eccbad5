"""A case in sentences."""

from __future__ import annotations

from typing import Any

from ..render.labels import quantity_text
from ..results import Results
from .boundary_words import boundaries_in_words
from .contact_words import contacts_in_words, materials_in_words
from .group_words import groups_in_words
from .particle_words import particles_in_words
from .phrases import listed, span_text
from .probe_words import probes_in_words
from .stage_words import gravity_text, stages_in_words

__all__ = ["case_in_words"]


def _setting(case: dict[str, Any]) -> list[str]:
    time = case["time"]
    steps = " in steps that adapt" if time.get("adaptive") else ""
    if not steps and isinstance(time.get("step"), int | float):
        steps = f" in steps of {quantity_text(time['step'], 's')}"
    sentences = [f"The run simulates {quantity_text(time['duration'], 's')}{steps}."]
    gravity = gravity_text([float(g) for g in case.get("gravity", [0, 0, -9.81])])
    sentences.append(gravity[0].upper() + gravity[1:] + ".")
    domain = case.get("domain") or {}
    if domain.get("periodic"):
        axes = domain["periodic"].get("axes", ["x", "y", "z"])
        sentences.append(f"The cell is periodic along {', '.join(axes)}.")
    if gradient := domain.get("velocity_gradient"):
        rates = [f"{'xyz'[i]}{'xyz'[k]} {rate:g} 1/s" for i, row in enumerate(gradient)
                 for k, rate in enumerate(row) if rate]  # fmt: skip
        sentences.append(f"The cell deforms at constant rates: {listed(rates) or 'all are 0'}.")
    if domain.get("remove_outside"):
        sentences.append("Particles that leave a box around the domain are removed.")
    for name in domain.get("outlets") or {}:
        sentences.append(f"Particles that pass the outlet {name} are counted and removed.")
    for name, region in (domain.get("delete_in") or {}).items():
        sentences.append(f"Particles in the region {name} are counted and removed{span_text(region)}.")
    integration = case.get("integration") or {}
    if integration.get("damping"):
        without = "" if integration.get("damp_gravity", True) else ", but not of gravity"
        sentences.append(f"The damping of all forces is {integration['damping']:g}{without}.")
    if integration.get("viscous_damping"):
        sentences.append(f"The viscous damping is {integration['viscous_damping']:g} 1/s.")
    if case.get("no_ratcheting"):
        sentences.append("Closed cycles of pushing and rolling leave no shear force.")
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
    return {"Particles": particles_in_words(case), "Groups": groups_in_words(case),
            "Boundaries": boundaries_in_words(case), "Contacts": contacts_in_words(case),
            "Materials": materials_in_words(case), "Stages": stages_in_words(case),
            "Probes": probes_in_words(case), "Setting": _setting(case)}  # fmt: skip
