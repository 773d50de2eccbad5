"""A boundary of a simulation: its loads, and how it is moved."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy
from numpy.typing import NDArray

from .checks import number, vector
from .closed import Closed

if TYPE_CHECKING:
    from . import _engine

__all__ = ["SteeredBoundary"]

Vector = tuple[float, float, float]


class SteeredBoundary(Closed):
    """A boundary while the simulation runs. Loads are those of the last step.

    Only boundaries that have a `motion` or a `drive` in the case can be moved: the engine treats the others as at rest
    for good. A motion with a velocity of 0 is enough.
    """

    _attributes = frozenset({"name"})

    def __init__(self, run: _engine.Run, index: int, name: str, changed: Callable[[], None]) -> None:
        self._run = run
        self._index = index
        self._changed = changed
        self.name = name

    def load(self) -> dict[str, Any]:
        """force [N], torque [N m], work [J], and of a driven boundary shift [m], velocity, angle [rad], rate. Of a
        cylinder that holds a radial stress growth of the radius [m], growth_rate and radial_force [N]."""
        return self._run.boundary_loads()[self.name]

    @property
    def force(self) -> Vector:
        """[N] of the particles on the boundary"""
        force: Vector = self.load()["force"]
        return force

    @property
    def torque(self) -> Vector:
        """[N m] of these forces about the origin of the world"""
        torque: Vector = self.load()["torque"]
        return torque

    @property
    def work(self) -> float:
        """[J] of the boundary on the particles so far"""
        return float(self.load()["work"])

    @property
    def vertices(self) -> NDArray[numpy.float64]:
        """[n, 3] [m] of its surface now (a copy); planes have none"""
        vertices: NDArray[numpy.float64] = self._run.boundary_vertices(self._index)
        return vertices

    def move(self, velocity: Sequence[float]) -> None:
        """From now on it moves with this velocity [m/s], instead of its motion so far."""
        self._run.set_translation(self._index, vector(velocity, "velocity"))
        self._changed()

    def rotate(self, rate: float, axis: Sequence[float] = (0, 0, 1), origin: Sequence[float] = (0, 0, 0)) -> None:
        """From now on it turns at `rate` [rad/s] about an axis through `origin` [m], instead of its motion so far."""
        self._run.set_rotation(self._index, vector(axis, "axis"), vector(origin, "origin"), number(rate, "rate"))
        self._changed()

    def drive(self, force: Sequence[float] = (0, 0, 0), torque: float = 0.0) -> None:
        """Sets the force [N] and the torque [N m] that drive it, instead of those of its `drive` in the case."""
        self._run.set_drive(self._index, vector(force, "force"), number(torque, "torque"))
        self._changed()

    def slide(
        self,
        velocity: Sequence[float] | None = None,
        *,
        rate: float = 0,
        axis: Sequence[float] = (0, 0, 1),
        origin: Sequence[float] = (0, 0, 0),
    ) -> None:
        """From now on its surface moves relative to it, as that of a belt, instead of its `surface_motion` so far.

        It moves with `velocity` [m/s], and turns at `rate` [rad/s] about an axis through `origin` [m]. Without either
        it stands still. The case must give the boundary a `surface_motion`.
        """
        self._run.set_surface(
            self._index, None if velocity is None else vector(velocity, "velocity"), vector(axis, "axis"),
            vector(origin, "origin"), number(rate, "rate"),
        )  # fmt: skip
        self._changed()

    def heat(self, *, temperature: float | None = None, flux: float | None = None) -> None:
        """From now on it has this temperature [K], or heats the particles that touch it with this flux [W/m2].

        Without either no heat passes. The case must have `heat`.
        """
        self._run.set_boundary_heat(
            self._index,
            None if temperature is None else number(temperature, "temperature"),
            None if flux is None else number(flux, "flux"),
        )
        self._changed()

    def remove(self) -> None:
        """Takes it out of the run: nothing touches it until `put_back`. Its contacts lose their springs."""
        self._run.set_present(self._index, False)
        self._changed()

    def put_back(self) -> None:
        """Puts it back, where its motion has meanwhile taken it."""
        self._run.set_present(self._index, True)
        self._changed()

    def __repr__(self) -> str:
        return f"<boundary {self.name}>"
