"""What can be changed of a simulation between two steps."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterator, Sequence

import numpy
from numpy.typing import ArrayLike

from .bodies import Bodies
from .checks import number, vector
from .names import Named, unknown_name
from .state import Array, State
from .steered_boundary import SteeredBoundary

__all__ = ["Steering"]


class Steering(State):
    """A run whose state, boundaries and forces can be set. The next step then searches for neighbours."""

    def __init__(self) -> None:
        super().__init__()
        self._editing = False

    def _refuse_in_edit(self) -> None:
        """Raises ValueError within edit(): what is written there becomes the state at its end."""
        if self._editing:
            raise ValueError("the bodies are edited: end the block of edit() first")

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
        self._refuse_in_edit()
        numbers = _ids(self.ids if ids is None else ids)
        rows = [_rows(values, len(numbers), 3) for values in (positions, velocities, angular_velocities)]
        self._run.set_bodies(numbers, *rows)
        self._changed()

    @property
    def positions(self) -> Array:
        """[n, 3] [m]; may be assigned: an array of this shape sets all particles"""
        return self._snapshot()["position"]  # type: ignore[no-any-return]

    @positions.setter
    def positions(self, values: ArrayLike) -> None:
        self.set(positions=values)

    @property
    def velocities(self) -> Array:
        """[n, 3] [m/s]; may be assigned likewise"""
        return self._snapshot()["velocity"]  # type: ignore[no-any-return]

    @velocities.setter
    def velocities(self, values: ArrayLike) -> None:
        self.set(velocities=values)

    @property
    def angular_velocities(self) -> Array:
        """[n, 3] [rad/s] in world axes; may be assigned likewise"""
        return self._snapshot()["angular_velocity"]  # type: ignore[no-any-return]

    @angular_velocities.setter
    def angular_velocities(self, values: ArrayLike) -> None:
        self.set(angular_velocities=values)

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
        self._refuse_in_edit()
        numbers = _ids(self.clumps.ids if ids is None else ids)
        n = len(numbers)
        self._run.set_clumps(
            numbers, _rows(positions, n, 3), _rows(orientations, n, 4), _rows(velocities, n, 3),
            _rows(angular_velocities, n, 3),
        )  # fmt: skip
        self._changed()

    @property
    def gravity(self) -> tuple[float, float, float]:
        """[m/s2] the present one; may be assigned"""
        return self._run.gravity

    @gravity.setter
    def gravity(self, value: Sequence[float]) -> None:
        self._run.set_gravity(vector(value, "gravity"))
        self._changed()

    @property
    def boundaries(self) -> Named[SteeredBoundary]:
        """By name: loads, and motion. A KeyError says which there are."""
        names = enumerate(self._run.boundary_names)
        return Named("boundary", {name: SteeredBoundary(self._run, i, name, self._changed) for i, name in names})

    def set_group(
        self,
        name: str,
        *,
        fixed: Sequence[str] | None = None,
        velocity: Sequence[float] | None = None,
        angular_velocity: Sequence[float] | None = None,
        rate: float | None = None,
        axis: Sequence[float] = (0, 0, 1),
        origin: Sequence[float] = (0, 0, 0),
        force: Sequence[float] | None = None,
        torque: Sequence[float] | None = None,
        damping: float | None = None,
        gravity: bool | None = None,
    ) -> None:
        """Changes what holds for the particles of a group, as a stage of a case does; what is None stays.

        `fixed` names components of "x", "y", "z", "rx", "ry", "rz" that keep their velocity from now on; all others are
        free. `velocity` [m/s] and `angular_velocity` [rad/s] are imposed on fixed components. With `rate` [rad/s] the
        group turns about an `axis` through `origin` [m]; all six components must be fixed. `force` [N] and `torque`
        [N m] act on each particle.
        """
        self._run.set_group(
            self._group(name),
            None if fixed is None else _fixed_bits(fixed),
            None if velocity is None else vector(velocity, "velocity"),
            None if angular_velocity is None else vector(angular_velocity, "angular_velocity"),
            None if rate is None else _unit(axis),
            vector(origin, "origin"),
            0.0 if rate is None else number(rate, "rate"),
            None if force is None else vector(force, "force"),
            None if torque is None else vector(torque, "torque"),
            None if damping is None else number(damping, "damping"),
            gravity,
        )
        self._changed()

    def join_group(self, name: str, ids: ArrayLike) -> None:
        """Particles leave their groups and join this one; "": they then belong to no group with a name.

        A group that is fixed or turns imposes its motion on them. A clump joins with the id of its first sphere.
        """
        self._run.join_group(self._group(name), _ids(ids))
        self._changed()

    def _group(self, name: str) -> int:
        """The index of a group in the scene."""
        names = self._run.group_names
        if name not in names:
            raise ValueError(f'there is no group "{name}": {unknown_name(name, [n for n in names if n])}')
        return names.index(name)

    def set_friction(self, first: str, second: str, value: float) -> None:
        """Sets the friction [-] of two materials; "*" stands for all. Contacts keep their springs."""
        names = self._run.material_names
        for name in (first, second):
            if name != "*" and name not in names:
                raise ValueError(f'there is no material "{name}": {unknown_name(name, names)}')
        rows, columns = ([k for k, n in enumerate(names) if name in ("*", n)] for name in (first, second))
        self._run.set_friction([(i, k, float(value)) for i in rows for k in columns])
        self._changed()

    @property
    def damping(self) -> float:
        """[-] Cundall's damping of all particles that no group damps, and of driven boundaries; may be assigned"""
        return self._run.damping[0]

    @damping.setter
    def damping(self, value: float) -> None:
        self._set_damping(float(value), self.viscous_damping)

    @property
    def viscous_damping(self) -> float:
        """[1/s] rate of the viscous damping; may be assigned if the case has groups or viscous damping"""
        return self._run.damping[1]

    @viscous_damping.setter
    def viscous_damping(self, value: float) -> None:
        self._set_damping(self.damping, float(value))

    def _set_damping(self, damping: float, viscous: float) -> None:
        self._run.set_damping(damping, viscous)
        self._changed()

    def set_time_step(self, step: float | None = None, *, safety: float | None = None) -> None:
        """Sets the time step of a case whose step is adaptive.

        From now on all steps have the length `step` [s], or with `safety` they follow the contacts again, as this
        fraction [-] of the critical step.
        """
        if (step is None) == (safety is None):
            raise ValueError("give either a step or a safety")
        if step is not None and not step > 0:
            raise ValueError(f"a step must be greater than 0, got {step}")
        self._run.set_time_step(float(step or 0), float(1 if safety is None else safety))
        self._changed()

    @contextlib.contextmanager
    def edit(self) -> Iterator[Bodies]:
        """The engine's own arrays, in which position, velocity and angular_velocity may be written.

        >>> with sim.edit() as bodies:
        ...     bodies.velocities[bodies.positions[:, 2] > 0.1] *= 0.5

        Members of clumps follow their clumps: what is written to them is lost. What is written becomes the state at the
        end of the block, so the simulation makes no steps within it.
        """
        self._refuse_in_edit()
        self._run.begin_edit()
        self._editing = True
        bodies = Bodies(self._run, self._moment, lambda: self._moment, writable=True)
        try:
            yield bodies
        finally:
            self._editing = False
            self._run.end_edit()
            self._changed()


