#pragma once

#include <optional>
#include <vector>

#include "host/geometry/volume_mesh.hpp"
#include "host/grains/triangle_tree.hpp"
#include "host/modes/given/cell_shapes.hpp"

namespace scree::modes {

/// Finds the cell of a mesh that a place lies in, or else the nearest point of its surface. Boxes of a regular grid
/// list the cells that may lie in them.
class CellFinder {
 public:
  /// The mesh has cells. Throws CaseError (path: empty) if it has no surface or no extent.
  explicit CellFinder(geometry::VolumeMesh mesh);
  CellFinder(const CellFinder&) = delete;
  CellFinder& operator=(const CellFinder&) = delete;

  [[nodiscard]] std::size_t cells() const { return mesh_.cells(); }
  [[nodiscard]] SolidCell cell(std::size_t index) const;
  /// [8] its points; a tetrahedron repeats the first one.
  [[nodiscard]] std::array<std::uint32_t, 8> points_of(std::size_t index) const;
  [[nodiscard]] const geometry::VolumeMesh& mesh() const { return mesh_; }

  struct Found {
    std::size_t cell = 0;
    std::array<double, 8> weight{};
    double outside = 0;  ///< [m] distance from the mesh
  };
  [[nodiscard]] Found find(const Real3& place) const;

 private:
  void list_cells();
  [[nodiscard]] std::array<std::size_t, 3> box_at(const Real3& place) const;
  /// The cell that contains a place, or the cell from which the place is least far outside. `weights.beyond` says how
  /// far.
  struct Nearest {
    std::size_t cell = 0;
    SolidCell::Weights weights;
  };
  [[nodiscard]] std::optional<Nearest> least_beyond(const Real3& place) const;

  geometry::VolumeMesh mesh_;
  TriangleMesh surface_;
  std::optional<grains::TriangleTree> tree_;
  Real3 low_{}, box_{};   ///< [m] lower corner of the first box, edges of a box
  double tolerance_ = 0;  ///< [m]
  std::array<std::size_t, 3> boxes_{};
  std::vector<std::size_t> first_;  ///< [boxes + 1] of the cells of a box in listed_
  std::vector<std::uint32_t> listed_;
};

/// Faces that belong to one cell only, cut into triangles.
[[nodiscard]] TriangleMesh surface_of(const geometry::VolumeMesh& mesh);

}  // namespace scree::modes
