"""Checkpoints of a run, as mappings."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from .errors import ResultsError
from .lazy_array import LazyArray, open_file
from .names import unknown_name


class Checkpoint(Mapping[str, LazyArray]):
    """The whole state at one moment: a mapping from names ("bodies/position", "pairs/force") to arrays."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._about: tuple[dict[str, Any], dict[str, str]] | None = None

    def _look(self) -> tuple[dict[str, Any], dict[str, str]]:
        if self._about is None:
            with open_file(self.path) as file:
                attributes = {
                    key: value.decode() if isinstance(value, bytes) else value for key, value in file.attrs.items()
                }
                units: dict[str, str] = {}

                def note(name: str, item: Any) -> None:
                    if hasattr(item, "shape"):
                        unit = item.attrs.get("unit", "")
                        units[name] = unit.decode() if isinstance(unit, bytes) else str(unit)

                if "state" not in file:
                    raise ResultsError(f"{self.path}: is not a checkpoint of scree")
                file["state"].visititems(note)
                self._about = (attributes, units)
        return self._about

    @property
    def step(self) -> int:
        return int(self._look()[0]["step"])

    @property
    def time(self) -> float:
        """[s]"""
        return float(self._look()[0]["time [s]"])

    @property
    def attributes(self) -> dict[str, Any]:
        """step, precision, particles, state_hash, scree_version..."""
        return dict(self._look()[0])

    @property
    def state_hash(self) -> str:
        return str(self._look()[0]["state_hash"])

    def __getitem__(self, name: str) -> LazyArray:
        units = self._look()[1]
        if name not in units:
            raise KeyError(f'{self.path}: there is no array "{name}": {unknown_name(name, units)}')
        # States have no integers with a sign: they store these as such without.
        stored = "int32" if name == "bodies/image" else "int8" if re.fullmatch("probes/.*/side", name) else None
        return LazyArray(self.path, f"state/{name}", "" if units[name] == "1" else units[name], stored)

    def __iter__(self) -> Iterator[str]:
        return iter(self._look()[1])

    def __len__(self) -> int:
        return len(self._look()[1])

    def __repr__(self) -> str:
        return f"<checkpoint {self.path.name}: {len(self)} arrays>"
