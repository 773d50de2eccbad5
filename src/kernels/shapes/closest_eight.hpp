#pragma once

#include "kernels/math/eight.hpp"
#include "kernels/shapes/closest.hpp"

#if !SCREE_ON_CUDA

namespace scree::inline SCREE_BACKEND {

/// [m2] Square of the distance from x to the closed triangle abc, for eight pairs of both. The same operations as in
/// closest_on_triangle(), but all regions are computed, and the first that holds x is selected.
SCREE_INLINE Eight square_distance_to_triangle(const Vec3<Eight>& x, const Vec3<Eight>& a, const Vec3<Eight>& b,
                                               const Vec3<Eight>& c) {
  const Eight::Lanes zero{};
  const Vec3<Eight> ab = b - a, ac = c - a, bc = c - b;
  const Eight a_ab = dot(x - a, ab), a_ac = dot(x - a, ac), b_ab = dot(x - b, ab), b_bc = dot(x - b, bc),
              c_ac = dot(x - c, ac), c_bc = dot(x - c, bc);
  const Vec3<Eight> normal = cross(ab, ac);
  Vec3<Eight> point = x - (dot(x - a, normal) / dot(normal, normal)) * normal;
  const auto on_edge = [&](const Vec3<Eight>& from, const Vec3<Eight>& along, const Eight& start, const Eight& end,
                           const Vec3<Eight>& outward) {
    const Eight::Mask here = (start.lane > zero) & (end.lane < zero) & (dot(x - from, outward).lane >= zero);
    point = select(here, from + (start / (start - end)) * along, point);
  };
  on_edge(a, ac, a_ac, c_ac, cross(normal, ac));
  on_edge(b, bc, b_bc, c_bc, cross(bc, normal));
  on_edge(a, ab, a_ab, b_ab, cross(ab, normal));
  point = select((c_ac.lane >= zero) & (c_bc.lane >= zero), c, point);
  point = select((b_ab.lane >= zero) & (b_bc.lane <= zero), b, point);
  point = select((a_ab.lane <= zero) & (a_ac.lane <= zero), a, point);
  const Vec3<Eight> away = x - point;
  return dot(away, away);
}

}  // namespace scree::inline SCREE_BACKEND

#endif
