"""The particles of a case in sentences."""

from __future__ import annotations

from typing import Any

from .phrases import counted, place_text, size_text, span_text, vector_text

__all__ = ["particles_in_words"]


def _kind(entry: dict[str, Any]) -> str:
    """ "spheres of glass": shape and material of an entry, or of a part of a mixture."""
    shape, material = entry.get("shape", "sphere"), entry.get("material")
    of = f" of {material}" if material else " of the materials in the file" if "file" in entry else ""
    return ("spheres" if shape == "sphere" else f'particles of shape "{shape}"') + of


def _radius(entry: dict[str, Any]) -> str:
    return f", radius {size_text(entry['radius'])}" if "radius" in entry else ""


def _mixture(parts: list[dict[str, Any]]) -> str:
    """ "70 % spheres of ore, radius 3 mm; 30 % spheres of coal, radius 2 mm (by mass)"."""
    kinds = [f"{100 * part['mass_fraction']:.4g} % {_kind(part)}{_radius(part)}" for part in parts]
    return "; ".join(kinds) + " (by mass)"


def _state(entry: dict[str, Any]) -> str:
    """Group, velocity, temperature and liquid of the particles of an entry."""
    text = f", in the group {entry['group']}" if entry.get("group") else ""
    for key, words, unit in (("velocity", "with", "m/s"), ("angular_velocity", "turning with", "rad/s")):
        if any(vector := (entry.get("inlet") or entry).get(key) or [0]):
            text += f", {words} {vector_text(vector, unit)}"
    text += f", at {entry['temperature']:g} K" if entry.get("temperature") is not None else ""
    if entry.get("film"):
        text += f", with films of liquid of {100 * entry['film']:.4g} % of their volume"
    return text


def _at_start(entry: dict[str, Any]) -> str:
    fill = entry.get("fill") or {}
    count = fill.get("count")
    amount = f"{count:,}".replace(",", "\u202f") + " " if isinstance(count, int) else ""
    origin = f" from the file {entry['file']}" if "file" in entry else ""
    place = f" {place_text(fill)}" if fill else " on a lattice" if entry.get("lattice") else ""
    share = f", solid fraction {fill['solid_fraction']:g}" if fill.get("solid_fraction") is not None else ""
    if parts := entry.get("mixture"):
        kind = "particles of a mixture" if amount else "a mixture of particles"
        text = f"{amount}{kind}{place}{share}{_state(entry)}: {_mixture(parts)}"
    else:
        text = f"{amount}{_kind(entry)}{place}{origin}{share}{_radius(entry)}{_state(entry)}"
    return text[0].upper() + text[1:] + "."


def _at_inlet(entry: dict[str, Any]) -> str:
    inlet = entry["inlet"]
    name = f"The inlet {inlet['name']}" if inlet.get("name") else "An inlet"
    flow = f", {inlet['mass_flow']:g} kg/s" if inlet.get("mass_flow") is not None else ""
    if inlet.get("rate") is not None:
        flow = f", {inlet['rate']:g} each second"
    most = f", {counted(inlet['count'], 'particle')} at most" if inlet.get("count") is not None else ""
    most += f", {inlet['mass']:g} kg at most" if inlet.get("mass") is not None else ""
    span = span_text(inlet)
    parts = entry.get("mixture")
    what = "a mixture of particles" if parts else f"{_kind(entry)}{_radius(entry)}"
    text = f"{name} brings {what}{_state(entry)}{flow}{most}{',' + span if span else ''}"
    return text + (f": {_mixture(parts)}." if parts else ".")


def particles_in_words(case: dict[str, Any]) -> list[str]:
    """One sentence for each entry of particles, and those about where all come from."""
    sentences = [_at_inlet(entry) if entry.get("inlet") else _at_start(entry) for entry in case.get("particles") or []]
    if parcels := case.get("parcels"):
        scale = parcels.get("scale", 1)
        sentences.append(f"They run as parcels, {scale:g} times as large, each for {scale**3:g} of them.")
    if case.get("start"):
        sentences.append("The particles come from a checkpoint of another run.")
    return sentences
