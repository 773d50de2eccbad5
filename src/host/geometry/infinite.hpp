#pragma once

#include <limits>

namespace scree {

/// A limit that does not restrict anything, such as the largest time step of particles that cannot touch anything.
inline constexpr double infinite = std::numeric_limits<double>::infinity();

}  // namespace scree
