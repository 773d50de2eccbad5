"""Values of keys of a case: ranges and lists, all their combinations, and points between them."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy

from .program import InputError, parse_number
from .whole_numbers import is_whole

__all__ = ["MOST_POINTS", "Vary", "grid", "latin_hypercube"]

MOST_POINTS = 100_000  # of a sweep


@dataclass(frozen=True)
class Vary:
    """Values of one key of the case. `low` and `high` are known where a range was given. `whole`: the key takes whole
    numbers alone, so those of the range are rounded. `option` of the command line gave them."""

    path: str
    values: tuple[str, ...]
    low: float = math.nan
    high: float = math.nan
    logarithmic: bool = False
    whole: bool = False
    option: str = "--vary"

    @classmethod
    def parse(cls, text: str, option: str = "--vary") -> Vary:
        """Reads PATH=A,B,C or PATH=LOW:HIGH:N or PATH=log:LOW:HIGH:N; without N it needs --latin. Messages name the
        `option`."""
        path, equals, rest = text.partition("=")
        if not equals or not path or not rest:
            raise InputError(f'{option}: "{text}" is not PATH=VALUES, as seed=1,2,3 or time.duration=1:2:5')
        logarithmic = rest.startswith("log:")
        parts = _split(rest.removeprefix("log:"), ":", option)
        if len(parts) == 1 and not logarithmic:
            values = tuple(value.strip() for value in _split(rest, ",", option))
            if not all(values):
                raise InputError(f'{option}: "{text}" has an empty value')
            return cls(path, values, option=option)
        if len(parts) not in (2, 3):
            raise InputError(f'{option}: "{text}" is not PATH=LOW:HIGH:N')
        low, high = (parse_number(part, f"{option} {path}") for part in parts[:2])
        n = int(parts[2]) if len(parts) == 3 and re.fullmatch(r"\d{1,6}", parts[2]) else 0
        if len(parts) == 3 and n < 2:
            raise InputError(f'{option}: "{parts[2]}" is not a number of values; it has to be 2 or more')
        if low >= high or (logarithmic and low <= 0):
            raise InputError(f"{option}: {path} goes from {low:g} to {high:g}: the first has to be smaller"
                             + (" and positive" if logarithmic else ""))  # fmt: skip
        steps = numpy.geomspace(low, high, n) if logarithmic else numpy.linspace(low, high, n)
        return cls(path, tuple(_number(v) for v in steps), low, high, logarithmic, option=option)

    def at(self, part: float) -> str:
        """The value at a part of the range from 0 to 1, or of the list."""
        if math.isnan(self.low):
            return self.values[min(int(part * len(self.values)), len(self.values) - 1)]
        if self.logarithmic:
            return self._text(self.low * (self.high / self.low) ** part)
        return self._text(self.low + part * (self.high - self.low))

    def drawn(self, part: float) -> str:
        """The value at a random part from 0 to 1. Each whole number of a range is as likely as any other; if they were
        rounded, those at the two ends would be half as likely. In a logarithmic range n stands for n to n + 1."""
        if not self.whole:
            return self.at(part)
        first, last = math.ceil(self.low), math.floor(self.high)
        if self.logarithmic:
            return str(min(max(math.floor(first * ((last + 1) / first) ** part), first), last))
        return str(first + min(int(part * (last - first + 1)), last - first))

    def part_of(self, value: float) -> float:
        """The part of the range at which a value is."""
        if self.logarithmic:
            return math.log(value / self.low) / math.log(self.high / self.low)
        return (value - self.low) / (self.high - self.low)

    def short(self, value: float) -> str:
        """A value for readers: four digits, more in a narrow range, and all of a whole number."""
        if self.whole:
            return f"{value:.0f}"
        width = self.high - self.low
        more = math.log10(max(abs(self.low), abs(self.high)) / width) if width > 0 else 0.0
        return f"{value:.{4 + min(max(math.floor(more), 0), 8)}g}"

    def rounded(self) -> Vary:
        """The same with whole numbers of its range, each once, where the schema of the case wants them."""
        if math.isnan(self.low) or not is_whole(self.path):
            return self
        if math.ceil(self.low) > math.floor(self.high):
            raise InputError(f"{self.option}: {self.path} is a whole number, and there is none from {self.low:g} "
                             f"to {self.high:g}")  # fmt: skip
        whole = replace(self, whole=True)
        return replace(whole, values=tuple(dict.fromkeys(whole._text(float(value)) for value in self.values)))

    def _text(self, value: float) -> str:
        if not self.whole:
            return _number(value)
        return str(min(max(math.floor(value + 0.5), math.ceil(self.low)), math.floor(self.high)))


def _split(text: str, at: str, option: str) -> list[str]:
    """Splits at a character outside of brackets and quotes: values may be lists, objects and strings of JSON."""
    parts, depth = [""], 0
    for piece in re.findall(r'"(?:[^"\\]|\\.)*"|.', text, re.DOTALL):
        depth += (piece in "[{") - (piece in "]}")
        if piece == '"' or depth < 0:
            break
        if piece == at and depth == 0:
            parts.append("")
        else:
            parts[-1] += piece
    else:
        if depth == 0:
            return parts
    raise InputError(f'{option}: "{text}" has a bracket or a quote without its other half')


def _number(value: float) -> str:
    """Short text of a number: 0.3, not 0.30000000000000004."""
    return f"{value:.12g}"


def grid(varied: Sequence[Vary]) -> list[dict[str, str]]:
    """All combinations; the last key changes fastest."""
    for vary in varied:
        if not vary.values:
            raise InputError(f"--vary: {vary.path} needs a number of values, LOW:HIGH:N, or --latin N")
    if (number := math.prod(len(vary.values) for vary in varied)) > MOST_POINTS:
        raise InputError(f"--vary: {number} combinations are more than {MOST_POINTS}; --latin N takes N of them")
    return [dict(zip([v.path for v in varied], combination, strict=True))
            for combination in itertools.product(*(v.values for v in varied))]  # fmt: skip


def latin_hypercube(varied: Sequence[Vary], n: int, seed: int = 1) -> list[dict[str, str]]:
    """`n` points of which each value range has one in each of its n parts (McKay, Beckman and Conover 1979)."""
    rng = numpy.random.default_rng(seed)
    columns = [(rng.permutation(n) + rng.uniform(size=n)) / n for _ in varied]
    return [{v.path: v.drawn(float(column[k])) for v, column in zip(varied, columns, strict=True)} for k in range(n)]
