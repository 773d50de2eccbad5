#include "host/geometry/polygon.hpp"

namespace scree::geometry {
namespace {

/// Twice the signed area of a triangle, positive if its corners turn counter-clockwise about the unit normal.
double turn(const Real3& a, const Real3& b, const Real3& c, const Real3& normal) {
  return dot(cross(subtract(b, a), subtract(c, a)), normal);
}

}  // namespace

Real3 area_vector(const std::vector<Real3>& corners) {
  Real3 sum{};
  for (std::size_t k = 1; k + 1 < corners.size(); ++k) {
    sum = add(sum, cross(subtract(corners[k], corners[0]), subtract(corners[k + 1], corners[0])));
  }
  return sum;
}

std::optional<std::vector<std::array<std::size_t, 3>>> triangles_of(const std::vector<Real3>& corners) {
  const Real3 normal = unit(area_vector(corners));
  if (normal == Real3{}) return std::nullopt;
  std::vector<std::size_t> left(corners.size());
  for (std::size_t k = 0; k < left.size(); ++k) left[k] = k;
  std::vector<std::array<std::size_t, 3>> triangles;
  const auto is_ear = [&](std::size_t k) {
    const std::size_t n = left.size(), before = left[(k + n - 1) % n], here = left[k], after = left[(k + 1) % n];
    const Real3 &a = corners[before], &b = corners[here], &c = corners[after];
    if (!(turn(a, b, c, normal) > 0)) return false;
    for (const std::size_t other : left) {
      if (other == before || other == here || other == after) continue;
      const Real3& p = corners[other];
      if (p == a || p == b || p == c) continue;  // an outline with a seam to a hole passes some corners twice
      if (turn(a, b, p, normal) >= 0 && turn(b, c, p, normal) >= 0 && turn(c, a, p, normal) >= 0) return false;
    }
    return true;
  };
  while (left.size() > 3) {
    std::size_t ear = 0;
    while (ear < left.size() && !is_ear(ear)) ++ear;
    if (ear == left.size()) return std::nullopt;
    const std::size_t n = left.size();
    triangles.push_back({left[(ear + n - 1) % n], left[ear], left[(ear + 1) % n]});
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(ear));
  }
  if (!(turn(corners[left[0]], corners[left[1]], corners[left[2]], normal) > 0)) return std::nullopt;
  triangles.push_back({left[0], left[1], left[2]});
  return triangles;
}

std::optional<std::vector<std::array<std::size_t, 3>>> triangles_of_face(const std::vector<Real3>& corners) {
  constexpr std::size_t most_corners = 1000;  // limits the time of ear clipping
  const Real3 normal = unit(area_vector(corners));
  std::vector<std::array<std::size_t, 3>> fan;
  bool is_right = true;
  for (std::size_t k = 2; k < corners.size(); ++k) {
    fan.push_back({0, k - 1, k});
    is_right = is_right && !(turn(corners[0], corners[k - 1], corners[k], normal) < 0);
  }
  if (is_right) return fan;
  return corners.size() > most_corners ? std::nullopt : triangles_of(corners);
}

}  // namespace scree::geometry
