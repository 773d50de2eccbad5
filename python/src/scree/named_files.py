"""Files that a case names, and what they contain: results depend on them as on the case itself."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

__all__ = ["named_files"]

_LONGEST = 4096  # characters of a name
_BLOCK = 2**20  # bytes: checkpoints may be larger than the memory


def _texts(value: Any) -> Iterator[str]:
    """All texts of a case, without its keys."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _texts(part)


def _read(text: str) -> Any:
    """The value that a text of JSON is; the text itself if it is none, as a word on the command line."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def _file(path: Path) -> Path | None:
    """The file of this name; of a folder of checkpoints, or of a run, the newest checkpoint; else None."""
    try:
        if path.is_dir():
            return max([*path.glob("step_*.h5"), *path.glob("checkpoints/step_*.h5")], default=None)
        return path if path.is_file() else None
    except (OSError, ValueError):  # no name of a file
        return None


def named_files(case: Path, values: Iterable[str] = ()) -> dict[str, str]:
    """SHA-256 of each file that a case names, or one of the `values` that replace parts of it, by its name there.

    Every text that is the name of an existing file counts, wherever it stands."""
    try:
        whole = json.loads(case.read_bytes())
    except ValueError:  # the program says what is wrong with it
        whole = None
    found = {}
    for text in sorted({*_texts(whole), *(name for value in values for name in _texts(_read(value)))}):
        if not 0 < len(text) < _LONGEST or (file := _file(case.parent / text)) is None:
            continue
        sum_of_file = hashlib.sha256()
        with file.open("rb") as stream:
            while block := stream.read(_BLOCK):
                sum_of_file.update(block)
        found[text] = sum_of_file.hexdigest()
    return found
