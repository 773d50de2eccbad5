#!/usr/bin/env python3
"""Runs cases in other units of length, mass, time and temperature, and compares their series with those in SI units.

Usage: other_units.py PROGRAM FOLDER CASE...

Physics does not depend on units, so a program without hidden constants gives the same numbers in all of them. Each CASE
is run as it is, in double precision, and again with all its values in each of the SYSTEMS of units. The schema of the
program tells the unit of each key, and the header of series.csv that of each column. The new units are powers of two,
which change no bits of a sum, product or quotient. They change the last bits of roots whose exponent they do not
divide, as in adhesion, and contacts amplify such differences. So values may differ by 1e-9 of the largest value with
the same unit; a length, time or mass that is built into the program changes the first digits. Cases are left out that
read numbers in SI units from files, start from another run, or let the program choose the step, which it rounds to
three digits. FOLDER is cleared. Exits 1 when a value differs.
"""

import concurrent.futures
import csv
import json
import math
import os
import re
import shutil
import subprocess
import sys

TOLERANCE = 1e-9


class Units:
    """A system of units."""

    def __init__(self, name, metre, kilogram, second, kelvin):
        """The numbers are powers of two: what one metre and so on are in the new units. They must leave the number of
        Stefan and Boltzmann's constant as it is: kilogram - 3 second - 4 kelvin = 0."""
        self.name = name
        newton = kilogram + metre - 2 * second
        self.powers = {
            "m": metre,
            "kg": kilogram,
            "s": second,
            "min": second,
            "Hz": -second,
            "K": kelvin,
            "N": newton,
            "Pa": newton - 2 * metre,
            "J": newton + metre,
            "W": newton + metre - second,
            "lowest corner, highest corner": metre,
            **dict.fromkeys(("rad", "deg", "1", "-", "%", "steps"), 0),
        }

    def power_of(self, unit):
        """The power of two by which a number changes that has this unit, such as `W/(m K)`."""
        if unit in self.powers:
            return self.powers[unit]
        above, _, below = unit.partition("/")
        total = 0
        for part, sign in ((above, 1), (below.strip("()"), -1)):
            for factor in part.split():
                name, power = re.fullmatch(r"([A-Za-z]+|1|-)(\d*)", factor).groups()
                total += sign * self.powers[name] * int(power or 1)
        return total

    def converted(self, value, unit):
        power = self.power_of(unit)
        return math.ldexp(value, power) if power else value


# Other numbers for each unit; and the same materials as grains 65,536 times smaller, of some ten nanometres.
SYSTEMS = (Units("other_units", 12, -18, 6, -9), Units("small_grains", -16, -48, -16, 0))


def unit_in(text):
    """The unit at the end of a description, or nothing."""
    found = re.search(r"\[([^\]]*)\]\.?$", text or "")
    return found[1] if found else None


def alternatives(schema):
    """A schema and all schemas one of which may hold instead."""
    yield schema
    for word in ("anyOf", "oneOf", "allOf"):
        for part in schema.get(word, []):
            yield from alternatives(part)


def one_of(unit, path, keys):
    """Resolves a unit such as `m or rad`: keys with an axis are about rotation."""
    choices = unit.split(" or ")
    if len(choices) == 1:
        return unit
    turns = "axis" in keys or "rotation" in path
    return choices[-1] if turns else choices[0]


class Converter:
    """Converts a case to other units by the schema of cases."""

    def __init__(self, schema, units):
        self.schema, self.units = schema, units

    def convert(self, value, schema=None, unit=None, path=(), keys=()):
        """`unit` is that of the surrounding array or object, `keys` are the keys of the latter."""
        parts = list(alternatives(self.schema if schema is None else schema))
        texts = [part["description"] for part in parts if part.get("description")]
        own = next((found for found in map(unit_in, texts) if found), None)
        unit = own if texts else unit
        if isinstance(value, dict):
            return {key: self.convert_key(key, item, parts, unit, path, value) for key, item in value.items()}
        if isinstance(value, list):
            return self.convert_list(value, parts, unit, path, keys)
        if unit is None or isinstance(value, (bool, str)) or value is None:
            return value
        return self.units.converted(value, one_of(unit, path, keys))

    def convert_key(self, key, value, parts, unit, path, among):
        if key == "scale" and "file" in among:
            return self.units.converted(value, "m")
        known = [part["properties"][key] for part in parts if key in part.get("properties", {})]
        known = known or [part["additionalProperties"] for part in parts if part.get("additionalProperties")]
        return self.convert(value, {"anyOf": known}, unit, (*path, key), tuple(among))

    def convert_list(self, values, parts, unit, path, keys):
        items = [part["items"] for part in parts if isinstance(part.get("items"), dict)]
        first = next((part["prefixItems"] for part in parts if "prefixItems" in part), [])
        is_table = bool(values) and all(isinstance(row, list) and len(row) == 2 for row in values)
        if is_table and path[-1] in ("strain", "strain_rate", "stress"):  # of a cell: the first column is the time
            unit = "s, " + (unit or "-")
        columns = unit.split(", ") if unit and unit not in self.units.powers else [unit]
        if len(columns) > 1 and is_table:
            return [
                [self.units.converted(number, one_of(column, path, keys)) for column, number in zip(columns, row)]
                for row in values
            ]
        return [
            self.convert(value, first[k] if k < len(first) else {"anyOf": items}, unit, path, keys)
            for k, value in enumerate(values)
        ]


