"""soak.py SCREE FOLDER [STEPS]: a long run of a small hopper (1e6 steps), whose memory and open files must not grow.

The hopper of soak.json is fed as fast as it empties; the run writes 200 frames, 5000 rows and 200 checkpoints. Memory
(VmRSS) and the number of open descriptors are read from /proc several times per second. During the first two fifths
the hopper fills and buffers grow. After that, the mean memory of the last fifth may exceed the mean of the third by 2
% at most (some ten bytes remain for each particle that ever existed), and the number of descriptors must not grow.
"""

import os
import subprocess
import time

from folders import Scree, check_folder, expect, fresh, main

here = os.path.dirname(os.path.abspath(__file__))
case = os.path.join(here, "soak.json")


def memory_of(pid):
    """Resident memory of a process [KiB]."""
    with open(f"/proc/{pid}/status") as status:
        return next((int(line.split()[1]) for line in status if line.startswith("VmRSS")), None)


def step_length(scree):
    text = subprocess.run([scree.program, "check", case], stdout=subprocess.PIPE, check=True).stdout.decode()
    line = next(line for line in text.splitlines() if line.startswith("time step"))
    return float(line.split()[2])


def test(arguments):
    scree, folder = Scree(arguments[0]), os.path.realpath(arguments[1])
    steps = int(arguments[2]) if len(arguments) > 2 else 1000000
    os.makedirs(fresh(folder))
    out = os.path.join(folder, "out")
    duration = steps * step_length(scree)
    more = ["--steps", str(steps)] + [word for name, count in (("frames", 200), ("series", 5000), ("checkpoints", 200))
                                      for word in ("--set", f"output.{name}.every={duration / count!r}")]
    samples = []
    with subprocess.Popen(scree.command(case, out, *more), stderr=subprocess.PIPE) as run:
        while run.poll() is None:
            try:
                memory, handles = memory_of(run.pid), len(os.listdir(f"/proc/{run.pid}/fd"))
            except (FileNotFoundError, ProcessLookupError):
                break
            if memory is not None:
                samples.append((memory, handles))
            time.sleep(0.2)
        errors = run.stderr.read().decode()
        expect(run.wait() == 0, errors)
    fifth = len(samples) // 5
    expect(fifth >= 5, "the run is too short to see anything")
    third, last = samples[2 * fifth:3 * fifth], samples[-fifth:]

    def mean(values):
        values = list(values)
        return sum(values) / len(values)

    early, late = mean(m for m, _ in third), mean(m for m, _ in last)
    handles = max(h for _, h in third), max(h for _, h in last)
    print(f"{steps} steps: memory {early:.0f} KiB in the third fifth, {late:.0f} KiB in the last one; descriptors at most {handles[0]} and {handles[1]}")
    expect(late <= 1.02 * early, "the memory grows")
    expect(handles[1] <= handles[0], "the number of open files grows")
    check_folder(scree, out, temporary_files=False)


main(test, "soak.py SCREE FOLDER [STEPS]")
