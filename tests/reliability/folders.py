"""Shared by the tests in this folder: runs of scree, and checks that a folder of results must pass at any moment."""

import filecmp
import json
import os
import random
import re
import shutil
import subprocess
import sys

ENDING = re.compile(r"step_\d{9}\.h5$")

#: [s] A program that has not ended by then hangs; on a busy machine the others take much longer than alone.
LONGEST = 240


class Failed(Exception):
    """A promise that was not kept."""


def expect(condition, text):
    if not condition:
        raise Failed(text)


class Scree:
    """The program, on the host with one thread."""

    def __init__(self, program):
        self.program = os.path.abspath(program)

    def command(self, case, folder, *more):
        return [self.program, "run", case, "--backend", "host", "--quiet", "--threads", "1", "--out", folder, *more]

    def run(self, case, folder, *more, env=None, **options):
        """Runs; returns (exit code, text on standard error). A negative exit code is the signal that ended the run."""
        ended = subprocess.run(self.command(case, folder, *more), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                               env={**os.environ, **(env or {})}, timeout=LONGEST, **options)
        return ended.returncode, ended.stderr.decode()

    def info(self, file):
        ended = subprocess.run([self.program, "info", file], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=LONGEST)
        return ended.returncode, (ended.stdout + ended.stderr).decode()


def state_hash(folder):
    with open(os.path.join(folder, "run.log"), errors="replace") as log:
        lines = [line for line in log if line.startswith("state hash")]
    return lines[-1] if lines else None


def checkpoints(folder):
    inner = os.path.join(folder, "checkpoints")
    names = sorted(os.listdir(inner)) if os.path.isdir(inner) else []
    return [os.path.join(inner, name) for name in names if ENDING.match(name)]


def check_one_sentence(code, errors):
    """A run that fails gives the reason in one sentence and does not report a defect of scree."""
    lines = errors.splitlines()
    expect(code in (0, 2, 3), f"the exit code is {code}: {errors}")
    expect((code == 0) == (not lines), f"exit code {code} with the errors {lines}")
    expect(code == 0 or (len(lines) == 1 and lines[0].startswith("error: ")), f"not one sentence: {errors}")
    expect("defect of scree" not in errors, errors)


def check_list(file, folder):
    with open(file) as text:
        entries = json.load(text)["files"]
    for entry in entries:
        expect(os.path.exists(os.path.join(folder, entry["name"])), f"{file} names {entry['name']}, which is not there")
    times = [entry["time"] for entry in entries]
    expect(times == sorted(set(times)), f"{file}: the times do not ascend")


def check_rows(file):
    """All rows are whole. Only at the border of two pages, SIGKILL may cut a row: the kernel writes page by page."""
    with open(file, newline="") as text:
        content = text.read()
    whole, _, cut = content.rpartition("\n")
    expect(cut == "" or len(content) % 4096 == 0, f"{file}: the last line is not whole")
    lines = whole.splitlines()
    for line in lines:
        expect(line.count(",") == lines[0].count(","), f"{file}: a row of other length: {line}")


def check_folder(scree, folder, temporary_files=True, every_frame=False):
    """Every file with its final name is complete. `temporary_files`: half-written temporary files may exist, too."""
    for path, _, names in os.walk(folder):
        frames = sorted(name for name in names if name.endswith(".vtkhdf"))
        chosen = frames if every_frame else frames[-1:]
        for name in names:
            file = os.path.join(path, name)
            if name.endswith(".tmp"):
                expect(temporary_files, f"{file} is left")
            elif name.endswith(".series"):
                check_list(file, path)
            elif name == "series.csv":
                check_rows(file)
            elif name == "case.json":
                with open(file) as text:
                    json.load(text)
            elif ENDING.match(name) or name in chosen:
                code, text = scree.info(file)
                expect(code == 0, f"scree info {file}: {text}")


def differing_files(first, second):
    """Names of the results that differ between two folders. Logs and locks do not count as results."""
    def results(folder):
        return {os.path.relpath(os.path.join(path, name), folder) for path, _, names in os.walk(folder) for name in names
                if name not in ("run.log", "run.lock")}
    names = results(first) | results(second)
    return sorted(name for name in names if not (os.path.exists(os.path.join(first, name)) and os.path.exists(os.path.join(second, name)) and
                                                 filecmp.cmp(os.path.join(first, name), os.path.join(second, name), shallow=False)))


def expect_same_results(folder, reference, but_checkpoints=False):
    """Results and state are the same. Older checkpoints may differ: a kill can come before one is removed, and a failure
    adds one. The last checkpoint must be the same."""
    expect(state_hash(folder) == state_hash(reference) is not None, f"{folder}: another state hash than {reference}")

    def in_both(name):
        return all(os.path.exists(os.path.join(place, name)) for place in (folder, reference))
    last = os.path.relpath(checkpoints(reference)[-1], reference) if checkpoints(reference) else ""
    differing = [name for name in differing_files(folder, reference) if not ENDING.search(name) or (not but_checkpoints and (name == last or in_both(name)))]
    expect(not differing, f"{folder} is not as {reference}: {differing}")


def go_on(scree, case, folder, *more, **options):
    """Finishes an interrupted run: resumes it if it left a checkpoint, and otherwise starts it again."""
    code, errors = scree.run(case, folder, "--resume", *more, **options)
    if code == 2 and "no checkpoint" in errors and not checkpoints(folder):
        code, errors = scree.run(case, folder, *more, **options)
    return code, errors


def random_runs(arguments, usual):
    """Reads the arguments SCREE FOLDER [COUNT [SEED]]. Returns the program, the folder (emptied), COUNT (default: `usual`)
    and a random generator, whose seed is printed."""
    count = int(arguments[2]) if len(arguments) > 2 else usual
    seed = int(arguments[3]) if len(arguments) > 3 else random.randrange(10**6)
    print(f"seed {seed}", flush=True)
    folder = os.path.realpath(arguments[1])
    os.makedirs(fresh(folder))
    return Scree(arguments[0]), folder, count, random.Random(seed)


def fresh(folder):
    shutil.rmtree(folder, ignore_errors=True)
    return folder


def main(test, usage):
    """Runs test(arguments), and exits with 1 if it raises Failed. `usage` has required arguments in capitals and optional
    ones in brackets."""
    needed = len(usage.split("[")[0].split()) - 1
    if len(sys.argv) <= needed:
        print(f"usage: {usage}", file=sys.stderr)
        sys.exit(2)
    try:
        test(sys.argv[1:])
    except Failed as broken:
        print(f"{os.path.basename(sys.argv[0])}: {broken}", file=sys.stderr)
        sys.exit(1)
