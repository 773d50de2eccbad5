"""Parts of sentences that several parts of a case share."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ..render.labels import length_text, quantity_text

__all__ = ["counted", "direction_text", "listed", "motions_text", "rolling_text", "size_text", "span_text"]


def counted(number: float, one: str, many: str | None = None) -> str:
    """ "1 particle", "1 200 particles"."""
    return f"{number:,.0f} {one if number == 1 else many or one + 's'}".replace(",", "\u202f")


def listed(parts: Sequence[str], last: str = "and") -> str:
    """ "a, b and c"."""
    return f" {last} ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)  # empty without parts


def size_text(value: Any) -> str:
    """A radius of the case in words."""
    if isinstance(value, int | float):
        return length_text(float(value))
    if isinstance(value, dict) and value:
        kind, numbers = next(iter(value.items()))
        if kind == "uniform" and isinstance(numbers, list):
            return f"{length_text(numbers[0])} to {length_text(numbers[1])}, evenly distributed"
        return f"{kind} distribution".replace("_", " ")
    return "as in the file"


def direction_text(vector: Sequence[float]) -> str:
    """ "-z", or the components where it lies along no axis."""
    for axis, letter in enumerate("xyz"):
        if abs(vector[axis]) > 0.9999 * math.sqrt(sum(v * v for v in vector)):
            return ("-" if vector[axis] < 0 else "+") + letter
    return "(" + ", ".join(f"{v:g}" for v in vector) + ")"


def motions_text(motions: Sequence[dict[str, Any]]) -> str:
    """ "translation and rotation"; a table of positions is one of the kinds."""
    return listed(["a table of its displacement" if m.get("type") == "table" else str(m.get("type")) for m in motions])


def span_text(entry: dict[str, Any], start: str = "from", end: str = "until") -> str:
    """ " from 0.1 s until 0.4 s", of an entry with these keys; empty for all times."""
    text = f" from {quantity_text(entry[start], 's')}" if entry.get(start) else ""
    return text + (f" until {quantity_text(entry[end], 's')}" if entry.get(end) is not None else "")


def rolling_text(rolling: dict[str, Any]) -> str:
    """The resistance to rolling of a material or a rule."""
    keys = ("friction", "stiffness", "viscosity", "twisting_friction", "twisting_stiffness", "damping")
    values = [f"{key.replace('_', ' ')} {rolling[key]:g}" for key in keys if rolling.get(key)]
    if not values:
        return "no rolling resistance"
    return f"rolling resistance of type {rolling.get('type', 'C')} ({', '.join(values)})"
