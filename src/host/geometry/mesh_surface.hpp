#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "host/geometry/real3.hpp"
#include "scree/scene.hpp"

namespace scree::geometry {

/// Squared distance [m2] from a point to the closed triangle abc (Voronoi regions of vertices, edges and face).
[[nodiscard]] double squared_distance(const Real3& point, const Real3& a, const Real3& b, const Real3& c);

/// Finds where points lie relative to a mesh, with grids over its triangles. Keeps a reference to the mesh. The const
/// methods cache answers, so only one thread at a time may call them.
class MeshSurface {
 public:
  explicit MeshSurface(const TriangleMesh& mesh);

  [[nodiscard]] const Bounds& bounds() const { return bounds_; }

  /// Squared distance [m2] from a point to the surface, but at most reach^2.
  [[nodiscard]] double squared_distance_within(const Real3& point, double reach) const;

  /// Whether a closed mesh encloses the point: whether a ray along +z crosses it an odd number of times. The ray
  /// crosses a shared edge or vertex once. The answer is arbitrary only for points within rounding of the surface.
  [[nodiscard]] bool encloses(const Real3& point) const;

  /// Height z [m] of the highest point of the surface on the vertical line through (x, y); none if the line misses the
  /// surface. Vertical triangles are ignored.
  [[nodiscard]] std::optional<double> highest(double x, double y) const;

 private:
  /// The triangles of each cell of a grid; cell c has items[first[c]] to items[first[c + 1] - 1].
  struct Bins {
    std::array<std::uint32_t, 3> cells{1, 1, 1};
    Real3 inverse_edge{};
    std::vector<std::size_t> first;
    std::vector<std::uint32_t> items;
  };
  [[nodiscard]] std::size_t cell(const Bins& bins, std::size_t axis, double x) const;
  [[nodiscard]] Bins make_bins(const std::array<std::uint32_t, 3>& cells) const;
  enum class Side : std::uint8_t { unknown, inside, outside };
  [[nodiscard]] Side side_of_empty(std::size_t box, const std::array<std::size_t, 3>& at) const;
  /// Whether a ray from the point along +z crosses the surface an odd number of times.
  [[nodiscard]] bool ray_leaves(const Real3& point) const;
  [[nodiscard]] bool ray_crosses(std::uint32_t triangle, const Real3& point) const;
  /// Whether the line through the point along z crosses the triangle.
  [[nodiscard]] bool line_crosses(std::uint32_t triangle, const Real3& point) const;

  const TriangleMesh& mesh_;
  Bounds bounds_;
  Bins boxes_, columns_;
  mutable std::vector<Side> side_;  ///< cached side of each box that has no triangles
};

}  // namespace scree::geometry
