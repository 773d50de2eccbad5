#pragma once

#include "host/geometry/real3.hpp"
#include "host/packing/between_walls.hpp"
#include "host/packing/random.hpp"

/// Places of a sphere in a box.
namespace scree::packing {

/// Whether a sphere at `centre` lies in the box.
[[nodiscard]] inline bool fits_in_box(const geometry::Bounds& box, const Real3& centre, double radius) {
  for (std::size_t k = 0; k < 3; ++k) {
    if (!fits_between(centre[k], radius, box.lower[k], box.upper[k])) { return false; }
  }
  return true;
}

/// The place nearest to `centre` at which the sphere fits; see pulled_between().
[[nodiscard]] inline Real3 pulled_into_box(const geometry::Bounds& box, const Real3& centre, double radius) {
  Real3 inside{};
  for (std::size_t k = 0; k < 3; ++k) { inside[k] = pulled_between(centre[k], radius, box.lower[k], box.upper[k]); }
  return inside;
}

/// A place drawn uniformly from those at which the sphere fits.
[[nodiscard]] inline Real3 random_in_box(const geometry::Bounds& box, double radius, Random& random) {
  Real3 centre{};
  for (std::size_t k = 0; k < 3; ++k) { centre[k] = random.uniform(box.lower[k] + radius, box.upper[k] - radius); }
  return centre;
}

}  // namespace scree::packing
