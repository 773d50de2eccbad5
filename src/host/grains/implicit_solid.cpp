#include "host/grains/implicit_solid.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "host/geometry/real3.hpp"

namespace scree::grains {

using geometry::along, geometry::dot, geometry::subtract;

double Implicit::level(const Real3& point) const {
  const auto [value, gradient] = at(point);
  const double slope = geometry::length(gradient);
  return slope > 0 ? value / slope : value;
}

ImplicitSurface::ImplicitSurface(const Implicit& function, const Grid& grid)
    : function_(function), spacing_(grid.spacing) {
  std::vector<double> values;
  values.reserve(grid.points());
  for_each_point(grid, 0, [&](std::size_t, std::size_t i, std::size_t j, std::size_t k) {
    values.push_back(function.at(grid.place(i, j, k)).value);
  });
  Surface surface = contour(grid, values, [&](const Real3& at) { return function.level(at); });
  mesh_.vertices = std::move(surface.vertex);
  mesh_.triangles = std::move(surface.triangle);
  if (!mesh_.triangles.empty()) tree_ = std::make_unique<const TriangleTree>(mesh_);
}

/// Finds the point of the surface near `point` by Newton steps along the gradient.
ImplicitSurface::Foot ImplicitSurface::onto(Real3 point) const {
  for (int round = 0;; ++round) {
    const auto [value, gradient] = function_.at(point);
    const double slope = geometry::length(gradient);
    if (!(slope > 0)) return {point, {}};
    const Real3 normal = geometry::scaled(gradient, 1 / slope);
    const double off = value / slope;
    if (round == 6 || std::fabs(off) <= 1e-8 * spacing_) return {along(point, -off, normal), normal};
    point = along(point, -std::clamp(off, -spacing_, spacing_), normal);
  }
}

double ImplicitSurface::distance(const Real3& point) const {
  if (!tree_) return std::numeric_limits<double>::max();
  const double side = function_.at(point).value < 0 ? -1 : 1;
  Foot foot = onto(tree_->nearest(point).place);
  double squared = geometry::squared_length(subtract(point, foot.place));
  Real3 way_before{}, moved{};
  for (int round = 0; round < 30; ++round) {
    const Real3 to_point = subtract(point, foot.place);
    const Real3 way = along(to_point, -dot(to_point, foot.normal), foot.normal);  // the part along the surface
    // If the way to the point has the angle t with the normal, the distance is too large by t^2/2 of itself.
    if (geometry::squared_length(way) <= 1e-10 * std::max(squared, spacing_ * spacing_)) break;
    double step = 1;  // then the secant of the last two; curved surfaces need smaller steps outside, larger ones inside
    if (round > 0) {
      const double change = dot(moved, subtract(way_before, way));
      if (change > 0) step = std::clamp(geometry::squared_length(moved) / change, 0.02, 10.0);
    }
    bool is_nearer = false;
    for (int attempt = 0; attempt < 6 && !is_nearer; ++attempt, step /= 3) {
      const Foot next = onto(along(foot.place, step, way));
      const double next_squared = geometry::squared_length(subtract(point, next.place));
      if (!(next_squared < squared)) continue;
      is_nearer = true;
      moved = subtract(next.place, foot.place);
      foot = next;
      squared = next_squared;
    }
    if (!is_nearer) break;
    way_before = way;
  }
  return side * std::sqrt(squared);
}

}  // namespace scree::grains
