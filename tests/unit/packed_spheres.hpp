#pragma once

#include <numbers>

#include "host/packing/fill.hpp"

namespace scree::packing {

/// [m3] The volume of all spheres.
inline double solid_volume(const Spheres& spheres) {
  double sum = 0;
  for (const double r : spheres.radius) { sum += 4.0 / 3.0 * std::numbers::pi * r * r * r; }
  return sum;
}

}  // namespace scree::packing
