"""What grains are coloured by: a number, or a category, for each particle of a frame."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy
from numpy.typing import NDArray

from ..frames import FIELD_UNITS, Frame
from ..program import InputError, parse_number
from ..results import Results
from .moments import frame_near

__all__ = ["CATEGORIES", "Colouring", "Numbers", "Scale", "choose_scale", "ends_of", "nice_ticks",
           "parse_range"]  # fmt: skip

Numbers = NDArray[numpy.float64]
Bytes = NDArray[numpy.uint8]

#: Fields whose values are names rather than amounts.
CATEGORIES = ("material", "group", "shape", "clump", "image")
#: Okabe and Ito's colours, which colour-blind readers can tell apart, in an order that suits grains.
_PALETTE = ("#3b7ea1", "#e3a33b", "#b5523b", "#57a773", "#8d6a9f", "#56b4e9", "#d3c164", "#7a7a7a")
_AXES = {"x": 0, "y": 1, "z": 2}
#: Where maps begin: the darkest part of one hides the shades of grains, the palest of the other is lost on white.
_FIRST_PART = {"viridis": 0.1, "inferno_r": 0.2}


@dataclass(frozen=True)
class Colouring:
    """A field, and how to take one number from it. `at`: the time [s] at which the value is taken, or None: now."""

    field: str
    component: int | None = None
    at: float | None = None

    @classmethod
    def parse(cls, text: str, what: str = "--colour") -> Colouring:
        """Reads FIELD, FIELD.x, x, y, z or speed, each with @TIME behind it where wanted; errors name `what`."""
        name, at_sign, moment = text.partition("@")
        at = parse_number(moment, what) if at_sign else None
        if name in _AXES:
            return cls("positions", _AXES[name], at)
        if name == "speed":
            return cls("velocity", None, at)
        found = re.fullmatch(r"(\w+)(?:\.(x|y|z|\d+))?", name)
        if not found:
            raise InputError(f'{what}: "{text}" is no field, as speed, velocity.z, z, radius or z@0.5 are')
        part = found[2]
        return cls(found[1], None if part is None else _AXES.get(part, int(part) if part.isdigit() else 0), at)

    @property
    def is_category(self) -> bool:
        return self.field in CATEGORIES

    @property
    def name(self) -> str:
        """What the reader calls it: "speed", "z at 0.5 s"."""
        name = {"positions": "", "velocity": "speed" if self.component is None else "velocity"}.get(
            self.field, self.field.replace("_", " ")
        )
        return f"{name} {self._axis}".strip() + ("" if self.at is None else f" at {self.at:g} s")

    @property
    def _axis(self) -> str:
        """Name of the component; empty without one."""
        return "" if self.component is None else "xyz"[self.component] if self.component < 3 else str(self.component)

    @property
    def _text(self) -> str:
        """As an argument: "z@0.5", "velocity.x"."""
        name = self.field + (f".{self._axis}" if self._axis else "")
        return name.removeprefix("positions.") + ("" if self.at is None else f"@{self.at:g}")

    @property
    def unit(self) -> str:
        """SI unit; empty where there is none."""
        return FIELD_UNITS.get(self.field, "")

    def values(self, run: Results, frame: Frame) -> Numbers:
        """[n_particles of the frame] values; NaN for particles that did not exist at `at`."""
        if self.at is None:
            return self._now(frame)
        there = frame_near(run, self.at, f"--colour {self._text}")
        now = replace(self, at=None)._now(there)
        if "id" in there and "id" in frame:
            ids, wanted = numpy.asarray(there["id"]), numpy.asarray(frame["id"])
            if not len(ids):
                return numpy.full(len(frame), math.nan)
            place = numpy.searchsorted(ids, wanted).clip(max=len(ids) - 1)
            return numpy.where(ids[place] == wanted, now[place], math.nan)
        if len(there) == len(frame):
            return now
        raise InputError(f"--colour {self._text}: particles come or go, so the frames need the field id")

    def _now(self, frame: Frame) -> Numbers:
        if self.field == "shape":
            return _members(frame)
        values = numpy.asarray(frame[self.field][...], dtype=float)
        if len(values) != len(frame):  # of the whole frame, as the edges of a periodic cell are
            raise InputError(f"--colour {self.field}: has no value for each particle")
        if values.ndim == 1:
            if self.component is not None:
                raise InputError(f"--colour {self.field}: has no components")
            return values
        if self.component is None:
            return numpy.asarray(numpy.linalg.norm(values, axis=1))
        if self.component >= values.shape[1]:
            raise InputError(f"--colour {self.field}: has {values.shape[1]} components, counted from 0")
        return values[:, self.component]


def _members(frame: Frame) -> Numbers:
    """Number of spheres of the clump of each sphere: tells shapes of clumps apart."""
    if "clump" not in frame:
        return numpy.ones(len(frame))
    clump = numpy.asarray(frame["clump"][...]).astype(int)
    counts = numpy.bincount(clump[clump >= 0], minlength=1)
    return numpy.where(clump >= 0, counts[clump.clip(0)], 1).astype(float)


@dataclass(frozen=True)
class Scale:
    """How values become colours: the same for all frames of a picture or film."""

    low: float
    high: float
    map_name: str
    bands: int = 0  #: colours in steps; 0: smooth
    categories: tuple[float, ...] = ()
    names: tuple[str, ...] = ()

    def palette(self, n: int = 256) -> Bytes:
        """[n, 3] colours from low to high."""
        import matplotlib

        try:
            start = _FIRST_PART.get(self.map_name, 0.0)
            colours = matplotlib.colormaps[self.map_name](numpy.linspace(start, 1, n))
        except KeyError:
            raise InputError(f'--map: matplotlib has no colour map "{self.map_name}"; try viridis, cividis') from None
        palette: Bytes = (255 * colours[:, :3] + 0.5).astype(numpy.uint8)
        return palette

    def colours(self, values: Numbers) -> Bytes:
        """[n, 3] colour of each value; grey for NaN, and for categories that are not in the scale."""
        if self.categories:
            place = numpy.searchsorted(self.categories, values).clip(max=len(self.categories) - 1)
            of_category: Bytes = category_colours()[place % len(_PALETTE)]
            of_category[numpy.asarray(self.categories)[place] != values] = 170
            return of_category
        n = self.bands or 256
        span = self.high - self.low or 1.0
        part = numpy.nan_to_num((values - self.low) / span).clip(0, 1)
        found: Bytes = self.palette(n)[numpy.minimum((part * n).astype(int), n - 1)]
        found[~numpy.isfinite(values)] = 170
        return found


def category_colours() -> Bytes:
    """[n, 3] the colours of categories."""
    return numpy.array([[int(code[i : i + 2], 16) for i in (1, 3, 5)] for code in _PALETTE], dtype=numpy.uint8)


def parse_range(text: str) -> tuple[float, float]:
    """Reads LOW:HIGH."""
    low, colon, high = text.partition(":")
    if not colon:
        raise InputError(f'--range: "{text}" is not LOW:HIGH, as 0:1.5')
    pair = parse_number(low, "--range"), parse_number(high, "--range")
    if pair[0] >= pair[1]:
        raise InputError(f"--range: {text} is empty")
    if not math.isfinite(pair[1] - pair[0]):
        raise InputError(f"--range: {text} is too wide")
    return pair


def nice_ticks(low: float, high: float, most: int = 6) -> list[float]:
    """Round numbers from `low` to `high`, `most` at most."""
    if not high > low:
        return [low]
    raw = (high - low) / max(most - 1, 1)
    unit = 10.0 ** math.floor(math.log10(raw))
    step = next(unit * factor for factor in (1, 2, 2.5, 5, 10) if unit * factor >= raw * (1 - 1e-9))
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [float(f"{k * step:.12g}") for k in range(first, last + 1)]


def ends_of(values: Numbers) -> tuple[float, float]:
    """Values of the first and last colour, from finite ones: the highest two in a thousand share the last one, unless
    all others are the same. It begins at 0 unless all values are far from it, as temperatures are."""
    low, high = float(values.min()), float(numpy.quantile(values, 0.998))
    if high - low <= 1e-6 * abs(high):
        high = float(values.max())
    return (0.0 if 0 < low < 0.3 * high else low), high


def choose_scale(
    samples: Iterable[Numbers], how: Colouring, case: dict[str, Any], *, given: tuple[float, float] | None = None,
    map_name: str = "viridis", bands: int = 0,
) -> Scale:  # fmt: skip
    """A scale for all frames, from values in some of them; the highest two in a thousand share the last colour, unless
    all others are the same."""
    values = numpy.concatenate([numpy.asarray(sample, float).ravel() for sample in samples] or [numpy.zeros(0)])
    values = values[numpy.isfinite(values)]
    if how.is_category:
        found = tuple(float(v) for v in numpy.unique(values))
        return Scale(0, 1, map_name, categories=found or (0.0,), names=_names(how.field, found, case))
    if given is not None:
        return Scale(*given, map_name, bands)
    if not len(values):
        return Scale(0, 1, map_name, bands)
    low, high = ends_of(values)
    if high - low <= 1e-6 * max(abs(high), 1e-300):
        return Scale(low - 0.5 * abs(low), high + (0.5 * abs(high) or 1.0), map_name, bands)
    if not how.at:  # round ends: easier to read
        step = 10.0 ** math.floor(math.log10(high - low)) / 10
        low, high = math.floor(low / step) * step, math.ceil(high / step) * step
    return Scale(low, high, map_name, bands)


def _names(field: str, values: tuple[float, ...], case: dict[str, Any]) -> tuple[str, ...]:
    """Names of categories, as the case has them; none where it does not tell."""
    if field == "material":
        materials = list(case.get("materials", {}))
        return tuple(materials[int(v)] if int(v) < len(materials) else f"{v:g}" for v in values)
    if field == "group":  # counted from 1; 0 is no group
        groups = ["no group", *case.get("groups", {})]
        return tuple(groups[int(v)] if int(v) < len(groups) else f"{v:g}" for v in values)
    if field == "shape":
        by_size: dict[int, list[str]] = {}
        for name, shape in case.get("shapes", {}).items():
            if shape.get("type") == "level_set":
                return ()
            if isinstance(shape.get("spheres"), list):
                by_size.setdefault(len(shape["spheres"]), []).append(name)
        return tuple("sphere" if v == 1 else " or ".join(by_size.get(int(v), [f"{v:g} spheres"])) for v in values)
    return ()
