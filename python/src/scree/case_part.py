"""What all typed parts of a case have in common."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Mapping, Sequence
from typing import Any

__all__ = ["Part", "plain"]


@dataclasses.dataclass
class Part:
    """A part of a case. Keys that are None are left out, so that the engine gives them their defaults."""

    def to_dict(self) -> dict[str, Any]:
        """The part as plain dicts, lists, numbers and strings, as in a case file."""
        values = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
        return {key.rstrip("_"): plain(value) for key, value in values.items() if value is not None}


def plain(value: Any) -> Any:
    """A value as JSON knows it: parts become dicts, arrays and tuples lists, numbers of NumPy those of Python."""
    if isinstance(value, Part):
        return value.to_dict()
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, str | bool | int | float) or value is None:
        return value
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if hasattr(value, "tolist"):  # arrays and numbers of NumPy
        return plain(value.tolist())
    if isinstance(value, Sequence):
        return [plain(item) for item in value]
    raise TypeError(f"a case cannot hold a value of type {type(value).__name__}: {value!r}")
