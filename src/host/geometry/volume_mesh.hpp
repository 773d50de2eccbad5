#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "scree/values.hpp"

namespace scree::geometry {

/// A body as a mesh of solid cells.
struct VolumeMesh {
  std::vector<Real3> points;                             ///< [n_points] [file unit]
  std::vector<std::array<std::uint32_t, 4>> tetrahedra;  ///< indices of points
  /// Four corners around one face, then those behind them in the same order: hexahedra of VTK.
  std::vector<std::array<std::uint32_t, 8>> hexahedra;
  std::size_t left_out = 0;  ///< cells of a file that are no solids, such as the triangles of a surface

  /// Adds a cell of a type of VTK. Wedges and pyramids become tetrahedra, and so does a quadratic tetrahedron: eight.
  /// Of other cells of a higher degree the corners are taken. Cells that are points, lines or faces are counted as left
  /// out. Throws CaseError (path: empty) for other types, for too few corners, and for a corner that is no point.
  void add_cell(std::uint64_t type, std::span<const std::uint64_t> corners);
  [[nodiscard]] std::size_t cells() const { return tetrahedra.size() + hexahedra.size(); }
};

/// Vectors at the points of a mesh, with a name.
struct PointVectors {
  std::string name;
  std::vector<Real3> value;  ///< [n_points]
};

struct VolumeMeshFile {
  VolumeMesh mesh;
  std::vector<PointVectors> vectors;  ///< all data of the points that have three components, in the order of the file
};

/// Parses a legacy VTK file (.vtk): an unstructured grid, as text or binary, of versions 1 to 5.1. `name` is the path
/// of its CaseError. Numbers may still be not finite.
[[nodiscard]] VolumeMeshFile parse_vtk(const std::string& content, const std::string& name);

}  // namespace scree::geometry
