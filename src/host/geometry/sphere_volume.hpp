#pragma once

#include <numbers>

namespace scree::geometry {

/// Volume [m3] of a sphere. Keep the order of the factors: packings depend on the last bit of the result.
[[nodiscard]] inline double sphere_volume(double radius) {
  return 4.0 / 3.0 * std::numbers::pi * radius * radius * radius;
}

}  // namespace scree::geometry