def _fixed_bits(components: Sequence[str]) -> int:
    """The bits of the components of motion that are fixed. Raises ValueError for a name that is none of them."""
    names = ("x", "y", "z", "rx", "ry", "rz")
    if isinstance(components, str):
        raise ValueError(f'fixed: a list of names is needed, such as ["x", "y"], got "{components}"')
    for component in components:
        if component not in names:
            raise ValueError(f'fixed: "{component}" is none of {", ".join(names)}')
    return sum(1 << names.index(component) for component in set(components))


def _unit(axis: Sequence[float]) -> tuple[float, float, float]:
    """The direction of an axis. Raises ValueError if it has none."""
    x, y, z = vector(axis, "axis")
    length = math.hypot(x, y, z)
    if not length > 0:
        raise ValueError("axis: the axis must not be zero")
    return x / length, y / length, z / length


def _ids(values: ArrayLike) -> Array:
    """[n] ids as the engine takes them. A conversion would make ids of a mask, of fractions and of negative numbers."""
    array = numpy.atleast_1d(numpy.asarray(values))
    if array.dtype == bool:
        raise ValueError("ids are numbers, but these are true or false: ids[mask] are those of a mask")
    if array.ndim != 1 or (array.size and array.dtype.kind not in "iu"):
        raise ValueError("ids must be a list of whole numbers")
    if array.size and not 0 <= int(array.min()) <= int(array.max()) < 2**32:
        wrong = int(array.min()) if array.min() < 0 else int(array.max())
        raise ValueError(f"there is no particle {wrong} in the run")
    return numpy.ascontiguousarray(array, dtype=numpy.uint32)


def _rows(values: ArrayLike | None, n: int, columns: int) -> Array | None:
    """Values as [n, columns]; a single row stands for all."""
    if values is None:
        return None
    array = numpy.asarray(values, dtype=numpy.float64)
    if array.shape not in ((columns,), (n, columns)):
        raise ValueError(f"an array of shape ({n}, {columns}) or ({columns},) is needed, got {array.shape}")
    return numpy.ascontiguousarray(numpy.broadcast_to(array, (n, columns)))
