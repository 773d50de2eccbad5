#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "host/clumps/clump.hpp"
#include "host/geometry/mesh_surface.hpp"
#include "scree/scene.hpp"

namespace scree::clumps {

/// A grid of points over a mesh, and the part of the cell around each point that spheres cover. A sphere covers the
/// cells on its surface partly, so that volumes change smoothly with the spheres. Keeps a reference to the mesh.
class CoveredGrid {
 public:
  /// `resolution` is the number of points along the longest edge of the bounding box of the mesh.
  CoveredGrid(const TriangleMesh& mesh, unsigned resolution);

  [[nodiscard]] std::size_t size() const { return covered_.size(); }
  [[nodiscard]] std::size_t in_layer() const { return cells_[0] * cells_[1]; }  ///< points with the same z
  [[nodiscard]] double edge() const { return edge_; }
  [[nodiscard]] Real3 point(std::size_t at) const;

  /// The largest sphere around a point that stays inside the mesh; its radius is 0 for a point outside. The search
  /// begins with triangles within `reach` [m], because a wide reach includes many triangles.
  [[nodiscard]] ClumpSphere largest_at(const Real3& center, double reach) const;

  /// Covers the cells of a sphere.
  void cover(const ClumpSphere& sphere);
  /// Covers only the cells of these spheres, without the sphere with the index `except`.
  void cover_only(const std::vector<ClumpSphere>& spheres, std::size_t except);

  /// The volume [cells] that the sphere would add to the union. The result has the bits of the sum over its cells in
  /// their order, although rows of cells that are all covered or all free are summed at once.
  [[nodiscard]] double gain(const ClumpSphere& sphere) const;
  /// An upper bound of gain() that takes one lookup per row of cells.
  [[nodiscard]] double most_gain(const ClumpSphere& sphere) const;

 private:
  /// The cells `from` to `to` - 1 of a row.
  struct Cells {
    std::size_t from, to;
  };
  /// The cells of a row along x that a sphere may reach.
  struct Row {
    std::size_t row;  ///< index, from 0
    Cells reached;
    double y2, z2;  ///< [m2] parts of the squared distance from the centre of the sphere
  };
  [[nodiscard]] Cells in_reach(const ClumpSphere& sphere, std::size_t axis) const;
  [[nodiscard]] Cells within(double square, double center, const Cells& most, double margin) const;
  /// Calls `take(row)` for the rows that the sphere reaches and of which `wanted(row, cells)` is true.
  template <class Wanted, class Take>
  void for_each_row(const ClumpSphere& sphere, Wanted&& wanted, Take&& take) const;
  /// The number of cells of a row that are not fully covered.
  [[nodiscard]] std::size_t n_open(std::size_t row, const Cells& cells) const {
    const std::uint16_t* const open = &open_[row * (cells_[0] + 1)];
    return static_cast<std::size_t>(open[cells.to] - open[cells.from]);
  }
  void put(const ClumpSphere& sphere);
  void count_row(std::size_t row);
  [[nodiscard]] double place(std::size_t axis, std::size_t i) const {
    return start_[axis] + edge_ * static_cast<double>(i);
  }

  geometry::MeshSurface surface_;
  double edge_ = 0, per_edge_ = 0, reach_ = 0;
  std::array<std::size_t, 3> cells_{};
  Real3 start_{};
  std::vector<double> covered_;
  /// [n_rows x (cells per row + 1)] Number of cells earlier in the row that are not fully covered, and that are covered
  /// at least partly.
  std::vector<std::uint16_t> open_, touched_;
};

}  // namespace scree::clumps
