"""What scripts/check-tutorials.py knows of a run, and where figures of the tutorials come from."""

from __future__ import annotations

import math
import pathlib
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy
import pandas

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "python/src"))
import scree  # noqa: E402
from scree import measures  # noqa: E402


@dataclass
class Run:
    """What the commands and programs of a page have left."""

    folder: pathlib.Path
    said: str  #: all that they have printed
    variables: dict[str, Any]  #: of the Python programs

    def results(self, name: str) -> scree.Results:
        return scree.Results(self.folder / "out" / name)

    def series(self, name: str) -> pandas.DataFrame:
        return self.results(name).series


Source = Callable[[Run], Any]  # a number, several, or whether a statement holds


@dataclass(frozen=True)
class Figure:
    text: str
    source: Source
    file: str = ""  #: of the text, if it is not the page itself


@dataclass(frozen=True)
class Page:
    file: str
    figures: Sequence[Figure]
    also: Sequence[str] = ()  #: commands that the page only mentions


def pattern(text: str) -> re.Pattern[str]:
    """Finds a text; {} stands for a number, ... for anything within a line, a space for any white space."""
    words = {r"\{\}": r"(-?\d+(?:\.\d+)?(?:e-?\d+)?)", r"\.\.\.": ".*?", r"\ ": r"\s+"}
    return re.compile(re.sub(r"\\\{\\\}|\\\.\\\.\\\.|\\ ", lambda found: words[found[0]], re.escape(text)))


def printed(text: str) -> Source:
    """Numbers in what commands and programs have printed; a pattern like that of a figure."""

    def find(run: Run) -> list[float]:
        found = pattern(text).search(run.said)
        if found is None:
            raise LookupError(f"nothing has printed: {text}")
        return [float(number) for number in found.groups()]

    return find


def measure(name: str, text: str) -> Source:
    return lambda run: measures.measure(run.results(name), text).value


def deepest(name: str) -> Source:
    """Largest overlap [%]."""
    return lambda run: 100 * run.series(name)["overlap_max_so_far"].iloc[-1]


def slope(rows: pandas.DataFrame, column: str) -> float:
    return float(numpy.polyfit(rows.index, rows[column], 1)[0])


def volume(frame: scree.Frame) -> float:
    """Of all spheres of a frame."""
    return float(4 / 3 * math.pi * (frame.radius[:].astype(float) ** 3).sum())
