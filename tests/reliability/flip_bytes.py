"""flip_bytes.py SCREE FOLDER [FLIPS [SEED]]: damages files of an interrupted run, and resumes it.

It changes one byte or a digit of a list, cuts a file short or empties it: checkpoints, frames, lists of frames, rows,
the log. The resumed run must either end with the files and the state of an undisturbed run, or be refused with a
sentence. (A damaged frame or row of earlier times is not written again.) The run must not crash, hang or report a
defect of scree. At the end every frame exists and is listed, or the log names it. `scree info` accepts a damaged
checkpoint or refuses it with exit code 2.
"""

import json
import os
import re
import shutil

from folders import ENDING, expect, main, random_runs, state_hash

here = os.path.dirname(os.path.abspath(__file__))
case = os.path.join(here, "small.json")


def files_of(folder):
    return sorted(os.path.relpath(os.path.join(path, name), folder) for path, _, names in os.walk(folder) for name in names)


def damage(file, choose):
    """Damages the file and returns a description of the damage."""
    with open(file, "rb") as stream:
        content = bytearray(stream.read())
    kind = choose.choice(("flip", "flip", "flip", "cut", "empty"))
    if file.endswith(".series") and choose.random() < 0.7:  # a list with another digit can still be read
        place = choose.choice([place for place, byte in enumerate(content) if chr(byte).isdigit()])
        content[place] = choose.choice([byte for byte in b"0123456789" if byte != content[place]])
        text = f"the digit at byte {place} of {file} is {chr(content[place])} now"
    elif kind == "flip" and content:
        # Half of the changes hit the first or last bytes, where headers and checksums are.
        place = choose.randrange(len(content))
        if choose.random() < 0.5:
            place = choose.choice((min(place % 200, len(content) - 1), len(content) - 1 - place % min(100, len(content))))
        content[place] ^= 1 << choose.randrange(8)
        text = f"byte {place} of {file} changed"
    else:
        content = content[:choose.randrange(len(content) + 1) if kind == "cut" else 0]
        text = f"{file} cut to {len(content)} bytes"
    with open(file, "wb") as stream:
        stream.write(content)
    return text


def frames_of(folder):
    """The names of the existing frames and of the listed frames, of particles and of all boundaries."""
    there = {name for name in files_of(folder) if name.endswith(".vtkhdf") and re.search(r"frame_\d+", name)}
    listed = set()
    for name in files_of(folder):
        if name.endswith(".series"):
            with open(os.path.join(folder, name)) as text:
                listed |= {os.path.join(os.path.dirname(name), entry["name"]) for entry in json.load(text)["files"]}
    return there, listed


def expect_no_frame_lost(folder, whole, what):
    with open(os.path.join(folder, "run.log"), errors="replace") as text:
        log = text.read()
    told = log[log.rfind("\nresumed "):]
    for kind, here, wanted in zip(("there", "listed"), frames_of(folder), frames_of(whole)):
        lost = sorted(name for name in wanted - here if os.path.basename(name) not in told)
        expect(not lost, f"{what}: frames are not {kind}, and nothing tells of it: {lost}")


def check_damaged(scree, folder, name, whole, what):
    if ENDING.search(name):
        code, text = scree.info(os.path.join(folder, name))
        expect(code in (0, 2), f"{what}: scree info ends with {code}: {text}")
    code, errors = scree.run(case, folder, "--resume")
    expect(code in (0, 2, 3), f"{what}: exit code {code}: {errors}")
    expect("defect of scree" not in errors, f"{what}: {errors}")
    expect((code == 0) == (errors == ""), f"{what}: exit code {code} with {errors}")
    if code == 0:
        expect(state_hash(folder) == state_hash(whole), f"{what}: another state hash")
        expect_no_frame_lost(folder, whole, what)


def test(arguments):
    scree, folder, flips, choose = random_runs(arguments, 60)
    whole, partial, damaged = (os.path.join(folder, name) for name in ("whole", "partial", "damaged"))
    for out, more in ((whole, ()), (partial, ("--steps", "90"))):
        code, errors = scree.run(case, out, *more)
        expect(code == 0, errors)
    names = files_of(partial)
    for flip in range(flips):
        shutil.rmtree(damaged, ignore_errors=True)
        shutil.copytree(partial, damaged)
        lists = [entry for entry in names if entry.endswith(".series")]
        name = choose.choice(([entry for entry in names if ENDING.search(entry)], lists, names)[flip % 3])
        what = damage(os.path.join(damaged, name), choose)
        check_damaged(scree, damaged, name, whole, what)
    print(f"{flips} files were damaged")


main(test, "flip_bytes.py SCREE FOLDER [FLIPS [SEED]]")
