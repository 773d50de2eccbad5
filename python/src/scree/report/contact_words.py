"""The contacts and materials of a case in sentences."""

from __future__ import annotations

from typing import Any

from ..render.labels import quantity_text
from .phrases import rolling_text

__all__ = ["contacts_in_words", "materials_in_words"]

_LAWS = {
    "hertz_mindlin": "Hertz-Mindlin springs with dashpots", "linear_spring_dashpot": "linear springs and dashpots",
    "hertz_mindlin_rescaled": "Hertz-Mindlin springs, rescaled on unloading", "jkr": "adhesive contacts (JKR)",
    "mindlin_reversal": "Hertz-Mindlin contacts with partial slip", "cundall_strack": "linear springs",
    "jaeger": "the exact tangential contact of Jäger", "hertz_mindlin_dmt": "adhesive contacts (DMT)",
    "eepa": "elasto-plastic adhesive contacts (EEPA)", "luding": "elasto-plastic adhesive contacts (Luding)",
    "bonded": "bonds that break",
}  # fmt: skip


_VALUES = {
    "friction": "", "restitution": "", "restitution_tangential": "", "surface_energy": " J/m²", "contact_time": " s",
    "normal_stiffness": " N/m", "shear_stiffness": " N/m", "normal_damping": " N s/m", "shear_damping": " N s/m",
    "young_modulus": " Pa", "shear_modulus": " Pa",
}  # fmt: skip


def _liquid(liquid: dict[str, Any]) -> str:
    """Bridges of liquid in words."""
    if liquid.get("volume") is not None:
        size = f"{liquid['volume']:g} m³"
    else:
        size = f"{100 * (liquid.get('volume_fraction') or 0.0):.4g} % of the smaller sphere"
    films = ", which take it from films on the particles" if liquid.get("from_films") else ""
    most = "at most " if liquid.get("from_films") else ""
    viscosity = f", viscosity {liquid['viscosity']:g} Pa s" if liquid.get("viscosity") else ""
    return f"liquid bridges of {most}{size}, surface tension {liquid['surface_tension']:g} N/m{viscosity}{films}"


def _plasticity(plasticity: dict[str, Any]) -> str:
    """How contacts yield, in words."""
    text = f"they yield (stiffness ratio {plasticity['ratio']:g}"
    if plasticity.get("pull_off"):
        text += f", constant pull {quantity_text(plasticity['pull_off'], 'N')}"
    return text + (f", adhesion {plasticity['adhesion']:g})" if plasticity.get("adhesion") else ")")


def _bond(bond: dict[str, Any]) -> str:
    """Bonds in words: their strengths, and when they form."""
    text = f"tensile strength {quantity_text(bond['tensile_strength'], 'Pa')}"
    text += f", cohesion {quantity_text(bond['cohesion'], 'Pa')}"
    if bond.get("weibull_modulus") is not None:
        text += f", scattered with the Weibull modulus {bond['weibull_modulus']:g}"
    if bond.get("moment_contribution"):
        text += f", bending and torsion count by the factor {bond['moment_contribution']:g}"
    if bond.get("form") == "kept":
        return text + ", those that the checkpoint of the start brings"
    if bond.get("form") != "near":
        return text + ", made at the start"
    until = f" until {quantity_text(bond['form_until'], 's')}" if bond.get("form_until") is not None else ""
    return f"{text}, made whenever particles come near{until}"


def contacts_in_words(case: dict[str, Any]) -> list[str]:
    """One sentence for each rule of contacts."""
    sentences = []
    for rule in case.get("contacts") or []:
        between = " and ".join("anything" if name == "*" else name for name in rule.get("between", ["*", "*"]))
        law = rule.get("law", "hertz_mindlin")
        values = [f"{key.replace('_', ' ')} {rule[key]:g}{unit}" for key, unit in _VALUES.items()
                  if isinstance(rule.get(key), int | float)]  # fmt: skip
        clauses = [_LAWS.get(law, law), ", ".join(values)]
        if rule.get("rolling") is not None:
            clauses.append(rolling_text(rule["rolling"]))
        if cohesion := rule.get("cohesion"):
            clauses.append(f"linear cohesion of {quantity_text(cohesion['energy_density'], 'J')}/m³")
        clauses += [say(rule[key]) for key, say in (("liquid", _liquid), ("plasticity", _plasticity), ("bond", _bond))
                    if rule.get(key)]  # fmt: skip
        sentences.append(f"Between {between}: {'; '.join(clause for clause in clauses if clause)}.")
    return sentences


def materials_in_words(case: dict[str, Any]) -> list[str]:
    """One sentence for each material."""
    sentences = []
    for name, m in (case.get("materials") or {}).items():
        text = (f"{name}: density {m['density']:g} kg/m³, Young's modulus {quantity_text(m['young_modulus'], 'Pa')}, "
                f"Poisson's ratio {m['poisson_ratio']:g}, friction {m['friction']:g}")  # fmt: skip
        if isinstance(m.get("restitution"), int | float):
            text += f", restitution {m['restitution']:g}"
        if m.get("rolling"):
            text += f", {rolling_text(m['rolling'])}"
        if thermal := m.get("thermal"):
            text += f", conductivity {thermal['conductivity']:g} W/(m K)"
            text += f", heat capacity {thermal['heat_capacity']:g} J/(kg K)"
            if thermal.get("emissivity") is not None:
                text += f", emissivity {thermal['emissivity']:g}"
        sentences.append(text + ".")
    return sentences
