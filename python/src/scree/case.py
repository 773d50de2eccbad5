"""Cases: what a run depends on."""

from __future__ import annotations

import copy
import json
import math
import os
import re
from collections.abc import Iterator, Mapping, MutableMapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .case_part import plain
from .closed import Closed
from .errors import CaseError

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .case_types import CaseParts

__all__ = ["Case"]

_COMMENT = re.compile(r'"(?:\\.|[^"\\])*"|//[^\n]*|/\*.*?\*/', re.DOTALL)


class Case(Closed, MutableMapping[str, Any]):
    """A case: from a file, from a dict, or from typed parts; all mixed as you like.

    >>> case = scree.Case("configs/hopper.json", seed=7)
    >>> case["materials"]["glass"]["friction"] = 0.3
    >>> case = scree.Case(
    ...     time=scree.Time(duration=0.1),
    ...     materials={"glass": scree.Material(density=2500, young_modulus=1e7, poisson_ratio=0.25, friction=0.5,
    ...                                        restitution=0.7)},
    ...     particles=[{"material": "glass", "radius": 1e-3, "fill": {"box": [[0, 0, 0], [0.01, 0.01, 0.01]],
    ...                                                              "count": 50}}],
    ... )

    A case is a mapping of plain dicts and lists, as in a case file. Keys that are left out have the defaults of the
    engine. What is wrong with it is said when it is checked or run: one CaseError names all problems, in the words of
    the command line. Paths in it start from `folder`: that of the file, or else the working folder.
    """

    _attributes = frozenset({"file", "folder"})
    _hint = "case[{name!r}] = ... sets a key of the case"

    def __init__(
        self,
        source: str | os.PathLike[str] | Mapping[str, Any] | None = None,
        /,
        *,
        folder: str | os.PathLike[str] | None = None,
        **parts: Unpack[CaseParts],
    ) -> None:
        self.file: Path | None = None
        self.folder: Path
        self._text: str | None = None  # of the file, until the case is changed
        self._data: dict[str, Any] | None = {}
        if isinstance(source, str | os.PathLike):
            self.file = Path(source)
            try:
                self._text = self.file.read_text(encoding="utf-8")
            except (OSError, UnicodeDecodeError) as error:
                reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
                raise CaseError(f"{self.file}: cannot be read: {reason}", [(str(self.file), str(reason))]) from None
            self._data = None
        elif source is not None:
            if not isinstance(source, Mapping):
                raise TypeError(f"a case is made of a file, a mapping or parts, not of a {type(source).__name__}")
            self._data = plain(source)
            if isinstance(source, Case):
                self.file, folder = source.file, source.folder if folder is None else folder
        default = self.file.parent if self.file is not None else Path.cwd()
        self.folder = Path(folder).absolute() if folder is not None else default.absolute()
        for key, value in parts.items():
            self[key] = value

    @property
    def data(self) -> dict[str, Any]:
        """The case as plain dicts and lists. Changes of it are changes of the case."""
        if self._data is None:
            without = _COMMENT.sub(lambda found: found[0] if found[0][0] == '"' else " ", self._text or "")
            try:
                self._data = json.loads(without, object_pairs_hook=_without_twice)
                if not isinstance(self._data, dict):
                    raise ValueError("a case is an object")
            except ValueError:
                self._data = None
                self.resolved()  # says what is wrong, with line and column
                raise
            self._text = None
        return self._data

    def text(self) -> str:
        """The case as JSON; for a file that was not changed, its own text."""
        if self._text is not None:
            return self._text
        data = plain(self.data)
        if problems := list(_not_finite(data, "")):
            raise CaseError("\n".join(f"{path}: {what}" for path, what in problems), problems)
        return json.dumps(data, indent=2)

    def set(self, path: str, value: Any) -> None:
        """Sets one value by its path, as `--set` does: case.set("contacts.0.friction", 0.3)."""
        keys, value = path.split("."), plain(value)
        place: Any = self.data
        for k, key in enumerate(keys[:-1]):
            at: Any = _index(place, key, path) if isinstance(place, list) else key
            inner = place[at] if isinstance(place, list) else place.get(at)
            name = ".".join(keys[: k + 1])
            if inner is None:  # parts that are not there yet are made, but a list has no length yet
                if keys[k + 1].isdigit():
                    reason = "cannot be set: there is no such list yet; set the whole list"
                    raise CaseError(f"{name}.{keys[k + 1]}: {reason}", [(path, reason)])
                for inner_key in reversed(keys[k + 1 :]):
                    value = {inner_key: value}
                keys = keys[: k + 1]
                break
            if not isinstance(inner, dict | list):  # a typed part, a tuple or an array that was put there
                inner = place[at] = plain(inner)
            if not isinstance(inner, dict | list):
                raise CaseError(f"{name}: has no parts", [(path, "has no parts")])
            place = inner
        place[_index(place, keys[-1], path) if isinstance(place, list) else keys[-1]] = value

    def resolved(self) -> dict[str, Any]:
        """The case with every default filled in and absolute paths, as in case.json. Raises CaseError."""
        from . import _engine

        resolved: dict[str, Any] = json.loads(_engine.resolve(self.text(), str(self.folder), []))
        return resolved

    def check(self) -> None:
        """Raises CaseError with all problems of the case itself; files that it names are looked at when it runs."""
        self.resolved()

    def save(self, file: str | os.PathLike[str]) -> None:
        """Writes a case file. Relative paths in it then start from the folder of that file."""
        Path(file).write_text(self.text() + "\n", encoding="utf-8")

    def copy(self) -> Case:
        """A case of its own, for variants."""
        other = Case(folder=self.folder)
        other.file, other._text, other._data = self.file, self._text, copy.deepcopy(self._data)
        return other

    def __getitem__(self, key: str) -> Any:
        return self.data[key]

    def __setitem__(self, key: str, value: Any) -> None:
        self.data[key] = plain(value)

    def __delitem__(self, key: str) -> None:
        del self.data[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self.data)

    def __len__(self) -> int:
        return len(self.data)

    def __repr__(self) -> str:
        name = f" of {self.file}" if self.file is not None else ""
        try:
            what = self.data.get("title") or ", ".join(self.data)
        except (CaseError, ValueError, ImportError):  # also of a damaged file there is something to show
            what = "cannot be read"
        return f"<case{name}: {what}>"


def _without_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of JSON. Raises ValueError where a key is given twice: only one value would be left."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key is given twice")
    return found


def _not_finite(value: Any, path: str) -> Iterator[tuple[str, str]]:
    """Paths of numbers that JSON does not have, and what is wrong with them."""
    if isinstance(value, dict | list):
        for key, part in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _not_finite(part, f"{path}.{key}" if path else str(key))
    elif isinstance(value, float) and not math.isfinite(value):
        yield path, f"must be a finite number, got {value}"


def _index(items: list[Any], key: str, path: str) -> int:
    if not key.isdigit() or int(key) >= len(items):
        reason = f'"{key}" is no index of a list of {len(items)}'
        raise CaseError(f"{path}: {reason}", [(path, reason)])
    return int(key)
