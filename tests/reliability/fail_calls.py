"""fail_calls.py SCREE LIBRARY FOLDER [STRIDE]: lets system calls of a small run fail, one after the other.

For each kind of failure and for every STRIDE-th call (default: every one) a run is started whose n-th call on its files fails, is cut short, or kills
the process. It must end with exit code 0, 2 or 3 and one sentence; what stands in the folder must be whole; and going on without failures must
give all the files and the state of a run that was left alone. The same for a run that is resumed.
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
        """(exit code, errors, number of calls, the call that failed)"""
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
            # A file that cannot be removed stays.
            removal_failed = failed.split(" ")[0] in ("unlink", "remove", "rmdir")
            check_folder(self.scree, self.folder, temporary_files=killed or removal_failed)
            expect(not before or checkpoints(self.folder), "all checkpoints are gone")
            resumed_code, resumed_errors = go_on(self.scree, case, self.folder)
            expect(resumed_code == 0, f"it cannot go on: {resumed_errors}")
            # Checkpoints are written while the run goes on: one that is saved when that fails is of a step of its own.
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
            # Another offset for each kind: together they come to more of the calls.
            for number in range(1 + (5 * k + 3 * resumed) % stride, calls + 1, stride):
                attack.check(number, kind, resumed)
                done += 1
    print(f"{done} failures, of {calls} calls and more, are survived")


main(test, "fail_calls.py SCREE LIBRARY FOLDER [STRIDE]")
