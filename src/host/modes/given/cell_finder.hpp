#pragma once

#include <optional>
#include <vector>

#include "host/geometry/volume_mesh.hpp"
#include "host/grains/triangle_tree.hpp"
#include "host/modes/given/cell_shapes.hpp"

namespace scree::modes {

/// Finds the cell of a mesh that contains a place, or otherwise the nearest point of the surface of the mesh. A regular
/// grid of boxes lists the cells that may reach into each box.
class CellFinder {
 public:
  /// `mesh` must have cells. Throws CaseError (path: empty) if it has no surface or no extent.
  explicit CellFinder(geometry::VolumeMesh mesh);
  CellFinder(const CellFinder&) = delete;
  CellFinder& operator=(const CellFinder&) = delete;

  [[nodiscard]] std::size_t cells() const { return mesh_.cells(); }
  [[nodiscard]] SolidCell cell(std::size_t index) const;
  /// [8] The points of a cell; a tetrahedron repeats its first point.
  [[nodiscard]] std::array<std::uint32_t, 8> points_of(std::size_t index) const;
  [[nodiscard]] const geometry::VolumeMesh& mesh() const { return mesh_; }

  struct Found {
    std::size_t cell = 0;
    std::array<double, 8> weight{};
    double outside = 0;  ///< [m] distance from the mesh; infinite if no cell is found
  };
  [[nodiscard]] Found find(const Real3& place) const;

 private:
  void list_cells();
  [[nodiscard]] std::array<std::size_t, 3> box_at(const Real3& place) const;
  /// The cell that contains a place, or the cell that the place exceeds least; `weights.beyond` is the excess.
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
  std::vector<std::size_t> first_;  ///< [n_boxes + 1] index in listed_ of the first cell of each box
  std::vector<std::uint32_t> listed_;
};

/// The faces that belong to only one cell, cut into triangles.
[[nodiscard]] TriangleMesh surface_of(const geometry::VolumeMesh& mesh);

}  // namespace scree::modes
