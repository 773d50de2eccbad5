#!/usr/bin/env python3
"""Runs the cases of the tutorials, and compares the figures that their pages print with those of the runs.

Usage: check-tutorials.py [PROGRAM] [PAGE ...] [--threads N] [--work FOLDER] [--keep]

PROGRAM is build/release/bin/scree if it is not given. PAGES are silo, heap, powder... (all if none is given);
scripts/tutorial_figures.py lists their figures, and has further commands whose results the pages only mention. The
commands and the Python programs of a page run as they stand there, in WORK/PAGE (default: out/tutorials); pictures and
reports are left out. --keep takes the results of commands that an earlier check with this folder has finished.

Results have the same bits on every machine, so each figure must agree to its last digit. The exit status is 1 if one
differs. It is no part of .ci/run, since it is slow. Minutes on one core: coming_from, crushing 1; conveyor, powder,
rock, rocks, shear_cell, triaxial 3; drum, periodic_cells, README, silo, soft_grains some 5; heap 8.

Needs numpy, h5py, pandas, matplotlib and scipy.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

import matplotlib

matplotlib.use("Agg")
from tutorial_figures import PAGES
from tutorial_runs import ROOT, Figure, Page, Run, pattern

LEFT_OUT = ("render", "report", "watch")


def blocks(text: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


class Commands:
    """Runs the commands of one page in its folder, each once."""

    def __init__(self, folder: pathlib.Path, program: pathlib.Path, threads: int) -> None:
        self.folder, self.program, self.threads = folder, program, threads
        self.file = folder / "said.json"  # what each finished command has printed
        self.said: dict[str, str] = json.loads(self.file.read_text()) if self.file.exists() else {}
        path = os.pathsep.join([str(ROOT / "python/src"), os.environ.get("PYTHONPATH", "")])
        self.environment = {**os.environ, "SCREE_PYTHON": sys.executable, "PYTHONPATH": path}
        self.environment["SCREE_CACHE"] = ""  # templates are made by this program

    def run(self, line: str) -> None:
        """A line of a page: a command of scree or a script; other commands are left to the reader."""
        words = shlex.split(line, comments=True)
        if not words or line in self.said:
            return
        if words[0] == "scree" and words[1] not in LEFT_OUT:
            command = [str(self.program), *words[1:]]
            if words[1] in ("run", "sweep", "calibrate"):
                command += ["--threads", str(self.threads)]
            if words[1] in ("sweep", "calibrate"):
                command += ["--jobs", "1"]
            if words[1] == "run":
                command += ["--overwrite"]  # what an interrupted check has left
        elif words[0].startswith("scripts/"):
            command = [sys.executable, str(ROOT / words[0]), *words[1:]]
        else:
            return
        print(f"  {line}", flush=True)
        ended = subprocess.run(
            command, cwd=self.folder, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        if ended.returncode != 0:
            sys.exit(f"check-tutorials: this command failed:\n{line}\n{ended.stdout}")
        self.said[line] = ended.stdout
        self.file.write_text(json.dumps(self.said, indent=1))


def run_programs(programs: list[str], folder: pathlib.Path) -> tuple[str, dict[str, object]]:
    """What the Python programs of a page print, and their variables."""
    variables: dict[str, object] = {}
    printed = io.StringIO()
    before = pathlib.Path.cwd()
    os.chdir(folder)
    sys.path.insert(0, str(folder))
    with contextlib.redirect_stdout(printed):
        for program in programs:
            exec(program, variables)
    sys.path.remove(str(folder))
    os.chdir(before)
    return printed.getvalue(), variables


def run_page(name: str, page: Page, options: argparse.Namespace) -> Run:
    text = (ROOT / page.file).read_text()
    folder = (options.work / name).resolve()
    if not options.keep:
        shutil.rmtree(folder, ignore_errors=True)
    cases = (ROOT / page.file).parent if page.file.startswith("docs/tutorials/") else None
    shutil.copytree(cases or ROOT / "configs", folder if cases else folder / "configs", dirs_exist_ok=True)
    (folder / "docs").mkdir(exist_ok=True)  # for the pictures of scripts
    commands = Commands(folder, options.program.resolve(), options.threads)
    for line in [*page.also, *"".join(blocks(text, "sh")).splitlines()]:
        commands.run(line)
    printed, variables = run_programs(blocks(text, "python"), folder)
    return Run(folder, printed + "".join(commands.said.values()), variables)


def last_digit(printed: str) -> float:
    """A unit in the last digit of a number."""
    digits, _, exponent = printed.partition("e")
    return float(10 ** (int(exponent or 0) - len(digits.partition(".")[2])))


def compare(figure: Figure, default: str, run: Run) -> list[tuple[str, str, str]]:
    """Found, printed and verdict of each number of a figure; for a text without numbers whether it holds."""
    places = pattern(figure.text).findall((ROOT / (figure.file or default)).read_text())
    if len(places) != 1:
        return [("", "", f"the page has this text {len(places)} times")]
    printed = [places[0]] if isinstance(places[0], str) else list(places[0])
    try:
        source = figure.source(run)
    except LookupError as missing:
        return [("", "", f"no value: {missing}")]
    if "{}" not in figure.text:
        return [(str(bool(source)), "", "" if source else "DIFFERS")]
    found = list(source) if isinstance(source, list | tuple) else [source]
    if len(found) != len(printed):
        return [("", "", f"{len(found)} numbers found, {len(printed)} printed")]
    rows = []
    for value, number in zip(found, printed, strict=True):
        unit = last_digit(number)
        good = abs(value - float(number)) <= 0.5000001 * unit
        rows.append((f"{value:.7g}", number, "" if good else "DIFFERS"))
    return rows


def check(name: str, options: argparse.Namespace) -> bool:
    """Runs a page and prints its table; whether all figures agree."""
    page = PAGES[name]
    print(f"{page.file}", flush=True)
    run = run_page(name, page, options)
    good = True
    print(f"  {'found':>12}  {'printed':>12}")
    for figure in page.figures:
        for found, printed, verdict in compare(figure, page.file, run):
            print(f"  {found:>12}  {printed:>12}  {verdict:8} {figure.text}")
            good = good and not verdict
    return good


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="PROGRAM or PAGE")
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--work", type=pathlib.Path, default=ROOT / "out/tutorials", help="folder of all results")
    parser.add_argument("--keep", action="store_true", help="do not repeat commands that an earlier check finished")
    options = parser.parse_args()
    options.program = ROOT / "build/release/bin/scree"
    if options.names and options.names[0] not in PAGES:
        options.program = pathlib.Path(options.names.pop(0))
    unknown = [name for name in options.names if name not in PAGES]
    if unknown or not options.program.is_file():
        parser.error(f"{'no page ' + unknown[0] if unknown else 'no program ' + str(options.program)}")
    results = [check(name, options) for name in options.names or PAGES]
    sys.exit(0 if all(results) else 1)


if __name__ == "__main__":
    main()
