"""Which keys of a case are whole numbers, as the schema of the program says."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from .program import InputError, program

__all__ = ["is_whole"]


@lru_cache(maxsize=4)
def _schema(path: str) -> dict[str, Any]:
    """What `scree schema` prints; empty where a program does not tell."""
    try:
        said = subprocess.run([path, "schema"], capture_output=True, text=True, encoding="utf-8", check=True).stdout
        return dict(json.loads(said))
    except (OSError, subprocess.CalledProcessError, ValueError, TypeError):
        return {}


def _branches(node: Any) -> Iterator[dict[str, Any]]:
    """A part of the schema, and what it may be instead."""
    if isinstance(node, dict):
        yield node
        for kind in ("oneOf", "anyOf", "allOf"):
            for part in node.get(kind, ()):
                yield from _branches(part)


def _inside(node: dict[str, Any], key: str) -> Iterator[dict[str, Any]]:
    """What the schema says of a key, or of an entry of a list, of a part of the case."""
    for branch in _branches(node):
        if key.isdigit() and ("items" in branch or "prefixItems" in branch):
            first = branch.get("prefixItems", [])
            yield from _branches(first[int(key)] if int(key) < len(first) else branch.get("items"))
        elif key in branch.get("properties", {}):
            yield from _branches(branch["properties"][key])
        else:
            yield from _branches(branch.get("additionalProperties"))


def is_whole(path: str, schema: dict[str, Any] | None = None) -> bool:
    """Whether a key of the case, as "particles.0.fill.count", takes whole numbers alone. `schema`: that of the program
    unless given. Where there is no program, it is not known and False."""
    if schema is None:
        try:
            schema = _schema(program())
        except InputError:
            return False
    places = [schema]
    for key in path.split("."):
        places = [found for place in places for found in _inside(place, key)]
    kinds = {branch.get("type") for place in places for branch in _branches(place)}
    return "integer" in kinds and "number" not in kinds
