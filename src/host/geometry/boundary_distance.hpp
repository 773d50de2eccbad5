#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "host/geometry/boundary_shapes.hpp"
#include "host/geometry/cell_frame.hpp"
#include "host/geometry/mesh_surface.hpp"
#include "host/geometry/real3.hpp"
#include "scree/scene.hpp"

namespace scree::geometry {

/// Measures the distance [m] from points to a boundary. The distance is negative behind a plane and outside a box. For
/// a mesh it is at most `reach`. Keeps a reference to the boundary.
class BoundaryDistance {
 public:
  explicit BoundaryDistance(const SceneBoundary& boundary) : boundary_(boundary) {
    if (boundary.is_mesh()) surface_.emplace(boundary.mesh);
  }
  [[nodiscard]] double operator()(const Real3& point, double reach) const {
    return surface_ ? std::sqrt(surface_->squared_distance_within(point, reach)) : distance_to(boundary_.shape, point);
  }

 private:
  const SceneBoundary& boundary_;
  std::optional<MeshSurface> surface_;
};

/// The smallest distance [m] of an image of a sphere to a boundary, among the images that reach into the cell. Without
/// a cell, the distance of the sphere itself.
[[nodiscard]] inline double least_distance(const BoundaryDistance& distance, const Real3& centre, double radius,
                                           const CellFrame* cell) {
  if (cell == nullptr) return distance(centre, radius);
  const Real3 inside = cell->folded(centre);
  double least = std::numeric_limits<double>::infinity();
  cell->visit_shifts(inside, radius, [&](const Real3& shift) {
    least = std::min(least, distance(subtract(inside, shift), radius));
    return true;
  });
  return least;
}

/// The centre [m] of a sphere after it has been moved off a surface that it overlaps, along the gradient of
/// `distance(point, reach)`. The centre is unchanged if the sphere does not overlap or the gradient vanishes.
template <class Distance>
[[nodiscard]] Real3 pushed_off(const Real3& centre, double radius, const Distance& distance) {
  constexpr double rounding = 1e-9, small = 1e-3;
  const double gap = distance(centre, radius);
  if (gap >= (1 - rounding) * radius) return centre;
  Real3 slope{};
  for (std::size_t k = 0; k < 3; ++k) {
    Real3 before = centre, behind = centre;
    before[k] -= small * radius;
    behind[k] += small * radius;
    slope[k] = distance(behind, 2 * radius) - distance(before, 2 * radius);
  }
  const double steepness = length(slope);
  return steepness > 0 ? along(centre, ((1 + rounding) * radius - gap) / steepness, slope) : centre;
}

}  // namespace scree::geometry
