"""Measures by the names that `scree sweep --measure` and `scree calibrate --to` use."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ..errors import ResultsError
from ..program import InputError
from ..render.fields import Colouring
from ..results import Results
from .contents import box_of, mixing, solid_fraction_of
from .residence import residence_time, residence_time_variance
from .rows import discharge_rate, final, largest, mean
from .surfaces import angle_of_repose, axis_of, bed_height, slope_angle
from .values import Measure

#: Measures by name: what stands behind the colon, and the function.
MEASURES: dict[str, tuple[str, Callable[[Results, str], Measure]]] = {
    "discharge_rate": ("outlet or flow probe", lambda run, text: discharge_rate(run, text)[0]),
    "angle_of_repose": ("", lambda run, text: angle_of_repose(run)),
    "slope_angle": ("axis along which it falls", lambda run, text: slope_angle(run, text or "x")),
    "solid_fraction": ("box X0,Y0,Z0,X1,Y1,Z1", solid_fraction_of),
    "residence_time": ("outlet", residence_time),
    "residence_time_variance": ("outlet", residence_time_variance),
    "mixing": ("field that divides the grains, as x@0.5", mixing),
    "bed_height": ("", lambda run, text: bed_height(run)),
    "final": ("column of the series", final),
    "max": ("column of the series", largest),
    "mean": ("column, over the second half", mean),
}

#: Measures that look at frames of a run.
_OF_FRAMES = ("angle_of_repose", "slope_angle", "solid_fraction", "mixing", "bed_height")


def _function(file: str, name: str) -> Callable[[Results], Any]:
    """A function of a Python file."""
    name_of_module = f"scree_own_measures_{Path(file).stem}"
    spec = importlib.util.spec_from_file_location(name_of_module, file)
    if spec is None or spec.loader is None or not Path(file).exists():
        raise InputError(f"{file}: there is no such Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name_of_module] = module  # dataclasses look it up there
    if (folder := str(Path(file).resolve().parent)) not in sys.path:
        sys.path.append(folder)  # modules beside the file, as where Python runs it
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        raise InputError(f"{file}: cannot be loaded: {type(error).__name__}: {error}") from error
    function = getattr(module, name, None)
    if not callable(function):
        raise InputError(f'{file}: has no function "{name}"')
    found: Callable[[Results], Any] = function
    return found


def _own(file: str, name: str, run: Results) -> Measure:
    """Calls a function of a Python file with the results; it returns a number or a Measure."""
    result: Any = _function(file, name)(run)
    return result if isinstance(result, Measure) else Measure(float(result))


def check_name(text: str) -> None:
    """Raises InputError unless a text names a measure."""
    name, _, rest = text.partition(":")
    if name.endswith(".py"):
        if not Path(name).exists() or not rest:
            raise InputError(f"--measure: {text} is no FILE.py:FUNCTION that exists")
        _function(name, rest)
        return
    if name not in MEASURES:
        raise InputError(f'--measure: "{name}" is none of {", ".join(MEASURES)}, nor FILE.py:FUNCTION')
    if name in ("final", "max", "mean", "mixing") and not rest:
        what = "a field, as mixing:x@0.5" if name == "mixing" else f"a column of the series, as {name}:kinetic_energy"
        raise InputError(f"--measure: {name} needs {what}")
    if name == "solid_fraction":
        box_of(rest)
    elif name == "slope_angle":
        axis_of(rest or "x")
    elif name == "mixing":
        Colouring.parse(rest, "--measure mixing")
    elif rest and not MEASURES[name][0]:
        raise InputError(f'--measure: {name} takes nothing behind a colon, but there is "{rest}"')


def check_output(run: Results, text: str) -> None:
    """Raises InputError where a case does not write what a measure looks at: further runs of it would lack it, too."""
    name = text.partition(":")[0]
    output = run.case.get("output") or {}
    if name in _OF_FRAMES and "frames" not in output:
        raise InputError(f'{text}: looks at frames, which the case does not write: give "output": {{"frames": ...}}')
    if name.startswith("residence_time") and not output.get("left"):
        raise InputError(f'{text}: looks at left.csv, which the case does not write: give "output": {{"left": true}}')


def measure(run: Results, text: str) -> Measure:
    """A measure by its name, as "discharge_rate", "final:kinetic_energy" or "own.py:function"."""
    name, _, rest = text.partition(":")
    if name.endswith(".py") and rest and Path(name).exists():
        return _own(name, rest, run)
    check_name(text)
    return MEASURES[name][1](run, rest)


def measure_or_reason(run: Results, text: str) -> Measure:
    """The same, for many runs of which some may not have it: ResultsError says why, also of a function of the user."""
    try:
        return measure(run, text)
    except ResultsError:
        raise
    except InputError as error:  # the name was checked before: this run does not suit it
        raise ResultsError(f"{run.folder}: {error}") from error
    except (Exception, SystemExit) as error:
        raise ResultsError(f"{text}: {type(error).__name__}: {error}") from error
