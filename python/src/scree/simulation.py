"""A case that runs inside Python."""

from __future__ import annotations

import contextlib
import math
import os
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, TypeVar

import numpy
from numpy.typing import ArrayLike, NDArray

from . import _engine
from .bodies import Bodies
from .case import Case
from .errors import warn
from .progress import ProgressFunction, ProgressLine, progress_function
from .results import Results
from .steered_boundary import SteeredBoundary

__all__ = ["Clumps", "Simulation"]

Array = NDArray[numpy.float64]
Callback = Callable[["Simulation"], object]
F = TypeVar("F", bound=Callable[..., object])


class Clumps:
    """Clumps and level-set grains at one moment, in ascending order of id; copies."""

    def __init__(self, arrays: Mapping[str, Any]) -> None:
        self.ids: NDArray[numpy.uint32] = arrays["id"]  #: clumps have ids of their own
        self.shapes: NDArray[numpy.uint32] = arrays["shape"]  #: number of the shape in the case
        self.first: NDArray[numpy.uint32] = arrays["first"]  #: id of the first member; those of the others follow
        self.members: NDArray[numpy.uint32] = arrays["members"]  #: number of members
        self.masses: Array = arrays["mass"]  #: [kg]
        self.inertias: Array = arrays["inertia"]  #: [n, 3] [kg m2] principal moments
        self.positions: Array = arrays["position"]  #: [n, 3] [m] centres of mass
        self.orientations: Array = arrays["orientation"]  #: [n, 4] w, x, y, z: principal axes -> world
        self.velocities: Array = arrays["velocity"]  #: [n, 3] [m/s]
        self.angular_velocities: Array = arrays["angular_velocity"]  #: [n, 3] [rad/s] world axes
        self.amplitudes: list[Array] = arrays["amplitude"]  #: [m] of the modes of each grain; empty if it is rigid

    def __len__(self) -> int:
        return len(self.ids)


