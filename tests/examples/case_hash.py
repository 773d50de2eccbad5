#!/usr/bin/env python3
"""Runs examples/run_a_case.cpp and the program scree over the same case, and compares their state hashes.

Usage: case_hash.py PROGRAM SCREE CASE FOLDER. FOLDER is cleared. Exits 1 when the hashes differ, or when a wrong case is
not refused with a sentence.
"""
import os
import re
import shutil
import subprocess
import sys

STEPS = "700"


def hash_of(command):
    text = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=True, text=True).stdout
    return re.search(r"state hash (\w{32})", text)[1]


def main():
    program, scree, case, folder = sys.argv[1:]
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    ours = hash_of([program, case, STEPS])
    theirs = hash_of([scree, "run", case, "--steps", STEPS, "--out", os.path.join(folder, "out")])
    print(f"library {ours}, program {theirs}")
    wrong = os.path.join(folder, "wrong.json")
    with open(wrong, "w") as file:
        file.write('{ "time": { "duration": -1 } }')
    refused = subprocess.run([program, wrong, "1"], capture_output=True, text=True)
    print(refused.stderr.strip())
    told = refused.returncode == 2 and "time.duration" in refused.stderr
    sys.exit(0 if ours == theirs and told else 1)


main()
