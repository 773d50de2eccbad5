"""scree: a discrete element engine for granular matter.

>>> import scree
>>> results = scree.Results("out/hopper")   # what a run has written
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .errors import MissingPackageError as MissingPackageError
    from .errors import ResultsError as ResultsError
    from .results import Results as Results

# Modules are imported when a name of theirs is used, so that reading results needs no compiled engine.
_HOME = {
    "Results": "results",
    "ResultsError": "errors",
    "MissingPackageError": "errors",
}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f".{_HOME[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
