"""Errors and warnings of scree."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Sequence
from pathlib import Path

__all__ = [
    "BackendError",
    "CaseError",
    "FaultError",
    "InputError",
    "MissingPackageError",
    "OutputError",
    "ResultsError",
    "ScreeWarning",
    "StateError",
    "cannot_import",
    "missing_package",
    "warn",
]


class CaseError(ValueError):
    """The input is wrong. The text is that of the command line: one sentence for each problem, all of them at once."""

    def __init__(self, text: str, problems: Sequence[tuple[str, str]] = ()) -> None:
        super().__init__(text)
        #: path in the case ("materials.glass.density") or name of a file, and what is wrong there
        self.problems = list(problems)


class FaultError(RuntimeError):
    """The physics broke down: a particle was lost, or the like. The state at the fault can still be read."""

    def __init__(self, text: str, step: int = 0, ids: Sequence[int] = ()) -> None:
        super().__init__(text)
        self.step = step  #: in which it happened
        self.ids = list(ids)  #: of the particles concerned


class BackendError(RuntimeError):
    """The backend (GPU, driver, memory) failed, or is not there."""


class OutputError(OSError):
    """A file could not be written."""


class StateError(ValueError):
    """A saved state does not fit: it is damaged, or of another case."""


class ResultsError(Exception):
    """A folder or a file holds no results of scree, or not those that were asked for."""


class InputError(Exception):
    """An argument that a command cannot use, in one sentence."""


class MissingPackageError(ImportError):
    """A package that scree needs for one task is not installed."""


class ScreeWarning(UserWarning):
    """What the engine warns of: a step above the limit, particles that overlap too much..."""


def missing_package(package: str, task: str, extra: str) -> MissingPackageError:
    """The error for a package that `task` needs; `extra` is the extra of scree that installs it."""
    return MissingPackageError(f'{task} needs the package {package}; install it with: pip install "scree[{extra}]"')


#: Packages that bring modules of another name.
_PACKAGES = {"PIL": "pillow", "vtkmodules": "vtk"}
#: Packages without which nothing of scree in Python works.
_NEEDED = ("numpy", "h5py", "pandas")


def cannot_import(error: ImportError, task: str, extra: str) -> MissingPackageError:
    """The error for a module that `task` needs and that is not there, or that is broken."""
    if isinstance(error, MissingPackageError):
        return error
    module = (error.name or "").partition(".")[0]
    if isinstance(error, ModuleNotFoundError) and module:
        package = _PACKAGES.get(module, module)
        if package in _NEEDED:
            how = f"{sys.executable} -m pip install {' '.join(_NEEDED)}"
            return MissingPackageError(f"{task} needs the package {package}; install it with: {how} "
                                       "(SCREE_PYTHON chooses another interpreter)")  # fmt: skip
        if extra:
            return missing_package(package, task, extra)
        return MissingPackageError(f"{task} needs the package {package}; install it with: pip install {package}")
    said = " ".join(str(error).split())
    return MissingPackageError(f"{task} needs a package that cannot be loaded: {said}")


def warn(text: str) -> None:
    """Shows a ScreeWarning at the line of the program that has called the package."""
    own = str(Path(__file__).parent)
    level = 1
    frame = sys._getframe()
    while frame.f_back is not None and frame.f_code.co_filename.startswith(own):
        frame, level = frame.f_back, level + 1
    warnings.warn(text, ScreeWarning, stacklevel=level)
