#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "host/geometry/real3.hpp"
#include "scree/scene.hpp"

namespace scree::geometry {

/// Squared distance [m2] from a point to the closed triangle abc (Voronoi regions of vertices, edges and face).
[[nodiscard]] double squared_distance(const Real3& point, const Real3& a, const Real3& b, const Real3& c);

/// Answers where points are relative to a mesh, through grids over its triangles. Keeps a reference to the mesh, and
/// answers for later: one thread at a time may ask.
class MeshSurface {
 public:
  explicit MeshSurface(const TriangleMesh& mesh);

  [[nodiscard]] const Bounds& bounds() const { return bounds_; }

  /// Squared distance [m2] to the surface if that is below reach^2, else reach^2.
  [[nodiscard]] double squared_distance_within(const Real3& point, double reach) const;

  /// Whether a closed mesh encloses the point: parity of the crossings of a ray along +z. Shared edges and vertices
  /// are counted once; only points within rounding of the surface are undecided.
  [[nodiscard]] bool encloses(const Real3& point) const;

  /// [m] Height z of the highest point of the surface on the line through (x, y) along z, if there is one.
  /// Vertical triangles do not count.
  [[nodiscard]] std::optional<double> highest(double x, double y) const;

 private:
  /// Triangles by cell: those of cell c are items[first[c] .. first[c + 1]).
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
  mutable std::vector<Side> side_;  ///< of each box without triangles that was asked for
};

}  // namespace scree::geometry
