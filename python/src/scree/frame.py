"""A frame of a run: particles, surfaces or nodes at one moment, in a VTKHDF file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy
from numpy.typing import NDArray

from .errors import ResultsError, missing_package
from .lazy_array import LazyArray, open_file
from .names import unknown_name

if TYPE_CHECKING:
    import pandas
    import pyvista

#: SI units of the arrays in frames; the others have none.
FIELD_UNITS = {
    "positions": "m", "velocity": "m/s", "angular_velocity": "rad/s", "radius": "m", "force": "N", "traction": "Pa",
    "clump_velocity": "m/s", "fluctuation_velocity": "m/s", "unwrapped_position": "m", "overlap": "m",
    "temperature": "K", "dissipated_energy": "J", "film": "m3", "amplitude": "m", "cell": "m", "cell_origin": "m",
    "point": "m", "normal_force": "N", "shear_force": "N", "spring": "N", "couple": "N m",
    "pressure": "Pa", "shear": "Pa", "sliding": "J/m2", "friction_work": "J/m2", "impact_energy": "J/m2",
    "impacts": "1/m2", "archard_depth": "m", "finnie_depth": "m",
    "mass_density": "kg/m3", "number_density": "1/m3", "granular_temperature": "m2/s2", "contact_stress": "Pa",
    "kinetic_stress": "Pa", "boundary_force_density": "N/m3", "other_force_density": "N/m3", "velocity_gradient": "1/s",
    "residence_time": "s",
}  # fmt: skip


class Frame:
    """One moment, from one file. Arrays are read when they are used: `frame["velocity"][:, 2]`.

    `frame.positions` [n, 3] [m] are the centres of particles, the vertices of a surface, or contact points of nodes.
    """

    _places_of_rows: tuple[str, ...] = ("VTKHDF/Points", "/PointData/")  # parts of the names of datasets
    _rows_are = "points"

    def __init__(self, path: Path, time: float | None = None) -> None:
        self.path = path
        self._time = time
        self._names: dict[str, str] | None = None  # array -> dataset

    def _datasets(self) -> dict[str, str]:
        if self._names is None:
            with open_file(self.path) as file:
                if "VTKHDF/Points" not in file:
                    raise ResultsError(f"{self.path}: is not a frame of scree")
                self._names = {"positions": "VTKHDF/Points"}
                for group in ("PointData", "CellData", "FieldData"):
                    for name in file.get(f"VTKHDF/{group}", ()):
                        self._names[name] = f"VTKHDF/{group}/{name}"
        return self._names

    @property
    def names(self) -> list[str]:
        """Names of the arrays: "positions", and those that the case asked for."""
        return [name for name in self._datasets() if name not in ("TimeValue", "Step")]

    @property
    def units(self) -> dict[str, str]:
        """SI units of the arrays; those without a unit are not in it."""
        return {name: FIELD_UNITS[name] for name in self.names if name in FIELD_UNITS}

    @property
    def time(self) -> float:
        """[s]"""
        if self._time is None:
            self._time = float(self["TimeValue"][0])
        return self._time

    @property
    def step(self) -> int | None:
        """Steps made before this moment; None where the file does not say."""
        return int(self["Step"][0]) if "Step" in self._datasets() else None

    @property
    def positions(self) -> LazyArray:
        return self["positions"]

    @property
    def radii(self) -> LazyArray:
        """[n] [m] the array "radius" """
        return self["radius"]

    @property
    def velocities(self) -> LazyArray:
        """[n, 3] [m/s] in the middle of the last step: the array "velocity" """
        return self["velocity"]

    @property
    def ids(self) -> LazyArray:
        """[n] the same particle has the same id in all frames: the array "id" """
        return self["id"]

    @property
    def radius(self) -> LazyArray:
        """Older name of `radii`."""
        return self.radii

    @property
    def velocity(self) -> LazyArray:
        """Older name of `velocities`."""
        return self.velocities

    @property
    def id(self) -> LazyArray:
        """Older name of `ids`."""
        return self.ids

    @property
    def cell(self) -> NDArray[numpy.float64] | None:
        """[3, 3] [m] edges of the periodic cell, one per row; None without a cell."""
        return numpy.asarray(self["cell"]) if "cell" in self else None

    @property
    def cell_origin(self) -> NDArray[numpy.float64] | None:
        """[3] [m] corner of the periodic cell; None without a cell."""
        return numpy.asarray(self["cell_origin"]).reshape(3) if "cell_origin" in self else None

    @property
    def triangles(self) -> NDArray[Any] | None:
        """[n_triangles, 3] indices of positions; None in frames of points."""
        with open_file(self.path) as file:
            corners = numpy.asarray(file["VTKHDF/Offsets"][...] if "VTKHDF/Offsets" in file else [])
            if len(corners) < 2 or corners[1] - corners[0] != 3:
                return None
            indices: NDArray[Any] = file["VTKHDF/Connectivity"][...]
        return indices.reshape(-1, 3)

    def __contains__(self, name: object) -> bool:
        return name in self._datasets()

    def __getitem__(self, name: str) -> LazyArray:
        datasets = self._datasets()
        if name not in datasets:
            raise ResultsError(
                f'{self.path}: the frame has no array "{name}": {unknown_name(name, self.names)}; '
                f"output.frames.fields of the case chooses them"
            )
        return LazyArray(self.path, datasets[name], FIELD_UNITS.get(name, ""))

    def __len__(self) -> int:
        return len(self.positions)

    def __repr__(self) -> str:
        return f"<frame {self.path.name}, t = {self.time:g} s, {len(self)} {self._rows_are}: {', '.join(self.names)}>"

    def arrays(self) -> dict[str, NDArray[Any]]:
        """All arrays with one row per point, read at once; the file is opened only once."""
        with open_file(self.path) as file:
            found = {name: file[place][...] for name, place in self._datasets().items()
                     if any(part in place for part in self._places_of_rows)}  # fmt: skip
        return found

    def to_dataframe(self) -> pandas.DataFrame:
        """One row per point. Vectors become columns name_x, name_y, name_z, quaternions name_w to name_z, and tensors
        name_xx, name_xy... `attrs["units"]` names the SI units of columns."""
        return dataframe_of(self.arrays())

    def to_pyvista(self) -> pyvista.PolyData:
        """The points, or the triangles of a surface, with all arrays."""
        try:
            import pyvista
        except ImportError:
            raise missing_package("pyvista", "to_pyvista()", "render") from None
        arrays = self.arrays()
        positions, triangles = arrays.pop("positions"), self.triangles
        if triangles is None:
            data = pyvista.PolyData(positions)
        else:
            data = pyvista.PolyData.from_regular_faces(positions, triangles.astype(int))
            for name, place in self._datasets().items():
                if "/CellData/" in place:
                    data.cell_data[name] = self[name][...]
        for name, values in arrays.items():
            if len(values):  # PyVista takes no empty arrays
                data.point_data[name] = values
        data.field_data["time"] = [self.time]
        return data


def dataframe_of(arrays: dict[str, NDArray[Any]], axes: tuple[str, ...] = ("x", "y", "z")) -> pandas.DataFrame:
    """A table with a row for each row of the arrays, which have one or two dimensions. `attrs["units"]` names the SI
    units of columns. `axes` are the names of the components of vectors."""
    import pandas

    columns: dict[str, Any] = {}
    units: dict[str, str] = {}
    for name, values in arrays.items():
        unit = FIELD_UNITS.get(name, "")
        stem = "position" if name == "positions" else name
        endings = [""] if values.ndim == 1 else [f"_{part}" for part in _components(values.shape[1], axes)]
        for k, ending in enumerate(endings):
            columns[stem + ending] = values if values.ndim == 1 else values[:, k]
            if unit:
                units[stem + ending] = unit
    table = pandas.DataFrame(columns)
    table.attrs["units"] = units
    return table


def _components(n: int, axes: tuple[str, ...]) -> list[str]:
    """Names of the components of a vector, a tensor row by row, or a quaternion; else numbers."""
    if n == 4:
        return ["w", "x", "y", "z"]
    return {3: [*axes], 9: [a + b for a in axes for b in axes]}.get(n) or [str(k) for k in range(n)]
