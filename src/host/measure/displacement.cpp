#include "host/measure/displacement.hpp"

#include <algorithm>
#include <vector>

#include "host/geometry/real3.hpp"

namespace scree {
namespace {

/// [m] The point whose movement counts as that of the boundary, where the scene puts it.
Real3 middle_of(const SceneBoundary& boundary) {
  if (const auto* plane = std::get_if<PlaneBoundary>(&boundary.shape)) { return plane->point; }
  std::vector<Real3> points = boundary.mesh.vertices;
  if (const auto* box = std::get_if<BoxBoundary>(&boundary.shape)) { points = {box->min, box->max}; }
  if (points.empty()) { return {}; }
  Real3 low = points.front(), high = low;
  for (const Real3& point : points) {
    for (std::size_t k = 0; k < 3; ++k) { low[k] = std::min(low[k], point[k]), high[k] = std::max(high[k], point[k]); }
  }
  return geometry::scaled(geometry::add(low, high), 0.5);
}

}  // namespace

Real3 displacement(const SceneBoundary& boundary, const BoundaryLoad& now) {
  const Real3 start = middle_of(boundary);
  Real3 moved{};
  for (std::size_t k = 0; k < 3; ++k) { moved[k] = geometry::dot(now.rotation[k], start) + now.offset[k] - start[k]; }
  return moved;
}

Real3 place_of_plane(const Scene& scene, std::size_t plane, std::span<const BoundaryLoad> loads) {
  const SceneBoundary& boundary = scene.boundaries.at(plane);
  const Real3& start = std::get<PlaneBoundary>(boundary.shape).point;
  return loads.empty() ? start : geometry::add(start, displacement(boundary, loads[plane]));
}

}  // namespace scree
