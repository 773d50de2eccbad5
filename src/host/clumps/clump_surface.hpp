#pragma once

#include <vector>

#include "scree/scene.hpp"

namespace scree::clumps {

/// A point of the surface of a union of spheres, which stands for a part of its area.
struct SurfacePoint {
  std::size_t member;  ///< whose sphere it lies on
  Real3 position{};    ///< [m]
  Real3 normal{};      ///< outward
  double area = 0;     ///< [m2]
};

/// Points spread evenly over the surface of a shape at size 1; those inside other members are left out. About 600 on
/// each sphere, fewer (24 at least) where there are many. Those of one whole sphere have moments of first and second
/// order as exact as rounding, since they come in groups of 24 that the symmetries of a cube (its even ones and their
/// mirror images) map onto each other. The same bits everywhere.
[[nodiscard]] std::vector<SurfacePoint> surface_points(const ClumpShape& shape);

}  // namespace scree::clumps
