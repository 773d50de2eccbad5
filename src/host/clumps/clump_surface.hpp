#pragma once

#include <vector>

#include "scree/scene.hpp"

namespace scree::clumps {

/// A point of the surface of a union of spheres, with the part of the area that it represents.
struct SurfacePoint {
  std::size_t member;  ///< index of the sphere on which the point lies
  Real3 position{};    ///< [m]
  Real3 normal{};      ///< outward unit normal
  double area = 0;     ///< [m2]
};

/// Points spread evenly over the surface of a shape of size 1, without points inside other members. Each sphere has
/// about 600 points, or fewer (at least 24) if there are many spheres. The points of a sphere form groups of 24 that
/// symmetries of the cube map onto each other, so that their first and second moments are exact within rounding. The
/// bits are the same everywhere.
[[nodiscard]] std::vector<SurfacePoint> surface_points(const ClumpShape& shape);

}  // namespace scree::clumps
