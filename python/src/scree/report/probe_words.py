"""The probes of a case in sentences."""

from __future__ import annotations

from typing import Any

from .phrases import listed, place_text

__all__ = ["probe_text", "probes_in_words"]

_WHAT = {
    "flow": "the flow through a plane", "stress": "the stress", "fabric": "the fabric", "coordination": "the coordination",
    "porosity": "the porosity", "inertial_number": "the inertial number", "track": "the motion of single particles",
    "mixing": "the mixing of two kinds", "size_segregation": "the segregation by size", "fragments": "the fragments",
    "angle_of_repose": "the angle of repose", "dissipation": "the energy that contacts lose",
    "boundary_force": "the force on {boundaries}", "contact_force": "the force of all others on particles", "surface_slope": "the slope of the surface",
    "content": "the number and mass of particles", "box": "the stress between {walls}",
    "triaxial": "the stress as in a triaxial test", "exposure": "the time that particles spend",
}  # fmt: skip


def probe_text(probe: dict[str, Any]) -> str:
    """ "the porosity in a box, of glass": what a probe measures, where, and of which particles."""
    kind = str(probe.get("type", ""))
    names = {key: listed(list(probe.get(key) or [])) for key in ("boundaries", "walls")}
    text = _WHAT.get(kind, "the " + kind.replace("_", " ")).format(**names)
    if place := place_text(probe.get("region") or {}):
        text += f" {place}"
    of = [*(probe.get("materials") or []), *(f"the group {name}" for name in probe.get("groups") or [])]
    return f"{text}, of {listed(of)}" if of else text


def probes_in_words(case: dict[str, Any]) -> list[str]:
    """One sentence for each probe of the series."""
    probes = ((case.get("output") or {}).get("series") or {}).get("probes") or {}
    return [f"{name} measures {probe_text(probe)}." for name, probe in probes.items()]
