#pragma once

#include "kernels/math/eight.hpp"
#include "kernels/shapes/closest.hpp"

#if !SCREE_ON_CUDA

namespace scree::inline SCREE_BACKEND {

/// The results of closest_on_triangle() for eight points.
struct ClosestOnTriangles {
  Vec3<Eight> point;
  Eight square_distance;  ///< [m2]
  Eight::Mask region;     ///< numbers of TriangleRegion
};

/// The points of the closed triangles abc closest to x, for eight points and triangles. It does the same operations as
/// closest_on_triangle(), but computes all regions and selects the first that holds x.
SCREE_INLINE ClosestOnTriangles closest_on_triangles(const Vec3<Eight>& x, const Vec3<Eight>& a, const Vec3<Eight>& b,
                                                     const Vec3<Eight>& c) {
  const Eight::Lanes zero{};
  const Vec3<Eight> ab = b - a, ac = c - a, bc = c - b;
  const Eight a_ab = dot(x - a, ab), a_ac = dot(x - a, ac), b_ab = dot(x - b, ab), b_bc = dot(x - b, bc),
              c_ac = dot(x - c, ac), c_bc = dot(x - c, bc);
  const Vec3<Eight> normal = cross(ab, ac);
  ClosestOnTriangles closest{x - (dot(x - a, normal) / dot(normal, normal)) * normal, Eight(0), {}};
  static_assert(static_cast<int>(TriangleRegion::face) == 0);
  const auto choose = [&](const Eight::Mask& here, const Vec3<Eight>& point, TriangleRegion region) {
    closest.point = select(here, point, closest.point);
    closest.region = here ? Eight::Mask{} + static_cast<long long>(region) : closest.region;
  };
  const auto on_edge = [&](const Vec3<Eight>& from, const Vec3<Eight>& along, const Eight& start, const Eight& end,
                           const Vec3<Eight>& outward, TriangleRegion region) {
    choose((start.lane > zero) & (end.lane < zero) & (dot(x - from, outward).lane >= zero),
           from + (start / (start - end)) * along, region);
  };
  on_edge(a, ac, a_ac, c_ac, cross(normal, ac), TriangleRegion::edge_ca);
  on_edge(b, bc, b_bc, c_bc, cross(bc, normal), TriangleRegion::edge_bc);
  on_edge(a, ab, a_ab, b_ab, cross(ab, normal), TriangleRegion::edge_ab);
  choose((c_ac.lane >= zero) & (c_bc.lane >= zero), c, TriangleRegion::vertex_c);
  choose((b_ab.lane >= zero) & (b_bc.lane <= zero), b, TriangleRegion::vertex_b);
  choose((a_ab.lane <= zero) & (a_ac.lane <= zero), a, TriangleRegion::vertex_a);
  const Vec3<Eight> away = x - closest.point;
  closest.square_distance = dot(away, away);
  return closest;
}

}  // namespace scree::inline SCREE_BACKEND

#endif
