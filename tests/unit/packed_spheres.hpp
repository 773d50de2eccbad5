#pragma once

#include <cstdint>
#include <numbers>

#include "host/packing/fill.hpp"

namespace scree::packing {

inline Fill to_count(std::uint64_t count) { return {{}, count, {}}; }
inline Fill to_fraction(double fraction) { return {{}, {}, fraction}; }

/// [m3] The volume of all spheres.
inline double solid_volume(const Spheres& spheres) {
  double sum = 0;
  for (const double r : spheres.radius) { sum += 4.0 / 3.0 * std::numbers::pi * r * r * r; }
  return sum;
}

}  // namespace scree::packing
