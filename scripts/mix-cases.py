#!/usr/bin/env python3
"""Runs mixtures of the cases of the repository; looks for crashes and for results that depend on more than the case.

Usage: mix-cases.py [--program FILE] [--cuda] [--seconds N] [--seed S] [--steps N] [--keep FOLDER] [--only NUMBER ...]

A mixture takes one case of configs/ or tests/golden/cases/, and replaces or adds some of its parts by those of others:
particles with their shapes, boundaries, laws, materials' rolling and heat, settings of time, groups, stages, output. Or
it changes a number, or leaves out a key. Many of them are refused, which is right if a sentence says why. A mixture
that runs must give the same state hash with one thread, with three threads and another Verlet distance, and when it is
interrupted half-way and resumed; with --cuda also on the CUDA backend, for which scripts/emulate-cuda.sh builds a
program that needs no GPU. No program may be killed by a signal, and no message may speak of a broken contract.
Prints what it found, and exits 1 if that is anything. Mixture NUMBER of a seed is always the same; its case stays in
FOLDER.
"""

from __future__ import annotations

import argparse
import copy
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from typing import Any

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "python/src"))
from scree import Case  # noqa: E402

FOLDERS = (ROOT / "tests/golden/cases", ROOT / "configs")
SECTIONS = ("time", "gravity", "integration", "neighbours", "groups", "domain", "stages", "output", "grain_contacts",
            "heat", "parcels", "no_ratcheting", "precision", "seed")  # fmt: skip
REFUSED, FAULT = 2, 3  # exit codes
Parts = dict[str, Any]  # of a case


def with_material(value: Any, names: list[str], source: random.Random) -> Any:
    """A copy in which every material is one of `names`."""
    if isinstance(value, list):
        return [with_material(each, names, source) for each in value]
    if isinstance(value, dict):
        return {key: source.choice(names) if key == "material" and isinstance(each, str)
                else with_material(each, names, source) for key, each in value.items()}  # fmt: skip
    return value


def distort(case: Parts, source: random.Random) -> None:
    """Changes a number of a case by a factor, or leaves out a key."""
    places: list[tuple[Any, Any]] = []

    def visit(value: Any) -> None:
        for key, each in value.items() if isinstance(value, dict) else enumerate(value):
            if isinstance(each, (dict, list)):
                visit(each)
            if isinstance(value, dict) or (isinstance(each, (int, float)) and not isinstance(each, bool)):
                places.append((value, key))

    visit(case)
    value, key = source.choice(places)
    if isinstance(value[key], (int, float)) and not isinstance(value[key], bool):
        value[key] *= source.choice((0, -1, 0.1, 0.5, 2, 10, 1e-6, 1e6, 1e30))
    else:
        del value[key]


def mix(cases: list[Parts], source: random.Random) -> Parts:
    case = copy.deepcopy(source.choice(cases))
    case.pop("start", None)
    for _ in range(source.randint(1, 4)):
        other = copy.deepcopy(source.choice(cases))
        names = list(case.get("materials", {})) or ["none"]
        kind = source.choice(("section", "section", "particles", "boundaries", "law", "law", "material", "shape",
                              "distortion"))  # fmt: skip
        if kind == "section":
            name = source.choice([name for name in SECTIONS if name in other] or ["seed"])
            case[name] = other.get(name, 7)
        elif kind == "particles" and other.get("particles"):
            case.setdefault("shapes", {}).update(other.get("shapes", {}))
            entries = with_material(other["particles"], names, source)
            keep_all = source.random() < 0.5
            case["particles"] = entries if keep_all else [*case.get("particles", []), source.choice(entries)]
        elif kind == "boundaries" and other.get("boundaries"):
            name = source.choice(list(other["boundaries"]))
            case.setdefault("boundaries", {})[name] = with_material(other["boundaries"][name], names, source)
        elif kind == "law" and other.get("contacts"):
            case["contacts"] = [{**source.choice(other["contacts"]), "between": ["*", "*"]}]
        elif kind == "material" and other.get("materials") and case.get("materials"):
            values = source.choice(list(other["materials"].values()))
            for name in names:
                case["materials"][name] = {**values, "density": case["materials"][name].get("density", 2500)}
        elif kind == "distortion":
            distort(case, source)
        elif kind == "shape":
            for entry in case.get("particles", []):
                if isinstance(entry, dict) and "shape" in entry and source.random() < 0.5:
                    entry["shape"] = source.choice(["sphere", *case.get("shapes", {})])
    return case


