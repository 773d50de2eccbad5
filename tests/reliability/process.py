"""process.py SCREE LIBRARY FOLDER: runs that meet signals, closed terminals, other runs, vanishing folders, and paths
that are no regular files.
"""

import os
import resource
import shutil
import signal
import socket
import subprocess
import threading
import time

from folders import LONGEST, Scree, check_folder, checkpoints, expect, expect_same_results, fresh, main

here = os.path.dirname(os.path.abspath(__file__))
case = os.path.join(here, "..", "resume", "spin.json")
small = os.path.join(here, "small.json")
steps = ("--steps", "6000")


def text_of(*names):
    with open(os.path.join(*names)) as file:
        return file.read()


def wait_for(condition, what):
    for _ in range(6000):
        if condition():
            return
        time.sleep(0.005)
    expect(False, f"{what} does not come")


class Place:
    def __init__(self, scree, library, folder):
        self.scree, self.library, self.folder = scree, os.path.abspath(library), folder

    def out(self, name):
        return os.path.join(self.folder, name)

    def start(self, name, *more, **options):
        """Starts a run and returns it when it has written its first checkpoint."""
        out = self.out(name)
        length = () if "--steps" in more else steps
        fresh(out)
        run = subprocess.Popen(self.scree.command(case, out, *length, *more), stderr=subprocess.PIPE, **options)
        wait_for(lambda: run.poll() is not None or checkpoints(out), "a checkpoint")
        expect(run.poll() is None, f"{name}: the run is over")
        return run


def end_of(run):
    errors = run.communicate(timeout=LONGEST)[1].decode()
    return run.returncode, errors


