"""A frame of means over the cells of a grid."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy
from numpy.typing import NDArray

from .errors import ResultsError, missing_package
from .frame import Frame, dataframe_of
from .lazy_array import open_file
from .names import unknown_name

if TYPE_CHECKING:
    import pandas
    import pyvista


class FieldFrame(Frame):
    """Means over the cells of a grid and over a time window: `frame["velocity"]` has the shape [nx, ny, nz, 3].

    Tensors have the shape [nx, ny, nz, 3, 3]. NaN stands where there is no particle to tell of. On a cylindrical grid
    radius, angle and axis stand for x, y and z everywhere. `units` names the SI unit of each field.
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
            raise ResultsError(f'{self.path}: has no field "{name}": {unknown_name(name, self.names)}')
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
        """One row per cell with the place of its centre, x, y and z [m]; or r, angle [rad] and z along the axis.
        Components of vectors are name_x... or, on a cylindrical grid, name_r, name_theta, name_z; those of tensors are
        name_xx, name_xy... or name_rr, name_rtheta... `attrs["units"]` names the SI units of columns."""
        table = dataframe_of(self.arrays(), ("r", "theta", "z") if self.is_round else ("x", "y", "z"))
        z, y, x = numpy.meshgrid(*reversed(self.centers), indexing="ij")
        names = ("r", "angle", "z") if self.is_round else ("x", "y", "z")
        for k, (name, values) in enumerate(zip(names, (x, y, z), strict=True)):
            table.insert(k, name, values.ravel())
            table.attrs["units"][name] = "rad" if name == "angle" else "m"
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
