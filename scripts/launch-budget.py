#!/usr/bin/env python3
"""Compares what a step and a search ask of a GPU with tests/budget/launches.txt: launches, copies and their bytes.

Usage: launch-budget.py SCREE [--update]

SCREE is a program with the CUDA backend; it may be one for the emulator (scripts/emulate-cuda.sh), since counts do not
depend on the speed of a device. The counts are those of `scree bench budget --backend cuda --sizes 1000`. Exits 1 if a
count is higher than the one in the table, or bytes by more than 2 %. --update writes the table.
"""
import pathlib
import subprocess
import sys

TABLE = pathlib.Path(__file__).resolve().parent.parent / "tests/budget/launches.txt"
COLUMNS = ["launches per step", "steps launched per step made", "copies in per step", "copies out per step",
           "bytes in per step", "bytes out per step", "searches", "launches per search", "copies in per search",
           "copies out per search", "bytes out per search"]
NAME_WIDTH = 16


def rows_of(text):
    """{case: values} of the lines that have a value for each column."""
    rows = {}
    for line in text.splitlines():
        words = line[NAME_WIDTH:].split()
        if len(words) == len(COLUMNS) and not line.startswith("#"):
            try:
                rows[line[:NAME_WIDTH].strip()] = [float(word) for word in words]
            except ValueError:
                pass  # a line of the header
    return rows


def worse(column, now, before):
    return now > (1.02 * before if column.startswith("bytes") else before)


def main():
    if len(sys.argv) < 2 or sys.argv[2:] not in ([], ["--update"]):
        sys.exit(__doc__)
    text = subprocess.run([sys.argv[1], "bench", "budget", "--backend", "cuda", "--sizes", "1000"],
                          capture_output=True, text=True, check=True).stdout
    print(text, end="")
    rows = rows_of(text)
    if not rows:
        sys.exit("launch-budget: the program printed no counts")
    if sys.argv[2:] == ["--update"]:
        TABLE.write_text("# Launches and copies on CUDA, by scripts/launch-budget.py\n" + text)
        return
    before = rows_of(TABLE.read_text())
    faults = [f"{case}: is not measured any more" for case in before if case not in rows]
    for case, values in rows.items():
        if case not in before:
            faults.append(f"{case}: is not in the table")
            continue
        faults += [f"{case}: {column} {now:g}, was {old:g}"
                   for column, now, old in zip(COLUMNS, values, before[case]) if worse(column, now, old)]
    print("\n".join(faults) if faults else "launch-budget: nothing is worse")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
