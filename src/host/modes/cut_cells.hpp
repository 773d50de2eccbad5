#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "scree/grain_shape.hpp"

namespace scree::modes {

/// The cells of the grid of a template that lie in the grain, all or in part: the finite elements. The points of the
/// grid at their corners are the points of the mesh. Lengths in spacings of the grid from here on.
struct CutCells {
  std::array<std::uint32_t, 3> size{};       ///< points of the grid
  std::vector<std::size_t> corner;           ///< [n_cells] the first corner, as an index of the grid; x is fastest
  std::vector<double> fraction;              ///< [n_cells] part of the cell that lies in the grain, above 0
  std::vector<std::size_t> point;            ///< [n_points] index on the grid of each point of the mesh, ascending
  std::vector<std::int32_t> point_at;        ///< [points of the grid] index of the point of the mesh; -1: none
  std::vector<std::int32_t> cell_at;         ///< [points of the grid] the cell with this first corner; -1: none
  std::array<std::size_t, 8> corner_step{};  ///< from the first corner to corner c: bit 0 of c goes along x, 1 y, 2 z

  [[nodiscard]] std::size_t points() const { return point.size(); }
  /// Place of a point of the grid [spacings] from the point (0, 0, 0).
  [[nodiscard]] Real3 place(std::size_t at) const;
};

/// Values at a place as a sum over the corners of its cell: the trilinear shape functions.
struct ShapeFunctions {
  std::array<std::int32_t, 8> point{};  ///< of the mesh
  std::array<double, 8> weight{};       ///< they sum to 1
};

inline constexpr double least_fraction = 1e-3;  ///< cells with less of the grain than that are left out

/// The cells of a template. A fraction is that of 6 x 6 x 6 samples of the trilinear field. Cells that hang together
/// with the others by no face are left out; throws CaseError (path: the name of the grain) where these are more than
/// 1 % of the volume.
[[nodiscard]] CutCells cut_cells(const GrainShape& shape);

/// [8 x 8] integrals of the products of two shape functions over the part of a cell that lies in the grain: the mass
/// between corners for density 1. Of a cell that the surface cuts it is the sum over the same samples. (The mass of the
/// whole cell times its fraction would lie too far out: for a sphere of 10 spacings by 0.8 % of its second moments.)
[[nodiscard]] std::array<std::array<double, 8>, 8> mass_of_cell(const GrainShape& shape, const CutCells& cells,
                                                                std::size_t cell);

/// Place of a point of the body frame [m] in spacings from the first point of the grid.
[[nodiscard]] Real3 in_spacings(const GrainShape& shape, const Real3& point);

/// The shape functions at a place [spacings]: of its cell, or of the nearest one among its neighbours, whose functions
/// then continue beyond it. Nothing where no cell is nearer than one spacing.
[[nodiscard]] std::optional<ShapeFunctions> shape_functions(const CutCells& cells, const Real3& place);

}  // namespace scree::modes
