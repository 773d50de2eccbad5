"""Frames of a run: particles, surfaces and nodes at one moment, in VTKHDF files."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

import numpy
from numpy.typing import NDArray

from .errors import ResultsError, missing_package
from .lazy_array import LazyArray, open_file

if TYPE_CHECKING:
    import pandas
    import pyvista

__all__ = ["FIELD_UNITS", "ContactFrame", "FieldFrame", "Frame", "Frames"]

#: SI units of the arrays in frames; the others have none.
FIELD_UNITS = {
    "positions": "m", "velocity": "m/s", "angular_velocity": "rad/s", "radius": "m", "force": "N", "traction": "Pa",
    "clump_velocity": "m/s", "fluctuation_velocity": "m/s", "unwrapped_position": "m", "overlap": "m",
    "temperature": "K", "dissipated_energy": "J", "film": "m3", "amplitude": "m", "cell": "m", "cell_origin": "m",
    "point": "m", "normal_force": "N", "shear_force": "N", "spring": "N",
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
                f'{self.path}: the frame has no array "{name}", only {", ".join(self.names)}; '
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
        """One row per point; vectors become columns name_x, name_y, name_z, other rows of numbers name_0, name_1..."""
        return _table(self.arrays())

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


def _table(arrays: dict[str, NDArray[Any]]) -> pandas.DataFrame:
    import pandas

    columns: dict[str, Any] = {}
    for name, values in arrays.items():
        if values.ndim == 1:
            columns[name] = values
            continue
        endings = "xyz" if values.shape[1] == 3 else [str(k) for k in range(values.shape[1])]
        for k, ending in enumerate(endings):
            columns[f"{'position' if name == 'positions' else name}_{ending}"] = values[:, k]
    return pandas.DataFrame(columns)


class ContactFrame(Frame):
    """The touching contacts at one moment: each array but `positions` has a row for each contact.

    `first` and `second` are ids of particles; at a boundary (`with_boundary`) the first is the index of the boundary in
    the case. Forces are on the second: normal_force * normal + shear_force. `frame["shear_force"][:100]` reads a part.
    arrays() and to_dataframe() have a row for each contact.
    """

    _places_of_rows = ("/CellData/",)
    _rows_are = "contacts"

    def __len__(self) -> int:
        return len(self["first"])

    @property
    def lines(self) -> NDArray[numpy.float64]:
        """[n_contacts, 2, 3] [m] both ends of each contact: centres of particles, or a point on a boundary."""
        return numpy.asarray(self.positions[...], float).reshape(-1, 2, 3)

    @property
    def force(self) -> NDArray[numpy.float64]:
        """Older name of `forces`."""
        return self.forces

    @property
    def forces(self) -> NDArray[numpy.float64]:
        """[n_contacts, 3] [N] whole force on the second."""
        normal = numpy.asarray(self["normal"][...], float)
        pressing = numpy.asarray(self["normal_force"][...], float)
        whole: NDArray[numpy.float64] = pressing[:, None] * normal + numpy.asarray(self["shear_force"][...], float)
        return whole

    def to_pyvista(self) -> pyvista.PolyData:
        """Lines with all arrays, as cell data and, for tubes, as point data."""
        try:
            import pyvista
        except ImportError:
            raise missing_package("pyvista", "to_pyvista()", "render") from None
        n = len(self)
        cells = numpy.column_stack([numpy.full(n, 2), numpy.arange(2 * n).reshape(-1, 2)]).ravel()
        data = pyvista.PolyData(numpy.asarray(self.positions[...]), lines=cells)
        for name, values in self.arrays().items():
            if not n:  # PyVista takes no empty arrays
                break
            data.cell_data[name] = values
            data.point_data[name] = numpy.repeat(values, 2, axis=0)
        data.field_data["time"] = [self.time]
        return data


class FieldFrame(Frame):
    """Means over the cells of a grid and over a time window: `frame["velocity"]` has the shape [nx, ny, nz, 3].

    Tensors have the shape [nx, ny, nz, 3, 3]. NaN stands where there is no particle to tell of. On a cylindrical grid
    radius, angle and axis stand for x, y and z everywhere.
    """

    _round: bool | None = None  # not looked at yet

    def _datasets(self) -> dict[str, str]:
        if self._names is None:
            with open_file(self.path) as file:
                known = {"WholeExtent", "CylinderCells"}
                if "VTKHDF/CellData" not in file or known.isdisjoint(file["VTKHDF"].attrs):
                    raise ResultsError(f"{self.path}: is not a file of fields of scree")
                self._names = {
                    name: f"VTKHDF/{group}/{name}"
                    for group in ("CellData", "FieldData")
                    for name in file[f"VTKHDF/{group}"]
                }
        return self._names

    def _attribute(self, name: str) -> NDArray[Any]:
        with open_file(self.path) as file:
            return numpy.asarray(file["VTKHDF"].attrs[name])

    @property
    def is_round(self) -> bool:
        """Whether the grid is a cylindrical one."""
        if self._round is None:
            with open_file(self.path) as file:
                self._round = "CylinderCells" in file["VTKHDF"].attrs
        return self._round

    @property
    def triangles(self) -> None:
        """None: a grid has cells."""
        return None

    @property
    def axes(self) -> NDArray[Any]:
        """[3, 3] of a cylindrical grid: towards the angle 0, towards a right angle, along the axis; rows of length 1"""
        return self._attribute("CylinderAxes").reshape(3, 3) if self.is_round else numpy.eye(3)

    @property
    def axis_origin(self) -> NDArray[Any]:
        """[3] [m] of a cylindrical grid: where its axis begins"""
        return self._attribute("CylinderOrigin") if self.is_round else numpy.zeros(3)

    @property
    def names(self) -> list[str]:
        """Names of the fields."""
        return [name for name, place in self._datasets().items() if "/CellData/" in place]

    @property
    def time(self) -> float:
        """[s] end of the window"""
        if self._time is None:
            with open_file(self.path) as file:
                self._time = float(file["VTKHDF/FieldData/TimeValue"][0])
        return self._time

    @property
    def step(self) -> int:
        """Steps made before the end of the window."""
        with open_file(self.path) as file:
            return int(file["VTKHDF/FieldData/Step"][0])

    @property
    def samples(self) -> int:
        """Number of samples over which the means were taken."""
        with open_file(self.path) as file:
            return int(file["VTKHDF/FieldData/Samples"][0])

    @property
    def sample_times(self) -> tuple[float, float]:
        """[s] times of the first and of the last sample."""
        with open_file(self.path) as file:
            first, last = file["VTKHDF/FieldData/SampleTimes"][...]
        return float(first), float(last)

    @property
    def shape(self) -> tuple[int, int, int]:
        """Number of cells along x, y and z."""
        if self.is_round:
            nx, ny, nz = (int(n) for n in self._attribute("CylinderCells"))
        else:
            nx, ny, nz = (int(n) for n in self._attribute("WholeExtent")[1::2])
        return nx, ny, nz

    @property
    def spacing(self) -> NDArray[Any]:
        """[3] [m] edges of a cell; that of the angle in rad"""
        return self._attribute("CylinderSpacing" if self.is_round else "Spacing")

    @property
    def cell_volume(self) -> float:
        """[m3] On a cylindrical grid cells differ: see cell_volumes."""
        if self.is_round:
            raise ResultsError(f"{self.path}: cells of a cylindrical grid differ in volume: use cell_volumes")
        return float(numpy.prod(self.spacing))

    @property
    def cell_volumes(self) -> NDArray[Any]:
        """[nx, ny, nz] [m3]"""
        volumes = numpy.full(self.shape, numpy.prod(self.spacing))
        return volumes * self.centers[0][:, None, None] if self.is_round else volumes

    @property
    def centers(self) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        """[m] centres of the cells along x, y and z: [nx], [ny], [nz]; angles in rad"""
        low, edge = self._attribute("CylinderLow" if self.is_round else "Origin"), self.spacing
        x, y, z = (low[k] + edge[k] * (numpy.arange(n) + 0.5) for k, n in enumerate(self.shape))
        return x, y, z

    def __getitem__(self, name: str) -> NDArray[Any]:  # type: ignore[override]
        if name not in self.names:
            raise ResultsError(f'{self.path}: has no field "{name}", only {", ".join(self.names)}')
        with open_file(self.path) as file:
            values: NDArray[Any] = numpy.moveaxis(self._on_grid(file, name), [0, 1, 2], [2, 1, 0])
        return values.reshape(*self.shape, 3, 3) if values.ndim == 4 and values.shape[3] == 9 else values

    def _on_grid(self, file: Any, name: str) -> NDArray[Any]:
        """[nz, ny, nx, ...] On a cylindrical grid a cell may be shown as several pieces."""
        values: NDArray[Any] = file[self._datasets()[name]][...]
        if not self.is_round:
            return values
        pieces = int(self._attribute("CylinderPieces")[0])
        return values[::pieces].reshape(*reversed(self.shape), *values.shape[1:])

    def __len__(self) -> int:
        return int(numpy.prod(self.shape))

    def __repr__(self) -> str:
        nx, ny, nz = self.shape
        return f"<fields {self.path.name}, t = {self.time:g} s, {nx} x {ny} x {nz} cells: {', '.join(self.names)}>"

    def arrays(self) -> dict[str, NDArray[Any]]:
        """All fields with one row per cell, those along x behind each other, read at once."""
        with open_file(self.path) as file:
            found = {name: self._on_grid(file, name) for name in self.names}
        return {name: values.reshape(len(self), *values.shape[3:]) for name, values in found.items()}

    def to_dataframe(self) -> pandas.DataFrame:
        """One row per cell with the place of its centre, x, y and z [m]; or r, angle [rad] and z along the axis."""
        table = _table(self.arrays())
        z, y, x = numpy.meshgrid(*reversed(self.centers), indexing="ij")
        names = ("r", "angle", "z") if self.is_round else ("x", "y", "z")
        for k, (name, values) in enumerate(zip(names, (x, y, z), strict=True)):
            table.insert(k, name, values.ravel())
        return table

    def to_pyvista(self) -> pyvista.ImageData | pyvista.UnstructuredGrid:
        """The grid with all fields as cell data; a cylindrical grid as its file shows it."""
        try:
            import pyvista
        except ImportError:
            raise missing_package("pyvista", "to_pyvista()", "render") from None
        if self.is_round:
            with open_file(self.path) as file:
                root = file["VTKHDF"]
                types, points = root["Types"][...], root["Points"][...]
                corners = root["Connectivity"][...].reshape(len(types), -1)
                counted = numpy.column_stack([numpy.full(len(types), corners.shape[1]), corners]).ravel()
                shown = pyvista.UnstructuredGrid(counted, types, points)
                for name in self.names:
                    shown.cell_data[name] = file[self._datasets()[name]][...]
            shown.field_data["time"] = [self.time]
            return shown
        grid = pyvista.ImageData(
            dimensions=tuple(n + 1 for n in self.shape), spacing=tuple(self.spacing), origin=self._attribute("Origin")
        )
        for name, values in self.arrays().items():
            grid.cell_data[name] = values
        grid.field_data["time"] = [self.time]
        return grid


F = TypeVar("F", bound=Frame)


class Frames(Sequence[F], Generic[F]):
    """All frames that exist now, in the order of time. A run that goes on adds more: `len` and items are always new."""

    def __init__(self, listing: Path, folder: Path, kind: type[F] = Frame) -> None:  # type: ignore[assignment]
        self._listing = listing  # the .vtkhdf.series file
        self._folder = folder  # where the frames lie
        self._kind = kind
        self._seen: tuple[Any, list[F]] = (None, [])

    def _frames(self) -> list[F]:
        try:
            about = self._listing.stat()
            state: Any = (about.st_mtime_ns, about.st_size)
        except OSError:
            state = None
        if state is None or state != self._seen[0]:
            self._seen = (state, self._read())
        return self._seen[1]

    def _read(self) -> list[F]:
        try:
            entries = json.loads(self._listing.read_text(encoding="utf-8"))["files"]
            frames = [self._kind(self._listing.parent / entry["name"], float(entry["time"])) for entry in entries]
            return [frame for frame in frames if frame.path.exists()]
        except (OSError, ValueError, KeyError, TypeError):  # no list, or a damaged one: the files know their times
            prefix = "step" if self._kind in (ContactFrame, FieldFrame) else "frame"
            return [self._kind(path) for path in sorted(self._folder.glob(f"{prefix}_*.vtkhdf"))]

    @property
    def times(self) -> NDArray[numpy.float64]:
        """[n_frames] [s]"""
        return numpy.array([frame.time for frame in self._frames()], dtype=float)

    def at(self, time: float) -> F:
        """The frame whose time [s] is nearest."""
        times = self.times
        if len(times) == 0:
            raise ResultsError(f"{self._listing}: there are no frames")
        return self._frames()[int(numpy.abs(times - time).argmin())]

    def __len__(self) -> int:
        return len(self._frames())

    @overload
    def __getitem__(self, key: int) -> F: ...
    @overload
    def __getitem__(self, key: slice) -> list[F]: ...
    def __getitem__(self, key: int | slice) -> F | list[F]:
        frames = self._frames()
        if isinstance(key, int) and not -len(frames) <= key < len(frames):
            raise IndexError(f"{self._listing}: frame {key} was asked for, but there are {len(frames)}")
        return frames[key]

    def __iter__(self) -> Iterator[F]:
        return iter(self._frames())

    def __repr__(self) -> str:
        times = self.times
        span = f", t = {times[0]:g} to {times[-1]:g} s" if len(times) else ""
        return f"<{len(times)} frames in {self._folder}{span}>"