def link_data(folder: pathlib.Path) -> None:
    """Makes links to all files that cases name."""
    for source in FOLDERS:
        for file in source.iterdir():
            link = folder / file.name
            if file.suffix != ".json" and not file.is_dir() and not link.exists():
                link.symlink_to(file)


class Runner:
    def __init__(self, program: pathlib.Path, steps: int, folder: pathlib.Path, cuda: bool) -> None:
        self.program, self.steps, self.folder, self.cuda = program.resolve(), steps, folder, cuda
        self.counts = {"ran": 0, "refused": 0, "ended with a fault": 0, "too slow": 0, "bad": 0}

    def run(self, case: pathlib.Path, name: str, *options: str, backend: str = "host") -> tuple[int, str]:
        """Exit code and all output of a run; code 0 and no output if it takes too long."""
        command = [str(self.program), "run", str(case), "--out", str(self.folder / name), "--backend", backend, *options]
        environment = {**os.environ, "SCREE_CACHE": "", "OMP_WAIT_POLICY": "passive"}
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=60, env=environment)
        except subprocess.TimeoutExpired:
            return 0, ""
        return done.returncode, done.stdout + done.stderr

    def look_at(self, case: pathlib.Path) -> str:
        """What is wrong with a case; empty if nothing is."""
        steps = str(self.steps)
        code, told = self.run(case, "one", "--steps", steps, "--threads", "1")
        if code < 0 or code not in (0, REFUSED, FAULT):
            return f"exit code {code}\n{told[-600:]}"
        if "ContractError" in told or "contract" in told.lower():
            return told[-600:]
        if code == REFUSED:
            self.counts["refused"] += 1
            return "" if "error" in told else f"refused without a reason\n{told[-600:]}"
        if not told:
            self.counts["too slow"] += 1
            return ""
        with_three = self.run(case, "three", "--steps", steps, "--threads", "3", "--set",
                              'neighbours={"verlet_distance":{"of_smallest_radius":0.35}}')  # fmt: skip
        if code == FAULT:
            self.counts["ended with a fault"] += 1
            same = with_three[0] == FAULT
            return "" if same else f"a fault with one thread, exit code {with_three[0]} with three\n{told[-600:]}"
        self.run(case, "half", "--steps", str(self.steps // 2), "--threads", "1")
        resumed = self.run(case, "half", "--resume", "--steps", steps, "--threads", "1")
        texts = [told, with_three[1], resumed[1]]
        if self.cuda and (on_gpu := self.run(case, "cuda", "--steps", steps, backend="cuda")[1]):
            texts.append(on_gpu)
        hashes = [re.findall(r"state hash (\w+)", text) for text in texts]
        self.counts["ran"] += 1
        if not resumed[1] or not with_three[1] or "nothing is left" in resumed[1]:
            return ""
        same = hashes[0] and all(each == hashes[0] for each in hashes)
        return "" if same else f"hashes {hashes}\n{texts[-1][-600:]}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / "build/host/bin/scree")
    parser.add_argument("--cuda", action="store_true", help="also run each mixture on the CUDA backend")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("--keep", type=pathlib.Path, help="folder for cases that are wrong (default: out/mixtures)")
    parser.add_argument("--only", type=int, nargs="+", help="these mixtures alone")
    options = parser.parse_args()
    files = sorted(file for folder in FOLDERS for file in folder.glob("*.json"))
    cases = [Case(file).data for file in files]
    keep = options.keep or ROOT / "out/mixtures"
    end = time.monotonic() + options.seconds
    with tempfile.TemporaryDirectory() as name:
        work = pathlib.Path(name)
        link_data(work)
        runner = Runner(options.program, options.steps, work, options.cuda)
        number = 0
        while time.monotonic() < end and (not options.only or number < max(options.only)):
            number += 1
            case = mix(cases, random.Random(f"{options.seed} {number}"))
            if options.only and number not in options.only:
                continue
            file = work / "mixture.json"
            file.write_text(json.dumps(case, indent=1))
            if wrong := runner.look_at(file):
                runner.counts["bad"] += 1
                keep.mkdir(parents=True, exist_ok=True)
                link_data(keep)
                shutil.copy(file, keep / f"{options.seed}_{number}.json")
                print(f"mixture {number} of seed {options.seed}: {wrong}\n", flush=True)
            for out in ("one", "three", "half", "cuda"):
                shutil.rmtree(work / out, ignore_errors=True)
    print(f"{number} mixtures: " + ", ".join(f"{count} {what}" for what, count in runner.counts.items()))
    sys.exit(1 if runner.counts["bad"] else 0)


if __name__ == "__main__":
    main()
