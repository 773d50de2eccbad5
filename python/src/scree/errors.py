"""Errors that do not come from the engine."""

from __future__ import annotations

__all__ = ["MissingPackageError", "ResultsError", "missing_package"]


class ResultsError(Exception):
    """A folder or a file holds no results of scree, or not those that were asked for."""


class MissingPackageError(ImportError):
    """A package that scree needs for one task is not installed."""


def missing_package(package: str, task: str, extra: str) -> MissingPackageError:
    """The error for a package that `task` needs; `extra` is the extra of scree that installs it."""
    return MissingPackageError(f'{task} needs the package {package}; install it with: pip install "scree[{extra}]"')
