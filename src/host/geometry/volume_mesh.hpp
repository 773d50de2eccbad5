#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "scree/values.hpp"

namespace scree::geometry {

/// A solid body as a mesh of tetrahedra and hexahedra.
struct VolumeMesh {
  std::vector<Real3> points;                             ///< [n_points] [file unit]
  std::vector<std::array<std::uint32_t, 4>> tetrahedra;  ///< [n_tetrahedra] indices of points
  /// [n_hexahedra] Indices of points in the order of VTK: four around one face, then the opposite four in this order.
  std::vector<std::array<std::uint32_t, 8>> hexahedra;
  std::size_t left_out = 0;  ///< number of cells of a file that are not solid, such as the triangles of a surface

  /// Adds a cell with a type number of VTK. Wedges and pyramids become tetrahedra; a quadratic tetrahedron becomes
  /// eight. Of other cells of higher degree only the corners are used. Cells that are points, lines or faces only
  /// increase `left_out`. Throws CaseError (path: empty) if the type is unknown, the cell has too few corners, or a
  /// corner is not the index of a point.
  void add_cell(std::uint64_t type, std::span<const std::uint64_t> corners);
  [[nodiscard]] std::size_t cells() const { return tetrahedra.size() + hexahedra.size(); }
};

/// A named vector field at the points of a mesh.
struct PointVectors {
  std::string name;
  std::vector<Real3> value;  ///< [n_points]
};

struct VolumeMeshFile {
  VolumeMesh mesh;
  std::vector<PointVectors> vectors;  ///< all point data with three components, in the order of the file
};

/// Parses a legacy VTK file (.vtk, versions 1 to 5.1, text or binary) with an unstructured grid. Numbers in the result
/// may be infinite or NaN. Throws CaseError with the path `name` if the content is damaged or unknown.
[[nodiscard]] VolumeMeshFile parse_vtk(const std::string& content, const std::string& name);

}  // namespace scree::geometry
