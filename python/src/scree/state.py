"""What can be read of a simulation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy
from numpy.typing import NDArray

from . import _engine
from .bodies import Bodies
from .closed import Closed

__all__ = ["Array", "Clumps", "State"]

Array = NDArray[numpy.float64]


class Clumps:
    """Clumps and level-set grains at one moment, in ascending order of id; copies, and read-only."""

    def __init__(self, arrays: Mapping[str, Any]) -> None:
        self.ids: NDArray[numpy.uint32] = arrays["id"]  #: clumps have ids of their own
        self.shapes: NDArray[numpy.uint32] = arrays["shape"]  #: number of the shape in the case
        self.first_members: NDArray[numpy.uint32] = arrays["first"]  #: ids of the first; those of the others follow
        self.member_counts: NDArray[numpy.uint32] = arrays["members"]  #: number of members
        self.first, self.members = self.first_members, self.member_counts  #: older names of these two
        self.masses: Array = arrays["mass"]  #: [kg]
        self.inertias: Array = arrays["inertia"]  #: [n, 3] [kg m2] principal moments
        self.positions: Array = arrays["position"]  #: [n, 3] [m] centres of mass
        self.orientations: Array = arrays["orientation"]  #: [n, 4] w, x, y, z: principal axes -> world
        self.velocities: Array = arrays["velocity"]  #: [n, 3] [m/s]
        self.angular_velocities: Array = arrays["angular_velocity"]  #: [n, 3] [rad/s] world axes
        self.amplitudes: list[Array] = arrays["amplitude"]  #: [m] of the modes of each grain; empty if it is rigid

    def __len__(self) -> int:
        return len(self.ids)

    def __repr__(self) -> str:
        return f"<{len(self)} clumps of {int(self.member_counts.sum())} members>"


class State(Closed):
    """A run at the present moment. All arrays but those of bodies() are copies, in ascending order of id."""

    _run: _engine.Run

    def __init__(self) -> None:
        self._moment = 0  # counts every change of the state
        self._kept: tuple[Any, dict[str, Any]] = (None, {})  # the last snapshot

    def _changed(self) -> None:
        """Notes that the state is another one now."""
        self._moment += 1

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

    def hash(self) -> str:
        """Hash of the state: equal for equal cases at equal steps, here and on the command line."""
        return self._run.hash()

    def _snapshot(self, *requests: str) -> dict[str, Any]:
        moment, kept = self._kept
        wanted = {"force": False, "coordination": False, "damage": False, **dict.fromkeys(requests, True)}
        names = {"force": "force", "coordination": "coordination_number", "damage": "damage"}
        if moment != self._moment or any(wanted[key] and names[key] not in kept for key in wanted):
            kept = self._run.snapshot(**wanted)
            for value in (*kept.values(), *kept["clumps"].values(), *kept["clumps"]["amplitude"]):
                if isinstance(value, numpy.ndarray):
                    value.setflags(write=False)
            self._kept = (self._moment, kept)
        return kept

    @property
    def ids(self) -> NDArray[numpy.uint32]:
        """[n] of the particles that are in the run, ascending; all arrays below have this order"""
        return self._snapshot()["id"]  # type: ignore[no-any-return]

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
        """[n] broken share of the bonds that each particle has had, those made later included; 0 without any"""
        return self._snapshot("damage")["damage"]  # type: ignore[no-any-return]

    @property
    def temperatures(self) -> Array:
        """[n] [K], for cases with heat"""
        snapshot = self._snapshot()
        if "temperature" not in snapshot:
            raise ValueError("the case has no heat, so particles have no temperature")
        return snapshot["temperature"]  # type: ignore[no-any-return]

    @property
    def films(self) -> Array:
        """[n] [m3] of liquid on each particle, for cases whose liquid bridges take it from films"""
        snapshot = self._snapshot()
        if "film" not in snapshot:
            raise ValueError('no rule of contacts has "liquid" with "from_films", so particles have no films')
        return snapshot["film"]  # type: ignore[no-any-return]

    @property
    def dissipated_energies(self) -> Array:
        """[n] [J] that the contacts of each particle have lost, for cases that ask for it in a probe or in frames"""
        snapshot = self._snapshot()
        if "dissipated_energy" not in snapshot:
            raise ValueError(
                'the case sums no losses: give it a probe of type "dissipation", or frames with "dissipated_energy"'
            )
        return snapshot["dissipated_energy"]  # type: ignore[no-any-return]

    @property
    def clumps(self) -> Clumps:
        """Clumps and level-set grains."""
        return Clumps(self._snapshot()["clumps"])

    @property
    def cell(self) -> dict[str, Any] | None:
        """The periodic cell: edges [3, 3] [m], origin, deformation, velocity_gradient [1/s], volume [m3], stage.

        A new dict at each use; costs nothing.
        """
        return self._run.cell()

    def contacts(self) -> dict[str, NDArray[Any]]:
        """All touching contacts of the last step, those between particles first.

        first, second: ids; where `with_boundary`, `first` is a number in the order of `boundaries`. force [N] acts on
        the second, normal points to it, point [m] is the contact point, branch [m] goes from centre to centre. couple
        [N m] is the moment about the point that the nodes of a level-set grain exert on the second; 0 for others.
        """
        return self._run.contacts()

    def counts(self) -> dict[str, Any]:
        """particles, clumps, contacts, wall_contacts, bonds..., and "removed": number and mass [kg] by outlet.

        Costs a pass over the contacts.
        """
        return self._run.counts()

    def energies(self) -> dict[str, float]:
        """[J] terms of the energy ledger, for cases with output.series.energies.

        Costs a pass over particles and contacts.
        """
        return self._run.energies()

    def fluid_force(self) -> tuple[float, float, float]:
        """[N] drag and buoyancy of the fluid on all particles, for cases with a fluid. The fluid feels the opposite.

        Costs a pass over the particles.
        """
        return self._run.fluid_force()

    @property
    def critical_step(self) -> float:
        """[s] largest stable time step of the present contacts; infinite if nothing touches

        Each use makes a pass over all contacts: keep the value in a variable.
        """
        return float(self._run.critical_step()["value"])

    def limiting_particle(self) -> dict[str, Any]:
        """What limits the critical step: particle, its radius, material, contacts, partner; empty without contacts.

        Costs a pass over all contacts, as `critical_step` does.
        """
        return {key: value for key, value in self._run.critical_step().items() if key != "value"}

    def overlap(self) -> dict[str, float]:
        """Largest overlap over the smaller radius, at the last check of the contacts (every 200 steps) and so far.

        Costs nothing: the engine keeps both numbers.
        """
        watch = self._run.watch()
        return {"last": watch["overlap"], "most": watch["most_overlap"]}

    def stage_times(self) -> dict[str, float]:
        """[s] wall time of each kind of work so far."""
        return self._run.stage_times()

    def bodies(self) -> Bodies:
        """The engine's own arrays, read-only, until the next step; see Bodies."""
        return Bodies(self._run, self._moment, lambda: self._moment, writable=False)
