#pragma once

#include <limits>

namespace scree::probe {

/// A measured value where there is nothing to measure: a mean of no particles.
inline constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

}  // namespace scree::probe
