"""A case that runs inside Python."""

from __future__ import annotations

import contextlib
import json
import math
import os
import weakref
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, TypeVar

from . import _engine
from .callbacks import Callbacks
from .case import Case
from .checks import MOST_STEPS, count
from .errors import warn
from .program import most_threads
from .progress import ProgressFunction, ProgressLine, progress_function
from .results import Results
from .steering import Steering

__all__ = ["Simulation"]

F = TypeVar("F", bound=Callable[..., object])


class Simulation(Steering):
    """A case that runs in this process, with the same bits as `scree run`.

    >>> with scree.Simulation("configs/hopper.json", out="out/hopper") as sim:
    ...     sim.run()                       # to the end, with a progress line on a terminal
    >>> sim = scree.Simulation(case)        # without `out` nothing is written
    >>> sim.step(1000)
    >>> sim.positions[:, 2].max()

    case: a Case, a path of a case file, or a dict.
    out: folder of the results; its rules are those of `scree run --out`.
    backend: "auto" (a GPU if one can be used), "host" or "cuda"; device: number of the GPU.
    threads: of the host backend; 0: all cores, fewer for few particles. No result depends on it.
    steps: number of steps instead of the duration of the case.
    resume: continues the run in `out` from its newest checkpoint.
    overwrite: begins anew although the run in `out` was interrupted, and removes it with its checkpoints. Without this
        a CaseError says so, in the words of the command line. Results of a run that has ended are replaced anyway.

    Particles are named by their ids: numbers from 0 in the order of the case, which never change. Velocities belong to
    the middle of the last step, forces and contacts to the last step.
    """

    _attributes = frozenset({"case", "out", "log"})

    def __init__(
        self,
        case: Case | str | os.PathLike[str] | Mapping[str, Any],
        out: str | os.PathLike[str] | None = None,
        *,
        backend: Literal["auto", "host", "cuda"] = "auto",
        threads: int = 0,
        device: int | None = None,
        steps: int | None = None,
        resume: bool = False,
        overwrite: bool = False,
    ) -> None:
        self.case = case if isinstance(case, Case) else Case(case)
        self.out = None if out is None else Path(out)
        if out is not None and not os.fspath(out):
            raise ValueError("out: must be the name of a folder, but it is empty")
        if resume and out is None:
            raise ValueError("resume: a run is resumed in its output folder, so `out` must name it")
        self.log: list[str] = []  #: what the engine said; warnings are also those of Python
        name = str(self.case.file) if self.case.file is not None else "(made in Python)"
        self._run = _engine.Run(
            self.case.text(), str(self.case.folder), [], name, "" if out is None else os.fspath(out), str(backend),
            count(threads, "threads", most_threads()), None if device is None else count(device, "device", 9999),
            None if steps is None else count(steps, "steps"), bool(resume), bool(overwrite),
        )  # fmt: skip
        super().__init__()
        self._callbacks = Callbacks()
        self._stopped = False
        self._finalizer = weakref.finalize(self, _finish, self._run)
        self._say()

    def run(self, *, steps: int | None = None, until: float | None = None,
            progress: bool | ProgressFunction | None = None) -> Simulation:  # fmt: skip
        """Runs to the end of the case, by a number of steps, or until a time [s].

        A time that is over, or beyond the end of the case, is a ValueError; at the present time nothing is done.

        progress: None shows a line if standard error is a terminal, False never, True always; a function is called with
        a dict several times a second. Ctrl-C raises KeyboardInterrupt between two steps; with `out` a checkpoint is
        written first, and the simulation can go on.
        """
        target = self._run.last_step
        if steps is not None:
            target = min(target, self._run.step + count(steps))
        if until is not None:
            wanted = self._step_at(until)
            if wanted < self._run.step:
                raise ValueError(f"until: {until:g} s is over: the simulation is at {self.time:g} s "
                                 f"(step {self._run.step})")  # fmt: skip
            if wanted > self._run.last_step:
                raise ValueError(f"until: {until:g} s is beyond the end of the case at step {self._run.last_step}, "
                                 f"{self._run.last_step * self._run.time_step:g} s")  # fmt: skip
            target = min(target, wanted)
        show = progress_function(progress)
        try:
            self._advance(target, show)
        except KeyboardInterrupt:
            if self.out is not None and not self._run.closed:
                self._run.write_checkpoint()
            raise
        finally:
            if isinstance(show, ProgressLine):
                show.close()
        return self

    def step(self, steps: int = 1) -> Simulation:
        """Makes `steps` steps, or fewer at the end of the case. Many steps in one call cost less than many calls.

        At the end, where no step can be made, it is a ValueError: a loop that waits for a later time would never end.
        """
        if count(steps) > 0 and self._run.over:
            raise ValueError(f"step: the simulation is over, at {self.time:g} s (step {self._run.step}); "
                             "`over` tells it")  # fmt: skip
        self._advance(min(self._run.last_step, self._run.step + count(steps)), None)
        return self

    def every(self, steps: int, function: F | None = None) -> Any:
        """Calls function(simulation) after each step whose number is divisible by `steps`; also as a decorator.

        >>> @sim.every(100)
        ... def control(sim):
        ...     sim.boundaries["lid"].move([0, 0, -0.1 if sim.boundaries["lid"].force[2] < 50 else 0])

        Rows and frames that are due at that step are written before. `stop()` ends the run after the call.
        """
        interval = count(steps)
        if interval == 0:
            raise ValueError("every: the number of steps must be positive")

        def register(called: F) -> F:
            self._callbacks.add(interval, called, self._run.step)
            return called

        return register if function is None else register(function)

    def stop(self) -> None:
        """Ends the present run() or step() soon, between two steps: from a callback or another thread."""
        self._stopped = True
        self._run.request_stop()

    def _advance(self, target: int, show: ProgressFunction | None) -> None:
        self._callbacks.refuse("make steps")
        self._refuse_in_edit()
        self._stopped = False
        watched = None if show is None else self._callbacks.guarded(show, self._changed)
        self._callbacks.call_due(lambda: self._run.step, self)
        while self._run.step < target and not self._run.over and not self._stopped:
            due = self._callbacks.next_after(self._run.step)
            self._changed()  # another thread must not take what was read before for the present state
            try:
                self._run.advance(target if due is None else min(target, due), watched)
            finally:
                self._changed()
                self._say()
            self._callbacks.call_due(lambda: self._run.step, self)
        if self._run.over:
            self.close()

    def _step_at(self, time: float) -> int:
        if math.isnan(time):
            raise ValueError("until: must be a time [s], got nan")
        if math.isinf(time):
            return self._run.last_step if time > 0 else 0
        if self._adapts():
            raise ValueError("until: a run with an adaptive step counts steps, not times, beforehand: give steps")
        steps = time / self._run.time_step
        whole = abs(steps - round(steps)) <= 1e-9 * max(1.0, abs(steps))  # as the engine counts the steps of a duration
        return round(steps) if whole else math.ceil(steps)

    def _adapts(self) -> bool:
        """Whether steps differ in length: they follow the contacts, or a stage changes them."""
        case = json.loads(self._run.case_text)
        return bool(case["time"].get("adaptive")) or any(stage.get("time") for stage in case.get("stages") or [])

    def close(self) -> None:
        """Ends the run: the last row, frame and checkpoint, and the summary in run.log. State can still be read.

        A run that is closed before its end can be resumed, here or by `scree run --resume`.
        """
        self._callbacks.refuse("close the run")
        self._refuse_in_edit()
        if self.out is not None and not self._run.closed:
            self._run.finish("the program that ran it")
        self._say()
        self._finalizer.detach()

    def __enter__(self) -> Simulation:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self.close()
        elif not self._run.closed:
            try:
                self.close()
            except ValueError:  # the user's own error matters more
                if self._run.lent and _leave_checkpoint(self._run):
                    warn("the run was left while arrays of the engine's own memory were in use: a checkpoint was "
                         "written, but neither its last row nor its last frame")  # fmt: skip

    def _say(self) -> None:
        for line in self._run.take_messages().splitlines():
            self.log.append(line)
            if line.startswith("warning: "):
                warn(line.removeprefix("warning: "))

    @property
    def results(self) -> Results:
        """What was written to `out` so far."""
        if self.out is None:
            raise ValueError("the simulation writes nothing: give it a folder, as in Simulation(case, out=...)")
        return Results(self.out)

    def save(self) -> _engine.SavedState:
        """The whole state, in memory: restore() puts this simulation, or another one of the same case, back there.

        `state.names` and `state[name]` show its arrays. Gravity, motions and forces that were set are not in it.
        """
        self._refuse_in_edit()
        return self._run.save()

    def restore(self, state: _engine.SavedState) -> None:
        """Puts back a saved state; all later steps have the same bits. Only for simulations without `out`.

        Values that save() leaves out are not put back: set them again if the run had set some.
        """
        self._refuse_in_edit()
        try:
            self._run.restore(state)
        finally:
            self._changed()
        self._callbacks.go_back(self._run.step)

    def checkpoint(self) -> Path:
        """Writes a checkpoint into `out` now, from which `resume=True` and `scree run --resume` go on."""
        if self.out is None:
            raise ValueError(
                "a checkpoint needs a folder, as in Simulation(case, out=...); save() keeps a state in memory"
            )
        self._refuse_in_edit()
        return Path(self._run.write_checkpoint())

    def __repr__(self) -> str:
        last = self._run.last_step
        of = f" of {last}" if last < MOST_STEPS else ""  # of a run that ends at a time
        try:
            return f"<simulation at step {self._run.step}{of}, t = {self.time:g} s, {self.backend}>"
        except ValueError as error:  # it runs in another thread
            return f"<simulation: {error}>"


def _leave_checkpoint(run: _engine.Run) -> bool:
    """Writes a checkpoint of a run that cannot be ended; whether there is one."""
    with contextlib.suppress(Exception):
        run.write_checkpoint()
        return True
    return False


def _finish(run: _engine.Run) -> None:
    """Ends a run that was forgotten, so that its folder is complete."""
    if run.closed:
        return
    try:
        run.finish("the end of the program that ran it")
    except Exception:
        if run.lent:  # a view that the program has kept
            _leave_checkpoint(run)
