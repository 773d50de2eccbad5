#pragma once

#include "kernels/backend/portability.hpp"

namespace scree::inline SCREE_BACKEND {

/// [kg] Mass of a sphere of `radius` [m] and `density` [kg/m3].
SCREE_HD inline double sphere_mass(double radius, double density) {
  return 4.0 / 3.0 * 3.14159265358979323846 * radius * radius * radius * density;
}

}  // namespace scree::inline SCREE_BACKEND
