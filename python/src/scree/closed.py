"""Objects that have only the attributes of their class."""

from __future__ import annotations

import difflib
from typing import ClassVar

__all__ = ["Closed"]


class Closed:
    """Refuses attributes that its class does not name: a mistyped one would do nothing, without a word.

    `_attributes` names those that are set in `__init__`, beside properties and private ones.
    """

    _attributes: ClassVar[frozenset[str]] = frozenset()
    _hint: ClassVar[str] = ""  #: what to write instead, with {name}

    def __setattr__(self, name: str, value: object) -> None:
        kind = type(self)
        if not (name.startswith("_") or name in self._attributes or hasattr(kind, name)):
            known = [key for key in dir(kind) if not key.startswith("_")] + sorted(self._attributes)
            near = difflib.get_close_matches(name, known, 1)
            meant = f"; did you mean {near[0]!r}?" if near else ""
            hint = f"; {self._hint.format(name=name)}" if self._hint and not near else ""
            raise AttributeError(f"a {kind.__name__} has no attribute {name!r}{meant}{hint}")
        super().__setattr__(name, value)
