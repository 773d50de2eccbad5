"""The groups of a case in sentences."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .phrases import direction_text, listed, vector_text

__all__ = ["group_settings", "groups_in_words"]


def group_settings(name: str, group: dict[str, Any]) -> Iterator[str]:
    """What a group, or the change of one, prescribes, in words."""
    if group.get("rotation"):
        rotation = group["rotation"]
        axis = direction_text(rotation.get("axis") or [0, 0, 1])
        rpm = rotation.get("rpm")
        rate = f"{rotation['rate']:g} rad/s" if rpm is None else f"{rpm:g} revolutions per minute"
        yield f"{name} turns with {rate} about {axis}"
    elif group.get("fixed") is not None:
        fixed = listed(list(group["fixed"]))
        yield f"{name} keeps its velocity along and about {fixed}" if fixed else f"{name} is free"
    for key, words, unit in (
        ("velocity", "velocity", "m/s"),
        ("angular_velocity", "angular velocity", "rad/s"),
        ("force", "force on each particle", "N"),
        ("torque", "torque on each particle", "N m"),
    ):
        if group.get(key) is not None:
            yield f"the {words} of {name} is {vector_text(group[key], unit)}"
    if group.get("damping") is not None:
        yield f"the damping of {name} is {group['damping']:g}"
    if group.get("gravity") is not None:
        yield f"gravity acts {'' if group['gravity'] else 'no more '}on {name}"


def groups_in_words(case: dict[str, Any]) -> list[str]:
    """One sentence for each group of particles, without what it has by default."""
    sentences = []
    for name, group in (case.get("groups") or {}).items():
        own = {key: value for key, value in group.items() if key != "gravity" and value is not None
               and not (key in ("fixed", "force", "torque") and not any(value))}  # fmt: skip
        words = [*group_settings("it", own), *([] if group.get("gravity", True) else ["gravity does not act on it"])]
        sentences.append(f"The group {name}: {'; '.join(words) or 'it moves as all others'}.")
    return sentences
