"""Parts of sentences that several parts of a case share."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ..render.labels import in_usual_unit, length_text, quantity_text

__all__ = ["counted", "direction_text", "listed", "motions_text", "over_time_text", "place_text", "rolling_text",
           "size_text", "span_text", "vector_text"]  # fmt: skip

_PLACES = {"box": "in a box", "cylinder": "in a cylinder", "sphere": "in a ball", "mesh": "inside a mesh",
           "cell": "in the whole cell", "above": "above a mesh", "face": "at a face"}  # fmt: skip


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
    """ "translation and rotation"; a table of positions or velocities is one of the kinds."""

    def kind(motion: dict[str, Any]) -> str:
        if motion.get("type") != "table":
            return str(motion.get("type"))
        of_velocity = motion.get("velocity") is not None or motion.get("velocity_file") is not None
        return f"a table of its {'velocity' if of_velocity else 'displacement'}"

    return listed([kind(motion) for motion in motions])


def span_text(entry: dict[str, Any], start: str = "from", end: str = "until") -> str:
    """ " from 0.1 s until 0.4 s", of an entry with these keys; empty for all times."""
    text = f" from {quantity_text(entry[start], 's')}" if entry.get(start) else ""
    return text + (f" until {quantity_text(entry[end], 's')}" if entry.get(end) is not None else "")


def place_text(region: dict[str, Any]) -> str:
    """ "in a box", of a region of the case; empty without one."""
    return next((words for kind, words in _PLACES.items() if region.get(kind) is not None), "")


def over_time_text(value: Any, unit: str) -> str:
    """ "2 kPa", or "from 50 to 150 kPa over time" of a table of rows [time, value]."""
    if isinstance(value, int | float):
        return quantity_text(value, unit)
    values = [float(row[1]) for row in value]
    low, high = min(values), max(values)
    if low == high:
        return quantity_text(low, unit)
    one, name = in_usual_unit(unit, max(abs(low), abs(high)))
    if {values[0], values[-1]} == {low, high}:
        return f"from {values[0] / one:.4g} to {values[-1] / one:.4g} {name} over time"
    return f"between {low / one:.4g} and {high / one:.4g} {name} over time"


def vector_text(vector: Sequence[float], unit: str) -> str:
    """ "2 N along +z"."""
    strength = math.sqrt(sum(v * v for v in vector))
    return f"{strength:g} {unit} along {direction_text(vector)}" if strength else f"0 {unit}"


def rolling_text(rolling: dict[str, Any]) -> str:
    """The resistance to rolling of a material or a rule."""
    keys = ("friction", "stiffness", "viscosity", "twisting_friction", "twisting_stiffness", "damping")
    values = [f"{key.replace('_', ' ')} {rolling[key]:g}" for key in keys if rolling.get(key)]
    if not values:
        return "no rolling resistance"
    return f"rolling resistance of type {rolling.get('type', 'C')} ({', '.join(values)})"
