#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "scree/grain_shape.hpp"

namespace scree::modes {

/// The cells of the grid of a template that lie fully or partly in the grain. They are finite elements, and the points
/// of the grid at their corners are the points of the mesh. All lengths are in spacings of the grid.
struct CutCells {
  std::array<std::uint32_t, 3> size{};       ///< points of the grid
  std::vector<std::size_t> corner;           ///< [n_cells] index on the grid of the first corner; x varies fastest
  std::vector<double> fraction;              ///< [n_cells] part of the cell that lies in the grain, above 0
  std::vector<std::size_t> point;            ///< [n_points] index on the grid of each point of the mesh, ascending
  std::vector<std::int32_t> point_at;        ///< [points of the grid] index of the point of the mesh; -1: none
  std::vector<std::int32_t> cell_at;         ///< [points of the grid] the cell with this first corner; -1: none
  std::array<std::size_t, 8> corner_step{};  ///< index of corner c minus that of the first; bits of c: 0 x, 1 y, 2 z

  [[nodiscard]] std::size_t points() const { return point.size(); }
  /// Place of a point of the grid [spacings] from the point (0, 0, 0).
  [[nodiscard]] Real3 place(std::size_t at) const;
};

/// The values of the trilinear shape functions at a place: a field there is the weighted sum over the corners of a
/// cell.
struct ShapeFunctions {
  std::array<std::int32_t, 8> point{};  ///< indices of points of the mesh
  std::array<double, 8> weight{};       ///< the sum is 1
};

inline constexpr double least_fraction = 1e-3;  ///< cells with a smaller part in the grain are omitted

/// The cells of a template. The fraction of a cell comes from 6 x 6 x 6 samples of the trilinear field. Cells that no
/// face connects with the largest piece are omitted. Throws CaseError (path: the name of the grain) if no cell lies in
/// the grain, or if the omitted cells have more than 1 % of the volume.
[[nodiscard]] CutCells cut_cells(const GrainShape& shape);

/// [8 x 8] The mass matrix of a cell for density 1: integrals of products of two shape functions over the part in the
/// grain. In a cell that the surface cuts, the integral is a sum over the samples of cut_cells(). (The mass matrix of
/// the whole cell times its fraction would place the mass too far out: second moments of a sphere of 10 spacings would
/// be 0.8 % too large.)
[[nodiscard]] std::array<std::array<double, 8>, 8> mass_of_cell(const GrainShape& shape, const CutCells& cells,
                                                                std::size_t cell);

/// Converts a point [m] of the body frame to a place [spacings] relative to the first point of the grid.
[[nodiscard]] Real3 in_spacings(const GrainShape& shape, const Real3& point);

/// The shape functions at a place [spacings]: those of its cell, or those of the nearest neighbouring cell,
/// extrapolated. Nothing if no cell is nearer than one spacing.
[[nodiscard]] std::optional<ShapeFunctions> shape_functions(const CutCells& cells, const Real3& place);

}  // namespace scree::modes
