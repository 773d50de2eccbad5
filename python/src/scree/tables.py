"""Tables of a run, from files of comma-separated values."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .errors import ResultsError

if TYPE_CHECKING:
    import pandas


def read_series(path: Path) -> pandas.DataFrame:
    return read_table(path, 0)


def read_table(path: Path, index: int | None, words: tuple[str, ...] = ()) -> pandas.DataFrame:
    """Reads whole lines only: the last line of a run that goes on may be half written. Columns of `words` are names,
    also where they look like numbers or like "NA"."""
    text = path.read_bytes().decode("utf-8", errors="replace")
    header, _, rows = text[: text.rfind("\n") + 1].partition("\n")
    if not header:
        raise ResultsError(f"{path}: has no header yet")
    titles = [re.fullmatch(r"(.*?)(?:\[([^\]]*)\])?", title, re.DOTALL).groups()  # type: ignore[union-attr]
              for title in next(csv.reader([header]))]  # fmt: skip
    names = _distinct([name for name, _ in titles])
    units = {name: unit for name, (_, unit) in zip(names, titles, strict=True) if unit}
    how: dict[str, Any] = {} if not words else {
        "dtype": {name: str for name in words if name in names}, "keep_default_na": False,
        "na_values": {name: ["nan", "-nan", ""] for name in names if name not in words},
    }  # fmt: skip
    try:
        table = _parse(rows, names, index, how)
    except ValueError as error:
        raise ResultsError(f"{path}: is damaged: {' '.join(str(error).split())}") from None
    table.attrs["units"] = units
    return table


def _distinct(names: list[str]) -> list[str]:
    """The names of columns, where the second of two equal ones, as "stage", becomes "stage.1", the third "stage.2"."""
    found: list[str] = []
    for name in names:
        number, new = 0, name
        while new in found or (number and new in names):
            number += 1
            new = f"{name}.{number}"
        found.append(new)
    return found


def _parse(rows: str, names: list[str], index: int | None, how: dict[str, Any]) -> pandas.DataFrame:
    """The rows of a table. Raises ValueError for words in a column of numbers, and the like."""
    import pandas

    if tuple(int(number) for number in pandas.__version__.split(".")[:2]) < (3, 1):
        how = {**how, "float_precision": "round_trip"}  # later versions lose no digit, and warn of the argument
    table = (pandas.read_csv(io.StringIO(rows), header=None, names=names, index_col=index, **how) if rows
             else pandas.DataFrame(columns=names, dtype=float))  # fmt: skip
    if not rows and index is not None:
        table = table.set_index(names[index])
    for name in table.columns:
        if name not in how.get("dtype", {}) and not pandas.api.types.is_numeric_dtype(table[name]):
            raise ValueError(f"{name} has what is not a number")
    return table
