"""scree: a discrete element engine for granular matter.

>>> import scree
>>> with scree.Simulation("configs/hopper.json", out="out/hopper") as sim:   # runs a case
...     sim.run()
>>> results = scree.Results("out/hopper")                                    # what a run has written
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from . import calibrate as calibrate
    from . import errors as errors
    from . import measures as measures
    from . import render as render
    from . import report as report
    from . import sweep as sweep
    from . import watch as watch
    from .bodies import Bodies as Bodies
    from .case import Case as Case
    from .case_types import *  # noqa: F403
    from .errors import BackendError as BackendError
    from .errors import CaseError as CaseError
    from .errors import FaultError as FaultError
    from .errors import MissingPackageError as MissingPackageError
    from .errors import OutputError as OutputError
    from .errors import ResultsError as ResultsError
    from .errors import ScreeWarning as ScreeWarning
    from .errors import StateError as StateError
    from .results import Results as Results
    from .simulation import Simulation as Simulation

# Modules are imported when a name of theirs is used, so that reading results needs no compiled engine.
_HOME = {
    "Bodies": "bodies",
    "Case": "case",
    "Results": "results",
    "Simulation": "simulation",
    **dict.fromkeys(
        (
            "BackendError",
            "CaseError",
            "FaultError",
            "MissingPackageError",
            "OutputError",
            "ResultsError",
            "ScreeWarning",
            "StateError",
        ),
        "errors",
    ),
}
#: Modules with functions for users, as scree.measures.residence_times.
_MODULES = ("calibrate", "errors", "measures", "render", "report", "sweep", "watch")


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("scree")
    if name in _MODULES:
        return importlib.import_module(f".{name}", __name__)
    home = _HOME.get(name)
    if home is None and name[0].isupper() and name in importlib.import_module(".case_types", __name__).__all__:
        home = "case_types"
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        value = getattr(importlib.import_module(f".{home}", __name__), name)
    except ImportError as error:
        if "_engine" not in str(error):
            raise
        from .errors import MissingPackageError

        raise MissingPackageError(f"scree.{name} needs the compiled engine: pip install ./python") from None
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    types = importlib.import_module(".case_types", __name__).__all__
    return sorted({*globals(), *_HOME, *_MODULES, *types})
