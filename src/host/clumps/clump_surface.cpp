#include "host/clumps/clump_surface.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "host/geometry/real3.hpp"

namespace scree::clumps {
namespace {

using namespace geometry;

/// Points of a spiral from pole to pole, turned by the golden angle from one to the next. Each point comes with its 24
/// images under cyclic permutations of the axes and reflections.
std::vector<Real3> directions(std::size_t n_spiral) {
  constexpr double cosine = -0.73736887807831990, sine = 0.67549029426152362;  // of the golden angle, pi (3 - sqrt(5))
  std::vector<Real3> all;
  double c = 1, s = 0;
  for (std::size_t k = 0; k < n_spiral; ++k) {
    const double z = 1 - (2 * double(k) + 1) / double(n_spiral), across = std::sqrt(1 - z * z);
    const Real3 point = {across * c, across * s, z};
    for (std::size_t shift = 0; shift < 3; ++shift) {
      for (unsigned mirror = 0; mirror < 8; ++mirror) {
        Real3 image;
        for (std::size_t i = 0; i < 3; ++i) {
          image[i] = (mirror >> i & 1u) != 0 ? -point[(i + shift) % 3] : point[(i + shift) % 3];
        }
        all.push_back(image);
      }
    }
    const double turned = c * cosine - s * sine;
    s = s * cosine + c * sine;
    c = turned;
  }
  return all;
}

/// Whether a point of the surface of `member` lies inside another member. If several members are the same sphere, the
/// surface belongs to the first.
bool is_covered(const ClumpShape& shape, std::size_t member, const std::vector<std::size_t>& near, const Real3& point) {
  return std::any_of(near.begin(), near.end(), [&](std::size_t other) {
    const double square = squared_length(subtract(point, shape.position[other])), radius = shape.radius[other];
    const bool same = shape.position[other] == shape.position[member] && radius == shape.radius[member];
    return same ? other < member : square < radius * radius;
  });
}

}  // namespace

std::vector<SurfacePoint> surface_points(const ClumpShape& shape) {
  constexpr std::size_t most_on_spiral = 25, on_all_spirals = 2000;
  const std::size_t n = shape.radius.size();
  const std::vector<Real3> all =
      directions(std::clamp<std::size_t>(on_all_spirals / std::max<std::size_t>(n, 1), 1, most_on_spiral));
  std::vector<SurfacePoint> points;
  for (std::size_t k = 0; k < n; ++k) {
    const double radius = shape.radius[k], area = 4 * std::numbers::pi * radius * radius / double(all.size());
    std::vector<std::size_t> near;
    for (std::size_t other = 0; other < n; ++other) {
      const double reach = radius + shape.radius[other];
      if (other != k && squared_length(subtract(shape.position[other], shape.position[k])) < reach * reach)
        near.push_back(other);
    }
    for (const Real3& normal : all) {
      const Real3 position = along(shape.position[k], radius, normal);
      if (!is_covered(shape, k, near, position)) points.push_back({k, position, normal, area});
    }
  }
  return points;
}

}  // namespace scree::clumps
