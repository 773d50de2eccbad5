"""A frame of contacts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy
from numpy.typing import NDArray

from .errors import missing_package
from .frame import Frame

if TYPE_CHECKING:
    import pyvista


class ContactFrame(Frame):
    """The touching contacts at one moment: each array but `positions` has a row for each contact.

    `first` and `second` are ids of particles; at a boundary (`with_boundary`) the first is the index of the boundary in
    the case. Forces are on the second: normal_force * normal + shear_force. `frame["shear_force"][:100]` reads a part.
    Where there are level-set grains, `couple` is the moment of the forces at their nodes about `point`, on the second.
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
