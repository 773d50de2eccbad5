"""The bodies of a simulation in the engine's own memory."""

from __future__ import annotations

from typing import Any

import numpy
from numpy.typing import NDArray

from . import _engine
from .names import unknown_name

__all__ = ["Bodies", "DeviceArray"]


class DeviceArray:
    """An array in the memory of a GPU, for CuPy, PyTorch, JAX and others: `cupy.asarray(array)`, `torch.as_tensor`.

    It has `__cuda_array_interface__` and `__dlpack__`, and no data on the host. The engine has waited for its steps, so
    the array can be used on any stream.
    """

    def __init__(self, lent: Any, about: dict[str, Any], read_only: bool) -> None:
        self._lent = lent
        columns = about["columns"]
        size = int(about["type"][2:])
        self.shape: tuple[int, ...] = (about["rows"],) if columns == 1 else (about["rows"], columns)
        self.dtype = numpy.dtype(about["type"])
        strides = (about["stride"],) if columns == 1 else (about["stride"], size)
        self.__cuda_array_interface__ = {
            "shape": self.shape,
            "typestr": about["type"],
            "data": (about["pointer"], read_only),
            "strides": strides,
            "version": 3,
        }

    def __dlpack__(self, **arguments: Any) -> Any:
        return self._lent.__dlpack__(**arguments)

    def __dlpack_device__(self) -> tuple[int, int]:
        device: tuple[int, int] = self._lent.__dlpack_device__()
        return device

    def __repr__(self) -> str:
        return f"<array on a GPU, {self.dtype} {self.shape}>"


class Bodies:
    """All spheres, members of clumps included, as arrays over the engine's memory: nothing is copied.

    The order is that of the memory and changes when the engine searches for neighbours; `ids` tells whose a row is.
    So the arrays are of this moment: after a step, `bodies.velocities` raises ValueError, and as long as you keep an
    array itself, the simulation refuses to go on. In a periodic cell positions may lie outside of the cell, and
    velocities are relative to the mean flow.
    """

    def __init__(self, run: _engine.Run, moment: int, now: Any, writable: bool) -> None:
        self._run = run
        self._moment = moment
        self._now = now  # returns the present moment
        self._writable = writable
        self.units: dict[str, str] = run.body_units()  #: SI units by name

    def __getitem__(self, name: str) -> Any:
        if self._now() != self._moment:
            raise ValueError("these bodies are of an earlier moment: the simulation has gone on or was changed since")
        if name not in self.units:
            raise KeyError(f'bodies have no array "{name}": {unknown_name(name, self.units)}')
        lent = self._run.lend(name)
        writable = self._writable and name in ("position", "velocity", "angular_velocity")
        if self._run.on_gpu:
            return DeviceArray(lent, self._run.body_column(name), not writable)
        if not writable:
            lent.setflags(write=False)
        return lent

    @property
    def positions(self) -> NDArray[numpy.float64]:
        """[n, 3] [m]; removed bodies are at 1e30 m until the next search: see `present`"""
        return self["position"]  # type: ignore[no-any-return]

    @property
    def velocities(self) -> NDArray[Any]:
        """[n, 3] [m/s] in the middle of the last step; float32 in mixed precision"""
        return self["velocity"]  # type: ignore[no-any-return]

    @property
    def angular_velocities(self) -> NDArray[Any]:
        """[n, 3] [rad/s] likewise"""
        return self["angular_velocity"]  # type: ignore[no-any-return]

    @property
    def radii(self) -> NDArray[Any]:
        """[n] [m]"""
        return self["radius"]  # type: ignore[no-any-return]

    @property
    def inverse_masses(self) -> NDArray[Any]:
        """[n] [1/kg]; 0: the body is fixed or removed. Members of a clump have that of the clump"""
        return self["inverse_mass"]  # type: ignore[no-any-return]

    @property
    def ids(self) -> NDArray[numpy.uint32]:
        """[n]"""
        return self["id"]  # type: ignore[no-any-return]

    @property
    def materials(self) -> NDArray[numpy.uint32]:
        """[n] number of the material; level-set grains have materials of their own behind those of the case"""
        return self["material"]  # type: ignore[no-any-return]

    @property
    def present(self) -> NDArray[numpy.bool_]:
        """[n] False for bodies that were removed since the last search (a copy)"""
        mask: NDArray[numpy.bool_] = self.positions[:, 0] != _engine.removed_place
        return mask

    @property
    def position(self) -> NDArray[numpy.float64]:
        """Older name of `positions`."""
        return self.positions

    @property
    def velocity(self) -> NDArray[Any]:
        """Older name of `velocities`."""
        return self.velocities

    @property
    def angular_velocity(self) -> NDArray[Any]:
        """Older name of `angular_velocities`."""
        return self.angular_velocities

    @property
    def radius(self) -> NDArray[Any]:
        """Older name of `radii`."""
        return self.radii

    @property
    def inverse_mass(self) -> NDArray[Any]:
        """Older name of `inverse_masses`."""
        return self.inverse_masses

    @property
    def id(self) -> NDArray[numpy.uint32]:
        """Older name of `ids`."""
        return self.ids

    @property
    def material(self) -> NDArray[numpy.uint32]:
        """Older name of `materials`."""
        return self.materials
