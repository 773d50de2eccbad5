"""A case in sentences."""

from __future__ import annotations

import math
from typing import Any

from ..render.labels import length_text, quantity_text
from ..results import Results

__all__ = ["case_in_words"]

_LAWS = {
    "hertz_mindlin": "Hertz-Mindlin springs with dashpots", "linear_spring_dashpot": "linear springs and dashpots",
    "hertz_mindlin_rescaled": "Hertz-Mindlin springs, rescaled on unloading", "jkr": "adhesive contacts (JKR)",
    "mindlin_reversal": "Hertz-Mindlin contacts with partial slip", "cundall_strack": "linear springs",
    "jaeger": "the exact tangential contact of Jäger", "hertz_mindlin_dmt": "adhesive contacts (DMT)",
    "eepa": "elasto-plastic adhesive contacts (EEPA)", "luding": "elasto-plastic adhesive contacts (Luding)",
    "bonded": "bonds that break",
}  # fmt: skip


def _count(number: float, one: str, many: str | None = None) -> str:
    return f"{number:,.0f} {one if number == 1 else many or one + 's'}".replace(",", "\u202f")


def _size(value: Any) -> str:
    """A radius of the case in words."""
    if isinstance(value, int | float):
        return length_text(float(value))
    if isinstance(value, dict) and value:
        kind, numbers = next(iter(value.items()))
        if kind == "uniform" and isinstance(numbers, list):
            return f"{length_text(numbers[0])} to {length_text(numbers[1])}, evenly distributed"
        return f"{kind} distribution".replace("_", " ")
    return "as in the file"


def _particles(case: dict[str, Any]) -> list[str]:
    sentences = []
    for entry in case.get("particles") or []:
        shape = entry.get("shape", "sphere")
        fill = entry.get("fill") or {}
        kind = "spheres" if shape == "sphere" else f'particles of shape "{shape}"'
        where = next((key for key in fill if key != "count"), None)
        count = fill.get("count")
        amount = f"{count:,}".replace(",", "\u202f") + " " if isinstance(count, int) else ""
        origin = f" from the file {entry['file']}" if "file" in entry else ""
        place = f" in a {where}" if where else " on a lattice" if "lattice" in entry else ""
        radius = f", radius {_size(entry['radius'])}" if "radius" in entry else ""
        kind = kind if amount else kind[0].upper() + kind[1:]
        sentences.append(f"{amount}{kind} of {entry.get('material', '?')}{place}{origin}{radius}.")
    if parcels := case.get("parcels"):
        scale = parcels.get("scale", 1)
        sentences.append(f"They run as parcels, {scale:g} times as large, each for {scale**3:g} of them.")
    if case.get("start"):
        sentences.append("The particles come from a checkpoint of another run.")
    for name in (case.get("domain") or {}).get("inlets") or {}:
        sentences.append(f"The inlet {name} brings further particles.")
    return sentences


def _boundaries(case: dict[str, Any]) -> list[str]:
    sentences = []
    for name, boundary in (case.get("boundaries") or {}).items():
        motions = [motion.get("type", "") for motion in boundary.get("motion") or []]
        moves = f", with {' and '.join(motions)}" if motions else ""
        driven = ", driven by forces" if boundary.get("drive") else ""
        article = "an" if boundary["type"][0] in "aeiou" else "a"
        sentences.append(f"{name}: {article} {boundary['type']} of {boundary.get('material', '?')}{moves}{driven}.")
    return sentences


def _contacts(case: dict[str, Any]) -> list[str]:
    sentences = []
    for rule in case.get("contacts") or []:
        between = " and ".join("anything" if name == "*" else name for name in rule.get("between", ["*", "*"]))
        law = rule.get("law", "hertz_mindlin")
        values = ", ".join(f"{key.replace('_', ' ')} {rule[key]:g}" for key in ("friction", "restitution", "surface_energy")
                           if isinstance(rule.get(key), int | float))  # fmt: skip
        sentences.append(f"Between {between}: {_LAWS.get(law, law)}" + (f"; {values}." if values else "."))
    return sentences


def _setting(case: dict[str, Any], run: Results) -> list[str]:
    time = case["time"]
    gravity = [float(g) for g in case.get("gravity", [0, 0, -9.81])]
    strength = math.sqrt(sum(g * g for g in gravity))
    sentences = [f"The run simulates {quantity_text(time['duration'], 's')}" + (
        f" in steps of {quantity_text(time['step'], 's')}." if isinstance(time.get("step"), int | float) else " in steps that adapt.")]  # fmt: skip
    sentences.append(
        f"Gravity is {strength:g} m/s² along {_direction(gravity)}." if strength else "There is no gravity."
    )
    domain = case.get("domain") or {}
    if domain.get("periodic"):
        axes = domain["periodic"].get("axes", ["x", "y", "z"])
        sentences.append(f"The cell is periodic along {', '.join(axes)}.")
    for name in domain.get("outlets") or {}:
        sentences.append(f"Particles that pass the outlet {name} are counted and removed.")
    if "precision" in case:
        sentences.append(f"Numbers: {case['precision']} precision; seed {case.get('seed', 1)}.")
    return sentences


def _direction(vector: list[float]) -> str:
    for axis, letter in enumerate("xyz"):
        if abs(vector[axis]) > 0.9999 * math.sqrt(sum(v * v for v in vector)):
            return ("-" if vector[axis] < 0 else "+") + letter
    return "(" + ", ".join(f"{v:g}" for v in vector) + ")"


def case_in_words(run: Results) -> dict[str, list[str]]:
    """Sentences by heading."""
    case = run.case
    materials = [
        f"{name}: density {m['density']:g} kg/m³, Young's modulus {quantity_text(m['young_modulus'], 'Pa')}, "
        f"Poisson's ratio {m['poisson_ratio']:g}, friction {m['friction']:g}"
        + (f", restitution {m['restitution']:g}." if isinstance(m.get("restitution"), int | float) else ".")
        for name, m in (case.get("materials") or {}).items()
    ]
    return {"Particles": _particles(case), "Boundaries": _boundaries(case), "Contacts": _contacts(case),
            "Materials": materials, "Setting": _setting(case, run)}  # fmt: skip