def signals(place):
    """Each signal ends a run with a checkpoint, and the log names the signal. The resumed run reaches the same end."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGPIPE, signal.SIGXFSZ):
        name = signal.Signals(number).name
        for _ in range(5):
            run = place.start(name)
            run.send_signal(number)
            code, errors = end_of(run)
            if code != 0:  # otherwise the run was over before, on a busy machine
                break
        expect((code, errors) == (128 + number, ""), f"{name}: exit code {code}, {errors}")
        expect(f"stopped by {name}\n" in text_of(place.out(name), "run.log"), f"{name} is not in the log")
        check_folder(place.scree, place.out(name), temporary_files=False)
        expect(not os.path.exists(place.out(name) + "/run.lock"), "run.lock is left")
        code, errors = place.scree.run(case, place.out(name), *steps, "--resume")
        expect(code == 0, errors)
        expect_same_results(place.out(name), place.out("whole"))


def second_signal(place):
    """A second signal ends the run at once. Two signals that come together count as one, and nohup is respected."""
    run = place.start("second", "--set", "output.series.every=1e-5")
    os.kill(run.pid, signal.SIGSTOP)
    run.send_signal(signal.SIGHUP)
    run.send_signal(signal.SIGTERM)
    os.kill(run.pid, signal.SIGCONT)
    code, _ = end_of(run)
    expect(code in (128 + signal.SIGHUP, 128 + signal.SIGTERM), f"two signals at once: {code}")
    run = place.start("nohup", preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
    run.send_signal(signal.SIGHUP)
    code, errors = end_of(run)
    expect(code == 0, f"nohup: {code} {errors}")
    # Files are slow, so that the second signal comes while the run still answers the first one.
    env = {**os.environ, "LD_PRELOAD": place.library, "FAIL_ROOT": place.out("busy"), "FAIL_AT": "1", "FAIL_KIND": "SLOW", "GOMP_SPINCOUNT": "4000"}
    run = place.start("busy", env=env)
    run.send_signal(signal.SIGTERM)
    time.sleep(0.15)
    run.send_signal(signal.SIGTERM)
    code, _ = end_of(run)
    expect(code == -signal.SIGTERM, f"two signals: {code}")


def closed_terminal(place):
    """A run continues without its terminal, and its log contains every line once."""
    command = [part for part in place.scree.command(small, place.out("closed")) if part != "--quiet"]
    for how in ('exec "$@" >&-', 'exec "$@" >&- 2>&- <&-', '"$@" | true', 'exec "$@" >/dev/full'):
        ended = subprocess.run(["bash", "-c", "set -o pipefail; " + how, "sh", *command], stderr=subprocess.PIPE, timeout=LONGEST)
        expect(ended.returncode == 0, f"{how}: exit code {ended.returncode} {ended.stderr}")
        lines = text_of(place.out("closed"), "run.log").splitlines()
        expect(sum(line.startswith("state hash") for line in lines) == 1, f"{how}: the log is not whole or doubled")
        if "true" not in how:
            expect(sum("standard output cannot be written any more" in line for line in lines) == 1, f"{how}: it is not said")
    for words in (["schema"], ["version"], ["--help"], ["run", "--help"], ["check", small], ["info", checkpoints(place.out("closed"))[-1]], ["doctor"],
                  ["compare", place.out("closed"), place.out("closed")]):
        for redirection in (">/dev/full", ">&-"):
            ended = subprocess.run(["bash", "-c", 'exec "$@" ' + redirection, "sh", place.scree.program, *words], stderr=subprocess.PIPE, timeout=LONGEST)
            expect(ended.returncode == 3 and b"standard output cannot be written" in ended.stderr, f"{words} {redirection}: {ended}")


def locks(place):
    """Only one run uses a folder; another run is refused and names the first. A dead run does not block the folder."""
    run = place.start("locked")
    run.send_signal(signal.SIGSTOP)  # the run waits until the others have been refused
    for more in ((), ("--resume",)):
        code, errors = place.scree.run(case, place.out("locked"), *more)
        expect(code == 2 and f"process {run.pid} on {socket.gethostname()}, since 2" in errors, f"{code}: {errors}")
    expect(run.poll() is None, "the first run is disturbed")
    run.kill()
    run.wait()
    expect(os.path.exists(place.out("locked/run.lock")), "a killed run leaves its lock file")
    code, errors = place.scree.run(case, place.out("locked"), *steps, "--resume")
    expect(code == 0, errors)
    expect_same_results(place.out("locked"), place.out("whole"))
    # Files that older versions, or a kill in the first moments, may leave.
    for names in (("write_test.tmp",), ("run.lock",), ("run.log", "run.lock")):
        os.makedirs(fresh(place.out("beginning")))
        for name in names:
            open(os.path.join(place.out("beginning"), name), "w").close()
        code, errors = place.scree.run(small, place.out("beginning"))
        expect(code == 0, f"{names}: {errors}")
        expect(not os.path.exists(place.out("beginning/write_test.tmp")), "write_test.tmp stays")
    os.symlink("/dev/null", os.path.join(place.out("beginning"), "run.lock"))
    code, errors = place.scree.run(small, place.out("beginning"))
    expect(code == 2 and "run.lock" in errors, f"{code}: {errors}")


def vanished(place):
    """A folder or a log that vanishes is an error, and the run does not write parts of it again."""
    for how in (shutil.rmtree, lambda out: os.rename(out, out + "_moved"), lambda out: os.unlink(out + "/run.log"), lambda out: os.unlink(out + "/series.csv")):
        run = place.start("gone", "--set", "output.frames.every=100", "--steps", "30000")
        whole = False  # a run that ends while its files go leaves the rest of them
        while run.poll() is None:
            try:
                how(place.out("gone"))
                whole = True
                break
            except FileNotFoundError:  # a temporary file that was renamed meanwhile
                continue
            except OSError:
                continue
        code, errors = end_of(run)
        expect(code == 3 and errors.count("\n") == 1 and ("vanished" in errors or "was removed" in errors or "No such file" in errors), f"{code}: {errors}")
        came_back = whole and os.path.exists(place.out("gone")) and not os.path.exists(place.out("gone/case.json"))
        expect(not came_back, "the folder came back")
        fresh(place.out("gone"))
        fresh(place.out("gone_moved"))


def results_of_commands(place):
    """--out never replaces a device, a pipe or a link."""
    path = place.out("path.csv")
    with open(path, "w") as file:
        file.write("time,normal\n0,0\n1e-5,1e-6\n2e-5,2e-6\n")
    command = [place.scree.program, "contact", small, "--between", "glass", "glass", "--path", path, "--out"]
    expected = subprocess.run(command[:-1], stdout=subprocess.PIPE, check=True).stdout

    def contact(out, **options):
        return subprocess.run([*command, out], stderr=subprocess.PIPE, timeout=LONGEST, **options)

    device = os.stat("/dev/null")
    expect(contact("/dev/null").returncode == 0 and os.stat("/dev/null").st_ino == device.st_ino, "/dev/null was replaced")
    expect(contact("/dev/full").returncode == 3, "/dev/full takes it")
    expect(contact("/dev/stdout", stdout=subprocess.PIPE).stdout == expected, "/dev/stdout, a pipe")
    with open(place.out("appended"), "wb") as file:
        file.write(b"before\n")
        file.flush()
        expect(contact("/dev/stdout", stdout=file).returncode == 0, "/dev/stdout, a file")
    expect(open(place.out("appended"), "rb").read() == b"before\n" + expected, "/dev/stdout, a file with a beginning")

    fifo, read = place.out("fifo"), []
    os.mkfifo(fifo)
    reader = threading.Thread(target=lambda: read.append(open(fifo, "rb").read()))
    reader.start()
    expect(contact(fifo).returncode == 0, "a named pipe")
    reader.join()
    expect(read == [expected] and not os.path.isfile(fifo), "a named pipe was replaced")

    with open(place.out("target.csv"), "w") as file:
        file.write("old")
    os.chmod(place.out("target.csv"), 0o640)
    os.symlink("target.csv", place.out("link.csv"))
    os.link(place.out("target.csv"), place.out("other_name.csv"))
    expect(contact(place.out("link.csv")).returncode == 0 and os.path.islink(place.out("link.csv")), "a link was replaced")
    expect(open(place.out("target.csv"), "rb").read() == expected == open(place.out("other_name.csv"), "rb").read(), "a link is not followed")
    os.unlink(place.out("other_name.csv"))
    expect(contact(place.out("target.csv")).returncode == 0 and os.stat(place.out("target.csv")).st_mode & 0o777 == 0o640, "another mode")
    os.symlink("nowhere/file", place.out("dangling"))
    expect(contact(place.out("dangling")).returncode == 2 and os.path.islink(place.out("dangling")), "a link that leads nowhere")
    expect(contact(place.folder).returncode == 2, "a folder")


def odd_input(place):
    """A path that is no regular file is refused with a sentence, and control characters do not reach the terminal."""
    fifo = place.out("input_fifo")
    os.mkfifo(fifo)
    for bad in (fifo, "/dev/zero", place.folder):
        attempts = [["check", bad], ["run", bad], ["info", bad], ["compare", bad, small], ["traction", bad, "--contact", "0", "1"],
                    ["clump", bad], ["check", small, "--set", "boundaries.blade.file=" + bad], ["check", small, "--set", "start=" + bad],
                    ["contact", small, "--between", "glass", "glass", "--path", bad]]
        for words in attempts:
            ended = subprocess.run([place.scree.program, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=LONGEST)
            expect(ended.returncode == 2 and ended.stderr.startswith(b"error: "), f"{words}: {ended}")
        if not os.path.isdir(bad):
            ended = subprocess.run(place.scree.command(small, bad, "--resume"), stderr=subprocess.PIPE, timeout=LONGEST)
            expect(ended.returncode == 2, f"--resume from {bad}: {ended}")
    log = os.path.join(fresh(place.out("with_fifo")), "run.log")
    os.makedirs(place.out("with_fifo"))
    os.mkfifo(log)
    code, errors = place.scree.run(small, place.out("with_fifo"))
    expect(code == 2, f"run.log is a pipe: {code} {errors}")

    evil = "\x1b[31m\x07\x9b\u202eevil\n"
    for words in (["check", "/nowhere/" + evil], ["check", small, "--set", "materials." + evil + "=1"], ["check", small, "--set", "title=" + evil],
                  ["info", evil], ["run", "--" + evil], [evil], ["check", small, "--set", "boundaries.b" + evil + ".type=plane"]):
        ended = subprocess.run([place.scree.program, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=LONGEST)
        shown = ended.stdout + ended.stderr
        bad = [c for c in shown.decode() if (ord(c) < 32 and c not in "\n\t") or 127 <= ord(c) < 160 or c == "\u202e"]
        expect(not bad, f"{words}: {shown}")
    code, errors = place.scree.run(small, place.out("named"), "--set", 'boundaries={"a\\u001bb": {"type": "plane", "point": [0, 0, 0], "normal": [0, 0, 1], "material": "glass"}}')
    expect(code == 2 and "must not hold control characters" in errors, f"{code}: {errors}")


def limited_files(place):
    """A limit on the size of files is reported with a sentence, and the state is saved if possible."""
    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (40000, resource.RLIM_INFINITY))

    code, errors = place.scree.run(small, place.out("limited"), "--set", "output.series.every=1e-5", "--steps", "900", preexec_fn=limit,
                                   restore_signals=True)
    expect(code == 3 and errors.count("\n") == 1 and "series.csv: cannot be written: File too large" in errors, f"{code}: {errors}")
    saved = [word for word in errors.split() if word.startswith("checkpoints/")]
    expect(saved and os.path.exists(place.out("limited/" + saved[0])), f"the state is not saved: {errors}")
    check_folder(place.scree, place.out("limited"), temporary_files=False)
    more = ("--set", "output.series.every=1e-5", "--steps", "900")
    for name, resume in (("limited", ["--resume"]), ("unlimited", [])):
        code, errors = place.scree.run(small, place.out(name), *more, *resume)
        expect(code == 0, errors)
    expect_same_results(place.out("limited"), place.out("unlimited"))


def read_only(place):
    """A folder on a read-only file system is refused with a sentence."""
    os.makedirs(fresh(place.out("mounted")))
    script = 'mount -t tmpfs scree_test "$1" && "$2" version > "$1/file" && mount -o remount,ro "$1" && shift && exec "$@"'
    for more in ((), ("--resume",)):
        command = ["unshare", "-rm", "sh", "-c", script, "sh", place.out("mounted"), *place.scree.command(small, place.out("mounted"), *more)]
        ended = subprocess.run(command, stderr=subprocess.PIPE, timeout=LONGEST)
        if b"unshare" in ended.stderr or b"mount:" in ended.stderr:
            print("read_only needs a mount namespace, which is not allowed here:", ended.stderr.decode().strip())
            return
        expect(ended.returncode == 2 and b"Read-only file system" in ended.stderr, f"{ended}")


def names(place):
    """Boundaries whose names are nearly the same have files of their own."""
    blade = '{"type": "mesh", "file": "%s", "material": "glass", "motion": [{"type": "rotation", "axis": [0, 0, 1], "rate": 20}]}' % (
        os.path.abspath(os.path.join(here, "..", "resume", "blade.obj")))
    all_names = ["gate", "gate.vtkhdf.series", "gate.vtkhdf", "GATE", "a/b", "a:b", "..", "CON"]
    setting = "boundaries={" + ", ".join(f'"{name}": {blade}' for name in all_names) + "}"
    code, errors = place.scree.run(small, place.out("names"), "--set", setting, "--set", "particles.0.velocity=[0,0,0]", "--steps", "60")
    expect(code == 0, errors)
    inner = os.listdir(place.out("names/boundaries"))
    expect(len({name.lower() for name in inner}) == len(inner) == 2 * len(all_names), f"{sorted(inner)}")


def test(arguments):
    place = Place(Scree(arguments[0]), arguments[1], os.path.realpath(arguments[2]))
    os.makedirs(fresh(place.folder))
    code, errors = place.scree.run(case, place.out("whole"), *steps)
    expect(code == 0, errors)
    chosen = arguments[3:]
    for part in (signals, second_signal, closed_terminal, locks, vanished, results_of_commands, odd_input, limited_files, read_only, names):
        if not chosen or part.__name__ in chosen:
            part(place)
            print(part.__name__, "is kept", flush=True)


main(test, "process.py SCREE LIBRARY FOLDER [PART...]")
