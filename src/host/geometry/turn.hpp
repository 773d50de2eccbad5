#pragma once

#include <vector>

#include "scree/values.hpp"

namespace scree::geometry {

/// Turns points about an axis through the origin. The axis has a length above 0. Uses no mathematical functions of the
/// C library, so the bits are the same everywhere.
void turn(std::vector<Real3>& points, const Turn& turn);

}  // namespace scree::geometry
