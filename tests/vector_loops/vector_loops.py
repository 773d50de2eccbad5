#!/usr/bin/env python3
"""Checks that g++ has made vector loops of all contact laws, for pairs and for boundaries.

Usage: vector_loops.py FOLDER

FOLDER has the object files of the kernels of the host. A law is one body of a loop over contacts (see
src/kernels/backend/host_sweep.hpp). A jump that g++ cannot turn into a choice between two numbers, or a call that it
does not replace by the body of the function, makes the whole loop scalar. Results stay the same, but a step then takes
up to 2.5 times as long. Each law has square roots and divisions, so these tell: those of a vector loop are packed, and
the few scalar ones beside them belong to other parts of the function. Needs objdump. Exits 1 and names the functions
that have more scalar ones than packed ones, and if there are fewer vector loops than expected.
"""

import collections
import pathlib
import re
import subprocess
import sys

LOOPS = re.compile(r"run_selected_range<|BoundaryLanes<.*>::evaluate\(")
ROOT_OR_DIVISION = re.compile(r"\tv?(?:sqrt|div)([sp])[sd] ")
LEAST = 400  # vector loops: laws with and without rolling, liquid and ledger, in two precisions


def loops_in(file):
    """Counts scalar ("s") and packed ("p") roots and divisions of each loop, by its name."""
    command = ["objdump", "--disassemble", "--demangle", "--no-show-raw-insn", file]
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    found = {}
    counts = None
    for line in lines:
        if line.endswith(">:"):
            name = line.split("<", 1)[1]
            counts = found.setdefault(name, collections.Counter()) if LOOPS.search(name) else None
        elif counts is not None:
            operation = ROOT_OR_DIVISION.search(line)
            if operation:
                counts[operation[1]] += 1
    return found


def main():
    files = sorted(pathlib.Path(sys.argv[1]).rglob("laws/*.o"))
    loops = {}
    for file in files:
        loops.update(loops_in(file))
    scalar = {name: counts for name, counts in loops.items() if counts["s"] > counts["p"]}
    for name, counts in sorted(scalar.items()):
        print(f"{counts['s']} scalar roots and divisions, {counts['p']} packed ones: {name.split('(')[0]}")
    packed = sum(counts["p"] > counts["s"] for counts in loops.values())
    print(f"vector_loops: {len(files)} files, {len(loops)} loops, {packed} with vectors, {len(scalar)} that are scalar")
    sys.exit(1 if scalar or packed < LEAST else 0)


main()
