"""kill.py SCREE FOLDER [KILLS [SEED]]: kills runs at random moments (SIGKILL), 30 times by default.

After each kill all files in the folder must be complete. The run is then resumed and killed again until it reaches
its end, with the files and the state of an undisturbed run. Finally, as many runs are killed while they remove the
results of an older run.
"""

import os
import shutil
import subprocess
import time

from folders import check_folder, check_one_sentence, checkpoints, expect, expect_same_results, fresh, main, random_runs

here = os.path.dirname(os.path.abspath(__file__))
case = os.path.join(here, "..", "resume", "spin.json")
steps = ("--steps", "6000")


def killed_run(scree, folder, resume, delay):
    """Runs, and kills the run after a delay. Returns whether it was killed before its end."""
    with subprocess.Popen(scree.command(case, folder, *steps, *(["--resume"] if resume else [])), stderr=subprocess.PIPE) as run:
        try:
            run.wait(delay)
        except subprocess.TimeoutExpired:
            run.kill()
        errors = run.stderr.read().decode()
    if run.returncode != -9:
        expect(run.returncode == 0, f"exit code {run.returncode}: {errors}")
    return run.returncode == -9


def kill_while_clearing(scree, folder, whole, choose):
    """Kills a new run while it removes the results of an old run, case.json first."""
    shutil.copytree(whole, fresh(folder))
    with subprocess.Popen(scree.command(case, folder, *steps), stderr=subprocess.PIPE) as run:
        end = time.monotonic() + 60
        # On a busy machine the new case.json may be there before the old one was seen to go.
        while os.path.exists(os.path.join(folder, "case.json")) and time.monotonic() < end and run.poll() is None:
            pass
        time.sleep(choose.uniform(0, 5e-4))
        run.kill()
    check_folder(scree, folder)


def test(arguments):
    scree, folder, kills, choose = random_runs(arguments, 30)
    whole, killed = os.path.join(folder, "whole"), os.path.join(folder, "killed")
    begin = time.monotonic()
    code, errors = scree.run(case, whole, *steps)
    check_one_sentence(code, errors)
    expect(code == 0, errors)
    length = time.monotonic() - begin
    done = ends = 0
    while done < kills or ends == 0:
        # A quarter of the kills come in the first moments, when the run claims the folder and looks through it.
        delay = choose.uniform(0, 0.06) if choose.random() < 0.25 else choose.uniform(0, 0.6 * length)
        # After enough kills the run may finish.
        delay = delay if done < kills else 100 * length + 60
        resume = bool(checkpoints(killed)) if os.path.isdir(killed) else False
        if killed_run(scree, killed, resume, delay):
            done += 1
            if os.path.isdir(killed):
                check_folder(scree, killed)
        else:
            expect_same_results(killed, whole)
            names = [[os.path.basename(file) for file in checkpoints(place)] for place in (killed, whole)]
            expect(names[0] == names[1], f"other checkpoints are kept: {names[0]} instead of {names[1]}")
            check_folder(scree, killed, temporary_files=False, every_frame=True)
            fresh(killed)
            ends += 1
    for _ in range(kills):
        kill_while_clearing(scree, killed, whole, choose)
    code, errors = scree.run(case, killed, *steps)
    expect(code == 0, errors)
    expect_same_results(killed, whole)
    print(f"{done} kills, {ends} runs to their end, {kills} kills while an old run was cleared away")


main(test, "kill.py SCREE FOLDER [KILLS [SEED]]")