class Simulation:
    """A case that runs in this process, with the same bits as `scree run`.

    >>> with scree.Simulation("configs/hopper.json", out="out/hopper") as sim:
    ...     sim.run()                       # to the end, with a progress line on a terminal
    >>> sim = scree.Simulation(case)        # without `out` nothing is written
    >>> sim.step(1000)
    >>> sim.positions[:, 2].max()

    case: a Case, a path of a case file, or a dict.
    out: folder of the results; its rules are those of `scree run --out`.
    backend: "auto" (a GPU if one can be used), "host" or "cuda"; device: number of the GPU.
    threads: of the host backend; 0: all cores. No result depends on it.
    steps: number of steps instead of the duration of the case.
    resume: continues the run in `out` from its newest checkpoint.

    Particles are named by their ids: numbers from 0 in the order of the case, which never change. Velocities belong to
    the middle of the last step, forces and contacts to the last step.
    """

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
    ) -> None:
        self.case = case if isinstance(case, Case) else Case(case)
        self.out = None if out is None else Path(out)
        if resume and out is None:
            raise ValueError("resume: a run is resumed in its output folder, so `out` must name it")
        self.log: list[str] = []  #: what the engine said; warnings are also those of Python
        name = str(self.case.file) if self.case.file is not None else "(made in Python)"
        self._run = _engine.Run(
            self.case.text(), str(self.case.folder), [], name, "" if out is None else os.fspath(out), backend, threads,
            device, steps, resume,
        )  # fmt: skip
        self._moment = 0  # counts every change of the state
        self._kept: tuple[Any, dict[str, Any]] = (None, {})  # the last snapshot
        self._callbacks: list[tuple[int, Callback]] = []
        self._stopped = False
        self._gravity: tuple[float, float, float] = self._run.gravity
        self._finalizer = weakref.finalize(self, _finish, self._run)
        self._say()

    # Running

    def run(self, *, steps: int | None = None, until: float | None = None,
            progress: bool | ProgressFunction | None = None) -> Simulation:  # fmt: skip
        """Runs to the end of the case, by a number of steps, or until a time [s].

        progress: None shows a line if standard error is a terminal, False never, True always; a function is called with
        a dict several times a second. Ctrl-C raises KeyboardInterrupt between two steps; with `out` a checkpoint is
        written first, and the simulation can go on.
        """
        target = self._run.last_step
        if steps is not None:
            target = min(target, self._run.step + _count(steps))
        if until is not None:
            target = min(target, self._step_at(until))
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
        """Makes `steps` steps, or fewer at the end of the case. Many steps in one call cost less than many calls."""
        self._advance(min(self._run.last_step, self._run.step + _count(steps)), None)
        return self

    def every(self, steps: int, function: F | None = None) -> Any:
        """Calls function(simulation) after each step whose number is divisible by `steps`; also as a decorator.

        >>> @sim.every(100)
        ... def control(sim):
        ...     sim.boundaries["lid"].move([0, 0, -0.1 if sim.boundaries["lid"].force[2] < 50 else 0])

        Rows and frames that are due at that step are written before. `stop()` ends the run after the call.
        """
        interval = _count(steps)
        if interval == 0:
            raise ValueError("every: the number of steps must be positive")

        def register(called: F) -> F:
            self._callbacks.append((interval, called))
            return called

        return register if function is None else register(function)

    def stop(self) -> None:
        """Ends the present run() or step(), for use in callbacks."""
        self._stopped = True

    def _advance(self, target: int, show: ProgressFunction | None) -> None:
        self._stopped = False
        while self._run.step < target and not self._run.over and not self._stopped:
            step = self._run.step
            due = min([target, *((step // interval + 1) * interval for interval, _ in self._callbacks)])
            try:
                self._run.advance(due, show)
            finally:
                self._moment += 1
                self._say()
            for interval, function in list(self._callbacks):
                if self._run.step % interval == 0:
                    function(self)
        if self._run.over:
            self.close()

    def _step_at(self, time: float) -> int:
        if self._run.adaptive:
            raise ValueError("until: a run with an adaptive step counts steps, not times, beforehand: give steps")
        return math.ceil(time / self._run.time_step - 1e-9)

    def close(self) -> None:
        """Ends the run: the last row, frame and checkpoint, and the summary in run.log. State can still be read.

        A run that is closed before its end can be resumed, here or by `scree run --resume`.
        """
        if self.out is not None and not self._run.closed:
            self._run.finish("the program that ran it")
        self._say()
        self._finalizer.detach()

    def __enter__(self) -> Simulation:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None or not self._run.closed:
            self.close()

    def _say(self) -> None:
        for line in self._run.take_messages().splitlines():
            self.log.append(line)
            if line.startswith("warning: "):
                warn(line.removeprefix("warning: "))

    # Where it stands

    @property
    def steps_made(self) -> int:
        return self._run.step

    @property
    def time(self) -> float:
        """[s]"""
        return self._run.time

    @property
    def time_step(self) -> float:
        """[s] (of a run with an adaptive step: the first one)"""
        return self._run.time_step

    @property
    def last_step(self) -> int:
        """Number of the step at which the run ends at the latest."""
        return self._run.last_step

    @property
    def over(self) -> bool:
        """Whether the run has come to its end."""
        return self._run.over

    @property
    def backend(self) -> str:
        """Such as "host, 2 threads"."""
        return self._run.backend

    @property
    def results(self) -> Results:
        """What was written to `out` so far."""
        if self.out is None:
            raise ValueError("the simulation writes nothing: give it a folder, as in Simulation(case, out=...)")
        return Results(self.out)

    def hash(self) -> str:
        """Hash of the state: equal for equal cases at equal steps, here and on the command line."""
        return self._run.hash()

    # State, as copies in ascending order of id

    def _snapshot(self, *requests: str) -> dict[str, Any]:
        moment, kept = self._kept
        wanted = {"force": False, "coordination": False, "damage": False, **dict.fromkeys(requests, True)}
        names = {"force": "force", "coordination": "coordination_number", "damage": "damage"}
        if moment != self._moment or any(wanted[key] and names[key] not in kept for key in wanted):
            kept = self._run.snapshot(**wanted)
            for value in kept.values():
                if isinstance(value, numpy.ndarray):
                    value.setflags(write=False)
            self._kept = (self._moment, kept)
        return kept

    @property
    def ids(self) -> NDArray[numpy.uint32]:
        """[n] of the particles that are in the run, ascending; all arrays below have this order"""
        return self._snapshot()["id"]  # type: ignore[no-any-return]

    @property
    def positions(self) -> Array:
        """[n, 3] [m]. To change them assign an array of this shape, or call set()."""
        return self._snapshot()["position"]  # type: ignore[no-any-return]

    @positions.setter
    def positions(self, values: ArrayLike) -> None:
        self.set(positions=values)

    @property
    def velocities(self) -> Array:
        """[n, 3] [m/s]; may be assigned like positions"""
        return self._snapshot()["velocity"]  # type: ignore[no-any-return]

    @velocities.setter
    def velocities(self, values: ArrayLike) -> None:
        self.set(velocities=values)

    @property
    def angular_velocities(self) -> Array:
        """[n, 3] [rad/s] in world axes; may be assigned like positions"""
        return self._snapshot()["angular_velocity"]  # type: ignore[no-any-return]

    @angular_velocities.setter
    def angular_velocities(self, values: ArrayLike) -> None:
        self.set(angular_velocities=values)

    @property
    def radii(self) -> Array:
        """[n] [m]"""
        return self._snapshot()["radius"]  # type: ignore[no-any-return]

    @property
    def materials(self) -> NDArray[numpy.uint32]:
        """[n] numbers of materials, in the order of `material_names`"""
        return self._snapshot()["material"]  # type: ignore[no-any-return]

    @property
    def material_names(self) -> list[str]:
        return self._run.material_names

    @property
    def forces(self) -> Array:
        """[n, 3] [N] sums of the contact forces of the last step"""
        return self._snapshot("force")["force"]  # type: ignore[no-any-return]

    @property
    def coordination_numbers(self) -> NDArray[numpy.uint32]:
        """[n] touching particles and boundaries"""
        return self._snapshot("coordination")["coordination_number"]  # type: ignore[no-any-return]

    @property
    def damage(self) -> Array:
        """[n] broken share of the bonds that each particle had at the start"""
        return self._snapshot("damage")["damage"]  # type: ignore[no-any-return]

    @property
    def clumps(self) -> Clumps:
        """Clumps and level-set grains."""
        return Clumps(self._snapshot()["clumps"])

    @property
    def cell(self) -> dict[str, Any] | None:
        """The periodic cell: edges [3, 3] [m], origin, deformation, velocity_gradient [1/s], volume [m3], stage."""
        return self._run.cell()

    def contacts(self) -> dict[str, NDArray[Any]]:
        """All touching contacts of the last step, those between particles first.

        first, second: ids; where `with_boundary`, `first` is a number in the order of `boundaries`. force [N] acts on
        the second, normal points to it, point [m] is the contact point, branch [m] goes from centre to centre.
        """
        return self._run.contacts()

    def counts(self) -> dict[str, Any]:
        """particles, clumps, contacts, wall_contacts, bonds..., and "removed": number and mass [kg] by outlet."""
        return self._run.counts()

    def energies(self) -> dict[str, float]:
        """[J] terms of the energy ledger, for cases with output.series.energies."""
        return self._run.energies()

    @property
    def critical_step(self) -> float:
        """[s] largest stable time step of the present contacts; infinite if nothing touches"""
        return float(self._run.critical_step()["value"])

    def limiting_particle(self) -> dict[str, Any]:
        """What limits the critical step: particle, its radius, material, contacts, partner; empty without contacts."""
        return {key: value for key, value in self._run.critical_step().items() if key != "value"}

    def overlap(self) -> dict[str, float]:
        """Largest overlap over the smaller radius, at the last check of the contacts (every 200 steps) and so far."""
        watch = self._run.watch()
        return {"last": watch["overlap"], "most": watch["most_overlap"]}

    def stage_times(self) -> dict[str, float]:
        """[s] wall time of each kind of work so far."""
        return self._run.stage_times()

    # State, without copies

    def bodies(self) -> Bodies:
        """The engine's own arrays, read-only, until the next step; see Bodies."""
        return Bodies(self._run, self._moment, lambda: self._moment, writable=False)

    @contextlib.contextmanager
    def edit(self) -> Iterator[Bodies]:
        """The engine's own arrays, in which position, velocity and angular_velocity may be written.

        >>> with sim.edit() as bodies:
        ...     bodies.velocity[bodies.position[:, 2] > 0.1] *= 0.5

        Members of clumps follow their clumps: what is written to them is lost.
        """
        self._run.begin_edit()
        bodies = Bodies(self._run, self._moment, lambda: self._moment, writable=True)
        try:
            yield bodies
        finally:
            self._run.end_edit()
            self._moment += 1

    # Steering

    def set(
        self,
        ids: ArrayLike | None = None,
        *,
        positions: ArrayLike | None = None,
        velocities: ArrayLike | None = None,
        angular_velocities: ArrayLike | None = None,
    ) -> None:
        """Sets places and velocities of single spheres, those of `ids` or all; what is None stays.

        All contacts keep their histories. Overlaps are not checked. The next step searches for neighbours.
        """
        chosen = self.ids if ids is None else ids
        numbers = numpy.ascontiguousarray(numpy.atleast_1d(numpy.asarray(chosen)), dtype=numpy.uint32)
        rows = [_rows(values, len(numbers), 3) for values in (positions, velocities, angular_velocities)]
        self._run.set_bodies(numbers, *rows)
        self._moment += 1

    def set_clumps(
        self,
        ids: ArrayLike | None = None,
        *,
        positions: ArrayLike | None = None,
        orientations: ArrayLike | None = None,
        velocities: ArrayLike | None = None,
        angular_velocities: ArrayLike | None = None,
    ) -> None:
        """The same for clumps and level-set grains by their own ids: see `clumps`. Their members follow."""
        chosen = self.clumps.ids if ids is None else ids
        numbers = numpy.ascontiguousarray(numpy.atleast_1d(numpy.asarray(chosen)), dtype=numpy.uint32)
        n = len(numbers)
        self._run.set_clumps(
            numbers, _rows(positions, n, 3), _rows(orientations, n, 4), _rows(velocities, n, 3),
            _rows(angular_velocities, n, 3),
        )  # fmt: skip
        self._moment += 1

    @property
    def gravity(self) -> tuple[float, float, float]:
        """[m/s2]; may be assigned"""
        return self._gravity

    @gravity.setter
    def gravity(self, value: Sequence[float]) -> None:
        x, y, z = (float(v) for v in value)
        self._run.set_gravity((x, y, z))
        self._gravity = (x, y, z)
        self._moment += 1

    @property
    def boundaries(self) -> dict[str, SteeredBoundary]:
        """By name: loads, and motion."""

        def changed() -> None:
            self._moment += 1

        names = self._run.boundary_names
        return {name: SteeredBoundary(self._run, i, name, changed) for i, name in enumerate(names)}

    def set_group(self, name: str, *, force: Sequence[float] = (0, 0, 0), torque: Sequence[float] = (0, 0, 0)) -> None:
        """Sets the force [N] and the torque [N m] on each particle of a group, instead of those in the case."""
        names = self._run.group_names
        if name not in names:
            raise ValueError(f'there is no group "{name}", only {", ".join(n for n in names if n) or "none"}')
        self._run.set_group(names.index(name), [float(v) for v in force], [float(v) for v in torque])
        self._moment += 1

    # Saving

    def save(self) -> _engine.SavedState:
        """The whole state, in memory: restore() puts this simulation, or another one of the same case, back there.

        `state.names` and `state[name]` show its arrays. Gravity, motions and forces that were set are not in it.
        """
        return self._run.save()

    def restore(self, state: _engine.SavedState) -> None:
        """Puts back a saved state; all later steps have the same bits. Only for simulations without `out`."""
        self._run.restore(state)
        self._moment += 1

    def checkpoint(self) -> Path:
        """Writes a checkpoint into `out` now, from which `resume=True` and `scree run --resume` go on."""
        if self.out is None:
            raise ValueError(
                "a checkpoint needs a folder, as in Simulation(case, out=...); save() keeps a state in memory"
            )
        return Path(self._run.write_checkpoint())

    def __repr__(self) -> str:
        return f"<simulation at step {self._run.step} of {self._run.last_step}, t = {self.time:g} s, {self.backend}>"


def _count(steps: int) -> int:
    number = int(steps)
    if number < 0 or number != steps:
        raise ValueError(f"a number of steps must be a whole number that is not negative, got {steps}")
    return number


def _rows(values: ArrayLike | None, n: int, columns: int) -> Array | None:
    """Values as [n, columns]; a single row stands for all."""
    if values is None:
        return None
    array = numpy.asarray(values, dtype=numpy.float64)
    if array.shape not in ((columns,), (n, columns)):
        raise ValueError(f"an array of shape ({n}, {columns}) or ({columns},) is needed, got {array.shape}")
    return numpy.ascontiguousarray(numpy.broadcast_to(array, (n, columns)))


def _finish(run: _engine.Run) -> None:
    """Ends a run that was forgotten, so that its folder is complete."""
    with contextlib.suppress(Exception):
        if not run.closed:
            run.finish("the end of the program that ran it")
