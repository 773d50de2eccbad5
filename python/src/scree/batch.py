"""Many runs of the program at a time, each in a folder of its own; what is done is not done again."""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .errors import ResultsError
from .program import InputError, program
from .results import Results

__all__ = ["Job", "Workers", "cores", "run_jobs"]


@dataclass
class Job:
    """One run: a case with some values replaced."""

    case: Path
    folder: Path
    settings: dict[str, str]  #: PATH -> VALUE, as for --set
    status: str = "waiting"  #: then "done", "failed" or "stopped"
    error: str = ""
    extra: dict[str, Any] = field(default_factory=dict)

    @property
    def log(self) -> Path:
        """What the program said on the terminal, where it failed."""
        return self.folder.with_name(self.folder.name + ".error")

    def look(self) -> str:
        """Finds out how far an earlier start has come."""
        if self.log.exists():
            self.error = self.log.read_text(encoding="utf-8").strip()
            self.status = "failed"
            return self.status
        try:
            found = Results(self.folder).status
        except ResultsError:
            found = "killed"
        self.status = "done" if found == "done" else "waiting"
        return self.status


@dataclass(frozen=True)
class Workers:
    """How many runs go on at a time, and what each may use."""

    jobs: int
    threads: int
    devices: tuple[int, ...] = ()

    @classmethod
    def choose(cls, jobs: int | None, threads: int | None, devices: Sequence[int], runs: int) -> Workers:
        """Shares the cores, or the GPUs, among the runs."""
        if devices:
            return cls(len(devices), threads or max(1, cores() // len(devices)), tuple(devices))
        n = jobs or max(1, min(runs, cores() // (threads or 1)))
        return cls(n, threads or max(1, cores() // n))


def cores() -> int:
    """Cores that this process may use, as the engine finds them: by affinity and by the quotas of control groups.
    Without the compiled engine only affinity counts."""
    try:
        from ._engine import granted_cores
    except ImportError:
        return len(os.sched_getaffinity(0))
    return granted_cores()


def _command(job: Job, workers: Workers, device: int | None) -> list[str]:
    words = [program(), "run", str(job.case), "--out", str(job.folder), "--quiet", "--threads", str(workers.threads)]
    for path, value in job.settings.items():
        words += ["--set", f"{path}={value}"]
    if device is not None:
        words += ["--backend", "cuda", "--device", str(device)]
    if any((job.folder / "checkpoints").glob("step_*.h5")):
        words.append("--resume")
    return words


class _Batch:
    """Threads that take jobs from a queue."""

    def __init__(self, jobs: Sequence[Job], workers: Workers, done: Callable[[Job], None]) -> None:
        self._queue: queue.SimpleQueue[Job] = queue.SimpleQueue()
        for job in jobs:
            self._queue.put(job)
        self._workers, self._done = workers, done
        self._running: set[subprocess.Popen[str]] = set()
        self._lock = threading.Lock()
        self._stopped = threading.Event()
        self.error: BaseException | None = None  #: what ended the batch, as a full disk or a reader that has gone

    def work(self, device: int | None) -> None:
        try:
            while not self._stopped.is_set():
                try:
                    job = self._queue.get_nowait()
                except queue.Empty:
                    return
                self._run(job, device)
                with self._lock:
                    self._done(job)
        except BaseException as error:  # a thread that just ended would leave its jobs out, and nobody would know
            self.error = self.error or error
            self.stop()

    def _run(self, job: Job, device: int | None) -> None:
        while not self._stopped.is_set() and _is_running(job):  # left by a batch that was killed
            time.sleep(0.2)
        if job.look() == "done" or self._stopped.is_set():
            return
        with self._lock:
            if self._stopped.is_set():
                return
            process = subprocess.Popen(_command(job, self._workers, device), stdout=subprocess.DEVNULL,
                                       stderr=subprocess.PIPE, text=True, encoding="utf-8", errors="replace",
                                       start_new_session=True)  # fmt: skip
            self._running.add(process)
        said = process.communicate()[1]
        with self._lock:
            self._running.discard(process)
        if self._stopped.is_set() and process.returncode != 0:
            job.status = "stopped"
        elif process.returncode == 0:
            job.status = "done"
        else:
            lines = [line.removeprefix("error: ") for line in said.splitlines() if line.startswith("error: ")]
            job.status = "failed"
            job.error = "; ".join(lines) or _ending(process.returncode)
            job.folder.parent.mkdir(parents=True, exist_ok=True)
            job.log.write_text(job.error + "\n", encoding="utf-8")

    def stop(self) -> None:
        """Lets no further run begin, and asks those that go on for a checkpoint and an end."""
        with self._lock:
            self._stopped.set()
            for process in self._running:
                process.send_signal(signal.SIGTERM)


def _ending(code: int) -> str:
    """What the exit code of a program tells that said nothing itself."""
    if code >= 0:
        return f"the program ended with code {code}"
    try:
        name = signal.Signals(-code).name
    except ValueError:
        name = f"signal {-code}"
    return f"the program was ended by {name}" + (", as when memory runs out" if name == "SIGKILL" else "")


def _is_running(job: Job) -> bool:
    try:
        return Results(job.folder).status == "running"
    except ResultsError:
        return False


#: Signals that ask a batch to end: Ctrl-C, a kill, the loss of the terminal.
_ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@contextmanager
def _caught_signals() -> Iterator[threading.Event]:
    """An event that is set by the first signal that asks for an end. A signal that is ignored (nohup) stays so, and
    only the main thread may catch any."""
    asked = threading.Event()
    main_thread = threading.current_thread() is threading.main_thread()
    caught = [s for s in _ENDING if signal.getsignal(s) != signal.SIG_IGN] if main_thread else []
    before = [(s, signal.signal(s, lambda *_: asked.set())) for s in caught]
    try:
        yield asked
    finally:
        for number, handler in before:
            signal.signal(number, handler)


def run_jobs(jobs: Sequence[Job], workers: Workers, done: Callable[[Job], None]) -> None:
    """Runs all jobs; `done` is called after each, one at a time. After SIGINT (Ctrl-C), SIGTERM or SIGHUP all runs end
    with a checkpoint, and then KeyboardInterrupt is raised. So they do where a run cannot be started or noted, and then
    that error is raised."""
    if not Path(program()).exists():
        raise InputError("the program scree was not found")
    batch = _Batch(jobs, workers, done)
    devices: list[int | None] = list(workers.devices) if workers.devices else [None] * workers.jobs
    threads = [threading.Thread(target=batch.work, args=(device,)) for device in devices]
    with _caught_signals() as asked:
        for thread in threads:
            thread.start()
        try:
            for thread in threads:
                while thread.is_alive() and not asked.is_set():
                    thread.join(0.2)
        finally:  # of the runs, too, where this thread is interrupted in another way
            if any(thread.is_alive() for thread in threads):
                batch.stop()
            for thread in threads:
                thread.join()
    if asked.is_set():
        raise KeyboardInterrupt
    if batch.error is not None:
        raise batch.error
