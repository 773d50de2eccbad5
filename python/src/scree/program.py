"""The program `scree`, as the commands in Python start it, and what they share."""

from __future__ import annotations

import math
import os
import re
import shutil
import sysconfig
from pathlib import Path

from .errors import InputError
from .results import Results

__all__ = ["InputError", "beside", "most_threads", "open_run", "parse_number", "program"]


def program() -> str:
    """Path of the program: SCREE_PROGRAM, one that came with this package, or the one on the path."""
    here = Path(__file__).resolve().parent
    candidates = [
        os.environ.get("SCREE_PROGRAM", ""),
        str(here / "bin" / "scree"),
        str(Path(sysconfig.get_path("scripts")) / "scree"),
        *(str(here.parents[2] / "build" / build / "bin" / "scree") for build in ("release", "host")),
        shutil.which("scree") or "",
    ]
    for candidate in candidates:
        if candidate and Path(candidate).is_file() and os.access(candidate, os.X_OK):
            return str(Path(candidate).absolute())
    raise InputError("the program scree was not found: name it in SCREE_PROGRAM")


def most_threads() -> int:
    """Threads that a run takes at most: far more of them end a process."""
    return max(256, 4 * (os.cpu_count() or 1))


def open_run(folder: str | os.PathLike[str]) -> Results:
    """The results in a folder; a case file is taken for its default output folder."""
    path = Path(folder)
    if path.is_file() and path.suffix == ".json":
        path = Path("out") / path.stem
    return Results(path)


def beside(run: Results, ending: str) -> Path:
    """Path of a file beside the folder of a run, named after it. The folder itself must hold nothing foreign."""
    folder = run.folder.resolve()
    return folder.parent / (folder.name + ending)


def parse_number(text: str, what: str) -> float:
    """A number from a command line; raises InputError that names `what`."""
    if not re.fullmatch(r"\s*[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?\s*", text):
        raise InputError(f'{what}: "{text}" is not a number')
    if not math.isfinite(value := float(text)):
        raise InputError(f"{what}: {text.strip()} is too large a number")
    return value
