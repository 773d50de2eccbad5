#include <algorithm>

#include "host/geometry/real3.hpp"
#include "host/grains/contour.hpp"

namespace scree::grains {
namespace {

using geometry::cross, geometry::dot, geometry::subtract;

/// The normal of a triangle times twice its area.
Real3 double_area(const Surface& surface, const std::array<std::uint32_t, 3>& t) {
  const Real3& a = surface.vertex[t[0]];
  return cross(subtract(surface.vertex[t[1]], a), subtract(surface.vertex[t[2]], a));
}

void find_mean_normals(Surface& surface) {
  surface.normal.assign(surface.vertex.size(), {});
  for (const auto& t : surface.triangle) {
    const Real3 normal = double_area(surface, t);
    for (const auto corner : t) surface.normal[corner] = geometry::add(surface.normal[corner], normal);
  }
  for (Real3& normal : surface.normal) normal = geometry::unit(normal);
}

/// Moves each vertex most of the way to the mean of the triangles around it, weighted by area, and back to the surface.
void move_once(Surface& surface, const Level& level, double spacing) {
  constexpr double share = 0.7;
  std::vector<Real3> pull(surface.vertex.size(), Real3{});
  std::vector<double> weight(surface.vertex.size(), 0.0);
  for (const auto& t : surface.triangle) {
    const double area = geometry::length(double_area(surface, t));
    const Real3 middle = geometry::add(geometry::add(surface.vertex[t[0]], surface.vertex[t[1]]), surface.vertex[t[2]]);
    for (const auto corner : t) {
      pull[corner] = geometry::along(pull[corner], area / 3, middle);
      weight[corner] += area;
    }
  }
  find_mean_normals(surface);
#pragma omp parallel for schedule(dynamic, 64)
  for (std::size_t n = 0; n < surface.vertex.size(); ++n) {
    if (surface.is_sharp[n] || !(weight[n] > 0)) continue;
    const Real3& normal = surface.normal[n];
    const Real3 way = subtract(geometry::scaled(pull[n], 1 / weight[n]), surface.vertex[n]);
    const Real3 tangential = geometry::along(way, -dot(way, normal), normal);
    const Real3 place = geometry::along(surface.vertex[n], share, tangential);
    const double off = std::clamp(level(place), -0.5 * spacing, 0.5 * spacing);
    surface.vertex[n] = geometry::along(place, -off, normal);
  }
}

/// The area of the surface over a triangle, extrapolated from the triangle and from the four triangles through the
/// middles of its edges, which have been moved onto the surface.
double extrapolated_area(const std::array<Real3, 3>& corner, const std::array<Real3, 3>& middle) {
  const auto area = [](const Real3& a, const Real3& b, const Real3& c) {
    return 0.5 * geometry::length(cross(subtract(b, a), subtract(c, a)));
  };
  const double whole = area(corner[0], corner[1], corner[2]);
  double parts = area(middle[0], middle[1], middle[2]);
  for (std::size_t k = 0; k < 3; ++k) parts += area(corner[k], middle[k], middle[(k + 2) % 3]);
  const double better = (4 * parts - whole) / 3;
  return std::clamp(better, whole, 1.2 * whole);  // outside this range the middles are wrong
}

}  // namespace

void spread_evenly(Surface& surface, const Level& level, double spacing) {
  constexpr int rounds = 15;
  for (int round = 0; round < rounds; ++round) move_once(surface, level, spacing);
#pragma omp parallel for schedule(dynamic, 64)
  for (std::size_t n = 0; n < surface.vertex.size(); ++n) {
    if (!surface.is_sharp[n]) surface.vertex[n] = onto_surface(level, surface.vertex[n], spacing);
  }
  find_mean_normals(surface);
#pragma omp parallel for schedule(dynamic, 64)
  for (std::size_t n = 0; n < surface.vertex.size(); ++n) {
    const Real3 own = geometry::unit(gradient_of(level, surface.vertex[n], 1e-3 * spacing));
    if (!surface.is_sharp[n] && dot(own, surface.normal[n]) > 0.5) surface.normal[n] = own;
  }
}

std::vector<double> vertex_areas(const Surface& surface, const Level& level, double spacing) {
  std::vector<double> areas(surface.vertex.size(), 0.0);
  for (const auto& t : surface.triangle) {
    const std::array<Real3, 3> corner = {surface.vertex[t[0]], surface.vertex[t[1]], surface.vertex[t[2]]};
    std::array<Real3, 3> middle{};
    for (std::size_t k = 0; k < 3; ++k) {
      middle[k] = geometry::scaled(geometry::add(corner[k], corner[(k + 1) % 3]), 0.5);
      const Real3 normal = geometry::unit(geometry::add(surface.normal[t[k]], surface.normal[t[(k + 1) % 3]]));
      for (int round = 0; round < 2; ++round) {
        const double off = std::clamp(level(middle[k]), -0.5 * spacing, 0.5 * spacing);
        middle[k] = geometry::along(middle[k], -off, normal);
      }
    }
    const double third = extrapolated_area(corner, middle) / 3;
    for (const auto corner_index : t) areas[corner_index] += third;
  }
  return areas;
}

}  // namespace scree::grains
