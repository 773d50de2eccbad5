#pragma once

#include <limits>

namespace scree {

/// A bound that does not bind: the time step of particles that nothing can touch.
inline constexpr double infinite = std::numeric_limits<double>::infinity();

}  // namespace scree
