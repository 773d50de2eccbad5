"""The boundaries of a case in sentences."""

from __future__ import annotations

import math
from typing import Any

from .phrases import direction_text, motions_text, over_time_text, span_text

__all__ = ["boundaries_in_words", "heat_text", "servo_text"]


def servo_text(servo: dict[str, Any]) -> str:
    """ "a stress of 2 kPa", "a stress from 50 to 150 kPa over time": what a wall with a servo holds."""
    what, unit = ("stress", "Pa") if servo.get("stress") is not None else ("force", "N")
    text = over_time_text(servo.get(what) or 0.0, unit)
    return f"a {what} {text}" if text.endswith("over time") else f"a {what} of {text}"


def heat_text(boundary: dict[str, Any]) -> str:
    """ "at 400 K": the temperature of a boundary, or its heat flux; empty without heat."""
    if boundary.get("temperature") is not None:
        return f"at {boundary['temperature']:g} K"
    if boundary.get("heat_flux") is not None:
        return f"with a heat flux of {boundary['heat_flux']:g} W/m²"
    return ""


def boundaries_in_words(case: dict[str, Any]) -> list[str]:
    """One sentence for each boundary."""
    sentences = []
    for name, boundary in (case.get("boundaries") or {}).items():
        article = "an" if boundary["type"][0] in "aeiou" else "a"
        clauses = [f"{article} {boundary['type']} of {boundary.get('material', '?')}"]
        if turn := boundary.get("rotate"):
            clauses.append(f"turned by {math.degrees(turn['angle']):.4g}° about {direction_text(turn['axis'])}")
        if motions := boundary.get("motion"):
            clauses.append(f"with {motions_text(motions)}")
        if boundary.get("drive"):
            clauses.append("driven by forces")
        if servo := boundary.get("servo"):
            clauses.append(f"which holds {servo_text(servo)}{span_text(servo)}")
        if motions := boundary.get("surface_motion"):
            clauses.append(f"whose surface moves ({motions_text(motions)})")
        clauses.append(heat_text(boundary))
        if present := span_text(boundary, "present_from", "present_until"):
            clauses.append(f"present{present}")
        sentences.append(f"{name}: {', '.join(clause for clause in clauses if clause)}.")
    return sentences
