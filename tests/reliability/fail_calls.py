"""fail_calls.py SCREE LIBRARY FOLDER [STRIDE]: lets system calls of a small run fail, one after the other.

For each kind of failure and every STRIDE-th call (default: every call), a run is started whose n-th call on its files
fails, is cut short, or kills the process. The run must end with exit code 0, 2 or 3 and one sentence, and the files
in its folder must be complete. When the run is then resumed without failures, its files and its state must be the
same as those of an undisturbed run. The same is tested for a run that is resumed.
"""

import os
import sys

from folders import Scree, check_folder, check_one_sentence, checkpoints, expect, expect_same_results, fresh, go_on, main

KINDS = ("ENOSPC", "EIO", "EINTR", "SHORT", "FULL", "KILL", "KILL_AFTER")
here = os.path.dirname(os.path.abspath(__file__))
case = os.path.join(here, "small.json")


class Attack:
    def __init__(self, scree, library, folder):
        self.scree, self.library = scree, os.path.abspath(library)
        self.folder = os.path.join(os.path.realpath(folder), "failing")
        self.whole = os.path.join(os.path.realpath(folder), "whole")
        self.report = os.path.join(os.path.realpath(folder), "report")

    def run(self, number, kind, *more):
        """Runs; returns (exit code, errors, number of calls, the call that failed)."""
        env = {"LD_PRELOAD": self.library, "FAIL_ROOT": self.folder, "FAIL_AT": str(number), "FAIL_KIND": kind, "FAIL_REPORT": self.report,
               "GOMP_SPINCOUNT": "4000"}
        code, errors = self.scree.run(case, self.folder, *more, env=env)
        with open(self.report) as report:
            calls, failed = report.read().splitlines()
        return code, errors, int(calls), failed

    def start(self, resumed):
        fresh(self.folder)
        if resumed:
            code, errors = self.scree.run(case, self.folder, "--steps", "70")
            expect(code == 0, errors)

    def check(self, number, kind, resumed):
        self.start(resumed)
        before = checkpoints(self.folder)
        code, errors, _, failed = self.run(number, kind, *(["--resume"] if resumed else []))
        what = f"{kind} at call {number} ({failed}){' of a resumed run' if resumed else ''}"
        try:
            killed = kind.startswith("KILL")
            if killed:
                expect(code == -9 or failed == "none", f"exit code {code} instead of death")
            else:
                check_one_sentence(code, errors)
            # A file whose removal failed remains.
            removal_failed = failed.split(" ")[0] in ("unlink", "remove", "rmdir")
            check_folder(self.scree, self.folder, temporary_files=killed or removal_failed)
            expect(not before or checkpoints(self.folder), "all checkpoints are gone")
            resumed_code, resumed_errors = go_on(self.scree, case, self.folder)
            expect(resumed_code == 0, f"it cannot go on: {resumed_errors}")
            # The run continues while a checkpoint is written. If the writing fails, the run saves a checkpoint of the
            # step that it has reached by then, which the undisturbed run does not have.
            expect_same_results(self.folder, self.whole, but_checkpoints="was saved to checkpoints/" in errors)
        except Exception:
            print(f"broken by {what}; exit code {code}: {errors}", file=sys.stderr)
            raise


def test(arguments):
    scree, library, folder = Scree(arguments[0]), arguments[1], arguments[2]
    stride = int(arguments[3]) if len(arguments) > 3 else 1
    os.makedirs(fresh(folder))
    attack = Attack(scree, library, folder)
    code, errors = scree.run(case, attack.whole)
    expect(code == 0, errors)
    done = 0
    for resumed in (False, True):
        attack.start(resumed)
        code, errors, calls, _ = attack.run(0, "none", *(["--resume"] if resumed else []))
        expect(code == 0, errors)
        expect_same_results(attack.folder, attack.whole)
        expect(calls > 50, f"only {calls} calls were seen: the library does not see what scree does")
        for k, kind in enumerate(KINDS):
            # Another offset for each kind, so that all kinds together reach more of the calls.
            for number in range(1 + (5 * k + 3 * resumed) % stride, calls + 1, stride):
                attack.check(number, kind, resumed)
                done += 1
    print(f"{done} failures, of {calls} calls and more, are survived")


main(test, "fail_calls.py SCREE LIBRARY FOLDER [STRIDE]")