def series_of(program, case, folder, name):
    """Runs a case in a folder. Returns the header and the rows of its series."""
    path = os.path.join(folder, name + ".json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(case, file)
    out = os.path.join(folder, name)
    done = subprocess.run(
        [program, "run", path, "--out", out, "--quiet", "--threads", "1"], check=False, capture_output=True, text=True
    )
    if done.returncode != 0:
        raise RuntimeError(done.stderr.strip())
    with open(os.path.join(out, "series.csv"), encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    return header, [[float(cell) if cell else math.nan for cell in row] for row in rows]


def differences(ours, theirs, units):
    """What differs between the series in SI units and the series in other units."""
    (header, rows), (other_header, other_rows) = ours, theirs
    if header != other_header or len(rows) != len(other_rows):
        yield f"{len(rows)} rows of {len(header)} columns became {len(other_rows)} of {len(other_header)}"
        return
    unit_of = [unit[1] if (unit := re.search(r"\[(.*)\]", name)) else "" for name in header]
    most = dict.fromkeys(unit_of, 0)
    for row in rows:
        for unit, value in zip(unit_of, row):
            most[unit] = max(most[unit], abs(value)) if math.isfinite(value) else most[unit]
    for column, (name, unit) in enumerate(zip(header, unit_of)):
        for k, (row, other) in enumerate(zip(rows, other_rows)):
            a, b = row[column], math.ldexp(other[column], -units.power_of(unit) if unit else 0)
            if not (math.isnan(a) and math.isnan(b)) and not abs(a - b) <= TOLERANCE * most[unit]:
                yield f"{name} in row {k}: {a:.9g} became {b:.9g}"
                break


def is_left_out(case):
    """Whether a case has numbers that its keys do not show."""
    times = [case["time"], *(stage.get("time", {}) for stage in case.get("stages", []))]
    if "start" in case or "step" not in case["time"] or any(time.get("adaptive") for time in times):
        return True

    def reads_numbers(value):
        if isinstance(value, list):
            return any(map(reads_numbers, value))
        if not isinstance(value, dict):
            return False
        is_table = any(key.endswith("_file") for key in value) or ("file" in value and "scale" not in value)
        return is_table or any(map(reads_numbers, value.values()))

    particles = [entry for entry in case.get("particles", []) if "file" in entry]
    outputs = [stage for stage in case.get("stages", []) if "output" in stage]
    return bool(particles or outputs) or reads_numbers(case)


def with_whole_paths(value, folder, key=""):
    """A case whose files are found from any folder."""
    if isinstance(value, list):
        return [with_whole_paths(item, folder) for item in value]
    if isinstance(value, dict):
        return {name: with_whole_paths(item, folder, name) for name, item in value.items()}
    return os.path.join(folder, value) if key == "file" else value


def check(program, schema, path, folder):
    """Returns what is wrong with a case, as one text; None if the case is left out."""
    name = os.path.splitext(os.path.basename(path))[0]
    with open(path, encoding="utf-8") as file:
        case = json.loads(re.sub(r"^\s*//.*$", "", file.read(), flags=re.MULTILINE))
    if is_left_out(case):
        return None
    case = with_whole_paths(case, os.path.dirname(os.path.abspath(path)))
    case["precision"] = "double"
    case.setdefault("gravity", [0, 0, -9.81])
    series = case.get("output", {}).get("series", {})
    case["output"] = {"series": {**series, "every": case["time"]["duration"] / 16, "energies": True}}
    wrong = ""
    try:
        ours = series_of(program, case, folder, name)
        for units in SYSTEMS:
            theirs = series_of(program, Converter(schema, units).convert(case), folder, f"{name}_{units.name}")
            found = "".join(f"{name} in {units.name}: {text}\n" for text in differences(ours, theirs, units))
            wrong += found[:1000]
    except (RuntimeError, KeyError) as error:
        wrong += f"{name}: {error}\n"
    return wrong


def main():
    program, folder, *cases = sys.argv[1:]
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    schema = json.loads(subprocess.run([program, "schema"], check=True, capture_output=True, text=True).stdout)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        results = list(pool.map(lambda path: check(program, schema, path, folder), cases))
    print("".join(result or "" for result in results), end="")
    compared = [result for result in results if result is not None]
    same = compared.count("")
    print(f"{same} of {len(compared)} cases are the same in other units; {len(results) - len(compared)} were left out")
    sys.exit(0 if same == len(compared) > 0 else 1)


main()
