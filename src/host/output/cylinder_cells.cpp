#include "host/output/cylinder_cells.hpp"

#include <cmath>
#include <numbers>

#include "host/geometry/real3.hpp"

namespace scree {

namespace {

/// [m] The corners of all cells: ring by ring outwards, these for each of `turns` angles, and these for each height.
std::vector<Real3> corners_of(const FieldTable& table, std::size_t turns) {
  const CylinderPlace& place = table.cylinder.value();
  std::vector<Real3> points;
  for (std::size_t k = 0; k <= table.cells[2]; ++k) {
    const Real3 middle =
        geometry::along(place.origin, table.origin[2] + table.spacing[2] * static_cast<double>(k), place.axes[2]);
    for (std::size_t j = 0; j < turns; ++j) {
      const double angle = 2 * std::numbers::pi * static_cast<double>(j) / static_cast<double>(turns);
      const Real3 out =
          geometry::along(geometry::scaled(place.axes[0], std::cos(angle)), std::sin(angle), place.axes[1]);
      for (std::size_t i = 0; i <= table.cells[0]; ++i) {
        const double radius = table.origin[0] + table.spacing[0] * static_cast<double>(i);
        points.push_back(geometry::along(middle, radius, out));
      }
    }
  }
  return points;
}

}  // namespace

CylinderCells cylinder_cells(const FieldTable& table) {
  constexpr std::uint8_t vtk_quad = 9, vtk_hexahedron = 12;
  constexpr double widest = std::numbers::pi / 6;
  const std::size_t rings = table.cells[0], sectors = table.cells[1], layers = table.cells[2];
  CylinderCells cells;
  const bool is_flat = sectors == 1;
  // A whole number of degrees must not become one piece more by rounding.
  cells.pieces = is_flat ? 1 : static_cast<std::size_t>(std::ceil(table.spacing[1] / widest - 1e-9));
  const std::size_t turns = is_flat ? 1 : sectors * cells.pieces;
  cells.points = corners_of(table, turns);
  const auto point = [&](std::size_t i, std::size_t j, std::size_t k) {
    return static_cast<std::int64_t>((k * turns + j % turns) * (rings + 1) + i);
  };
  cells.corners = is_flat ? 4 : 8;
  cells.cell_type = is_flat ? vtk_quad : vtk_hexahedron;
  for (std::size_t k = 0; k < layers; ++k) {
    for (std::size_t j = 0; j < sectors; ++j) {
      for (std::size_t i = 0; i < rings; ++i) {
        if (is_flat) {
          for (const std::int64_t corner :
               {point(i, 0, k), point(i + 1, 0, k), point(i + 1, 0, k + 1), point(i, 0, k + 1)}) {
            cells.connectivity.push_back(corner);
          }
          continue;
        }
        for (std::size_t piece = j * cells.pieces; piece < (j + 1) * cells.pieces; ++piece) {
          for (const std::size_t layer : {k, k + 1}) {
            for (const std::int64_t corner : {point(i, piece, layer), point(i + 1, piece, layer),
                                              point(i + 1, piece + 1, layer), point(i, piece + 1, layer)}) {
              cells.connectivity.push_back(corner);
            }
          }
        }
      }
    }
  }
  return cells;
}

}  // namespace scree
