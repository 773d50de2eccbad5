#pragma once

#include <vector>

#include "scree/values.hpp"

namespace scree::geometry {

/// Rotates points about an axis through the origin (Rodrigues' formula). The axis must not be zero. Uses no
/// mathematical functions of the C library, so the bits are the same everywhere.
void turn(std::vector<Real3>& points, const Turn& turn);

}  // namespace scree::geometry
