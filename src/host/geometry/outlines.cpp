#include "host/geometry/outlines.hpp"

#include <cmath>
#include <numbers>

#include "host/geometry/real3.hpp"

namespace scree::geometry {
namespace {

constexpr std::uint32_t corners = 64;

/// The surface through rings about an axis; ring k has its centre `height[k]` [m] above `from` and radius `radius[k]`
/// [m].
TriangleMesh rings(const Real3& from, const Real3& axis, const std::vector<double>& height,
                   const std::vector<double>& radius) {
  const Real3 u = any_normal_to(axis), v = cross(axis, u);
  TriangleMesh mesh;
  std::vector<std::uint32_t> first;
  for (std::size_t k = 0; k < height.size(); ++k) {
    first.push_back(static_cast<std::uint32_t>(mesh.vertices.size()));
    const Real3 centre = along(from, height[k], axis);
    for (std::uint32_t i = 0; i < (radius[k] > 0 ? corners : 1); ++i) {  // a tip is one vertex
      const double angle = 2 * std::numbers::pi * i / corners;
      mesh.vertices.push_back(along(along(centre, radius[k] * std::cos(angle), u), radius[k] * std::sin(angle), v));
    }
  }
  for (std::size_t k = 0; k + 1 < height.size(); ++k) {
    const bool low_tip = !(radius[k] > 0), high_tip = !(radius[k + 1] > 0);
    for (std::uint32_t i = 0; i < corners; ++i) {
      const std::uint32_t next = (i + 1) % corners;
      const std::uint32_t a = first[k] + (low_tip ? 0 : i), b = first[k] + (low_tip ? 0 : next);
      const std::uint32_t c = first[k + 1] + (high_tip ? 0 : i), d = first[k + 1] + (high_tip ? 0 : next);
      if (!low_tip) mesh.triangles.push_back({a, b, high_tip ? c : d});
      if (!high_tip) mesh.triangles.push_back({a, d, c});
    }
  }
  return mesh;
}

}  // namespace

TriangleMesh shell_outline(const Real3& from, const Real3& to, double radius_from, double radius_to) {
  const Real3 span = subtract(to, from);
  return rings(from, unit(span), {0, length(span)}, {radius_from, radius_to});
}

TriangleMesh ball_outline(const Real3& centre, double radius_of_ball) {
  std::vector<double> height, radius;
  for (std::uint32_t k = 0; k <= corners / 2; ++k) {
    const double angle = 2 * std::numbers::pi * k / corners;
    const bool tip = k == 0 || k == corners / 2;
    height.push_back(-radius_of_ball * std::cos(angle));
    radius.push_back(tip ? 0 : radius_of_ball * std::sin(angle));
  }
  return rings(centre, {0, 0, 1}, height, radius);
}

TriangleMesh box_outline(const Real3& min, const Real3& max) {
  TriangleMesh mesh;
  for (unsigned k = 0; k < 8; ++k) {
    mesh.vertices.push_back(
        {(k & 1) != 0 ? max[0] : min[0], (k & 2) != 0 ? max[1] : min[1], (k & 4) != 0 ? max[2] : min[2]});
  }
  mesh.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                    {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  return mesh;
}

TriangleMesh outline(const CellState& cell) {
  TriangleMesh mesh = box_outline({0, 0, 0}, {1, 1, 1});
  for (Real3& corner : mesh.vertices) {
    Real3 x = cell.origin;
    for (std::size_t k = 0; k < 3; ++k) x = along(x, corner[k], cell.edges[k]);
    corner = x;
  }
  return mesh;
}

}  // namespace scree::geometry
