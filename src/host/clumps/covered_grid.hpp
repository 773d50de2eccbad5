#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "host/clumps/clump.hpp"
#include "host/geometry/mesh_surface.hpp"
#include "scree/scene.hpp"

namespace scree::clumps {

/// Points of a grid over a mesh, and which part of the cell around each of them is covered by spheres. A cell that the
/// surface of a sphere cuts is covered in part, so that volumes follow the spheres smoothly. Keeps a reference to the
/// mesh.
class CoveredGrid {
 public:
  /// `resolution` is the number of points on the longest edge of the mesh's box.
  CoveredGrid(const TriangleMesh& mesh, unsigned resolution);

  [[nodiscard]] std::size_t size() const { return covered_.size(); }
  [[nodiscard]] std::size_t in_layer() const { return cells_[0] * cells_[1]; }  ///< points with the same z
  [[nodiscard]] double edge() const { return edge_; }
  [[nodiscard]] Real3 point(std::size_t at) const;

  /// The largest sphere around a point that stays inside; radius 0 for a point outside. Looks as far as `reach` at
  /// first, since a wide reach meets many triangles.
  [[nodiscard]] ClumpSphere largest_at(const Real3& center, double reach) const;

  void cover(const ClumpSphere& sphere);
  /// Covers what these spheres cover, and nothing else. The sphere with the index `except` is left out.
  void cover_only(const std::vector<ClumpSphere>& spheres, std::size_t except);

  /// What the sphere adds to the union [cells]: the sum over its cells in their order, to the last bit. Rows of cells
  /// that are all covered, or all free, are not gone through cell by cell.
  [[nodiscard]] double gain(const ClumpSphere& sphere) const;
  /// An upper bound of gain(), from one look at each row of cells.
  [[nodiscard]] double most_gain(const ClumpSphere& sphere) const;

 private:
  /// Cells of a row: `to` is behind the last.
  struct Cells {
    std::size_t from, to;
  };
  /// The cells of a row along x that a sphere may reach.
  struct Row {
    std::size_t row;  ///< index, from 0
    Cells reached;
    double y2, z2;  ///< [m2] of the squared distance from the centre
  };
  [[nodiscard]] Cells in_reach(const ClumpSphere& sphere, std::size_t axis) const;
  [[nodiscard]] Cells within(double square, double center, const Cells& most, double margin) const;
  /// Calls `take(row)` for the rows that the sphere reaches and of which `wanted(row, cells)` is true.
  template <class Wanted, class Take>
  void for_each_row(const ClumpSphere& sphere, Wanted&& wanted, Take&& take) const;
  /// How many of the cells of a row are not wholly covered.
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
  /// For each cell of each row, and for one place behind the row: the number of cells before it that are not wholly
  /// covered, and the number of those that are covered at least in part.
  std::vector<std::uint16_t> open_, touched_;
};

}  // namespace scree::clumps
