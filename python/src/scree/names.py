"""Names that are not known: what they may have meant, and which there are."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import TypeVar

__all__ = ["Named", "unknown_name"]

T = TypeVar("T")

_MOST_SHOWN = 12  # names in one message


def _near(name: str, known: list[str]) -> list[str]:
    """At most three names that look like a mistyped one, or have it as a part; the nearest first."""
    lower = {text.lower(): text for text in reversed(known)}
    alike = [lower[text] for text in difflib.get_close_matches(name.lower(), lower, 3, 0.7)]
    parts = [text for text in known if name and name.lower() in text.lower()]
    return list(dict.fromkeys(alike + parts))[:3]


def unknown_name(name: str, known: Iterable[str]) -> str:
    """How the message about an unknown name ends: `did you mean "x"? There are a, b, c and 4 more`."""
    names = list(known)
    if not names:
        return "there are none"
    near = " or ".join(f'"{text}"' for text in _near(name, names))
    rest = len(names) - _MOST_SHOWN
    listed = ", ".join(names[:_MOST_SHOWN]) + (f" and {rest} more" if rest > 0 else "")
    verb = "is only" if len(names) == 1 else "are"
    return f"did you mean {near}? There {verb} {listed}" if near else f"there {verb} {listed}"


class Named(dict[str, T]):
    """A dict whose KeyError says which names there are. `kind`: what the names are of, as "boundary"."""

    def __init__(self, kind: str, items: dict[str, T]) -> None:
        super().__init__(items)
        self._kind = kind

    def __missing__(self, name: str) -> T:
        raise KeyError(f'there is no {self._kind} "{name}": {unknown_name(str(name), self)}')
