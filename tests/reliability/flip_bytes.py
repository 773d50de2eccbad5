"""flip_bytes.py SCREE FOLDER [FLIPS [SEED]]: damages files of a run that was broken off, and resumes it.

One byte is changed, a file is cut short or emptied: checkpoints, frames, lists of frames, rows, the log. Resuming must either end with the files
and the state of a run that was left alone (but for the damaged file itself where that is a frame or a row of earlier times, which is not
written again), or refuse with a sentence; it never crashes, hangs or calls it a defect. `scree info` of a damaged checkpoint refuses it.
"""

import os
import random
import shutil

from folders import ENDING, Scree, expect, fresh, main, state_hash

here = os.path.dirname(os.path.abspath(__file__))
case = os.path.join(here, "small.json")


def files_of(folder):
    return sorted(os.path.relpath(os.path.join(path, name), folder) for path, _, names in os.walk(folder) for name in names)


def damage(file, choose):
    """Changes the file; how, in words."""
    with open(file, "rb") as stream:
        content = bytearray(stream.read())
    kind = choose.choice(("flip", "flip", "flip", "cut", "empty"))
    if kind == "flip" and content:
        # Half of the changes hit the first or last bytes, where headers and checksums stand.
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


def check_damaged(scree, folder, name, reference, what):
    if ENDING.search(name):
        code, text = scree.info(os.path.join(folder, name))
        expect(code in (0, 2), f"{what}: scree info ends with {code}: {text}")
    code, errors = scree.run(case, folder, "--resume")
    expect(code in (0, 2, 3), f"{what}: exit code {code}: {errors}")
    expect("defect of scree" not in errors, f"{what}: {errors}")
    expect((code == 0) == (errors == ""), f"{what}: exit code {code} with {errors}")
    if code == 0:
        expect(state_hash(folder) == reference, f"{what}: another state hash")


def test(arguments):
    scree, folder = Scree(arguments[0]), os.path.realpath(arguments[1])
    flips = int(arguments[2]) if len(arguments) > 2 else 60
    seed = int(arguments[3]) if len(arguments) > 3 else random.randrange(10**6)
    print(f"seed {seed}", flush=True)
    choose = random.Random(seed)
    os.makedirs(fresh(folder))
    whole, partial, damaged = (os.path.join(folder, name) for name in ("whole", "partial", "damaged"))
    for out, more in ((whole, ()), (partial, ("--steps", "90"))):
        code, errors = scree.run(case, out, *more)
        expect(code == 0, errors)
    reference = state_hash(whole)
    names = files_of(partial)
    for flip in range(flips):
        shutil.rmtree(damaged, ignore_errors=True)
        shutil.copytree(partial, damaged)
        name = choose.choice([entry for entry in names if ENDING.search(entry)] if flip % 3 == 0 else names)
        what = damage(os.path.join(damaged, name), choose)
        check_damaged(scree, damaged, name, reference, what)
    print(f"{flips} files were damaged")


main(test, "flip_bytes.py SCREE FOLDER [FLIPS [SEED]]")
