#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "host/measure/field_means.hpp"

namespace scree {

/// The cells of a cylindrical grid, as a file shows them. With one cell along the angle these are the quadrilaterals
/// in the half plane of the angle 0. Otherwise they are hexahedra, of which one spans at most 30 degrees: a cell that
/// spans more is shown as `pieces` of them, which follow each other. Those at the axis have two pairs of equal corners.
struct CylinderCells {
  std::vector<Real3> points;  ///< [m]
  std::vector<std::int64_t> connectivity;
  std::size_t corners = 0;     ///< of a cell
  std::uint8_t cell_type = 0;  ///< as VTK numbers them
  std::size_t pieces = 1;      ///< of a cell of the grid
};

/// Makes the cells of a table whose grid is cylindrical.
[[nodiscard]] CylinderCells cylinder_cells(const FieldTable& table);

}  // namespace scree
