#pragma once

#include <numbers>

namespace scree::geometry {

/// [m3] Fills depend on its last bit: another order of the factors would change packings.
[[nodiscard]] inline double sphere_volume(double radius) {
  return 4.0 / 3.0 * std::numbers::pi * radius * radius * radius;
}

}  // namespace scree::geometry
