"""full_disk.py SCREE LIBRARY FOLDER: runs on disks of different sizes that become full.

The disk is a small tmpfs in a mount namespace of its own (unshare -rm). Where this is not allowed, the library of
fail_calls.py imitates it: from some call on, nothing can be written. The test prints which of the two it used. The
run must say in one sentence which file it could not write, and leave checkpoints from which it can be resumed to the
same end when there is room again.
"""

import os
import subprocess

from folders import LONGEST, Scree, check_folder, check_one_sentence, expect, expect_same_results, fresh, go_on, main

here = os.path.dirname(os.path.abspath(__file__))
case = os.path.join(here, "small.json")
more = ("--set", "output.checkpoints.keep=100", "--set", "output.series.every=2e-5")

SCRIPT = """
set -e
mount -t tmpfs -o size="$KIB"k scree_test "$DISK"
code=0
"$@" || code=$?
cp -r "$DISK/." "$SAVED"
exit $code
"""


def may_mount():
    tried = subprocess.run(["unshare", "-rm", "sh", "-c", "mount -t tmpfs -o size=64k scree_test /mnt"], stderr=subprocess.PIPE)
    return tried.returncode == 0


def on_small_disk(scree, folder, kib):
    """Runs on a disk of `kib` KiB, and copies its files to folder/saved afterwards."""
    disk, saved = os.path.join(folder, "disk"), os.path.join(folder, "saved")
    os.makedirs(fresh(saved))
    os.makedirs(disk, exist_ok=True)
    env = {**os.environ, "KIB": str(kib), "DISK": disk, "SAVED": saved}
    ended = subprocess.run(["unshare", "-rm", "sh", "-c", SCRIPT, "sh", *scree.command(case, os.path.join(disk, "out"), *more)],
                           stderr=subprocess.PIPE, env=env, timeout=LONGEST)
    return ended.returncode, ended.stderr.decode(), os.path.join(saved, "out")


def with_failing_calls(scree, library, folder, number):
    out = os.path.join(folder, "failing")
    env = {"LD_PRELOAD": os.path.abspath(library), "FAIL_ROOT": fresh(out), "FAIL_AT": str(number), "FAIL_KIND": "FULL", "GOMP_SPINCOUNT": "4000"}
    code, errors = scree.run(case, out, *more, env=env)
    return code, errors, out


def test(arguments):
    scree, library, folder = Scree(arguments[0]), arguments[1], os.path.realpath(arguments[2])
    os.makedirs(fresh(folder))
    whole = os.path.join(folder, "whole")
    code, errors = scree.run(case, whole, *more)
    expect(code == 0, errors)
    size = sum(os.path.getsize(os.path.join(path, name)) for path, _, names in os.walk(whole) for name in names) // 1024
    mounted = may_mount()
    print("the disk is a tmpfs" if mounted else "no tmpfs can be mounted here: the disk is played by failing calls")
    full = 0
    for tenth in (1, 2, 3, 4, 5, 6, 7, 8, 9, 11):
        if mounted:
            code, errors, out = on_small_disk(scree, folder, max(8, size * tenth // 10))
        else:
            code, errors, out = with_failing_calls(scree, library, folder, 40 * tenth)
        check_one_sentence(code, errors)
        full += code == 3
        expect(code == 0 or "No space left on device" in errors, errors)
        if not os.path.isdir(out):
            continue
        check_folder(scree, out, temporary_files=False)
        code, errors = go_on(scree, case, out, *more)
        expect(code == 0, f"it cannot go on: {errors}")
        expect_same_results(out, whole)
    expect(full > 3, f"the disk was full in {full} runs only")
    print(f"{full} runs met a full disk")


main(test, "full_disk.py SCREE LIBRARY FOLDER")
