#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

/// Types of values that many parts of a case have.
namespace scree {

using Real3 = std::array<double, 3>;
using QuaternionWxyz = std::array<double, 4>;  ///< w, x, y, z; of length 1

/// A turn about an axis through the origin.
struct Turn {
  Real3 axis{0, 0, 1};  ///< of any length
  double angle = 0;     ///< [rad] counterclockwise, seen from the tip of the axis
};

/// A JSON object whose keys are names chosen by the user, in the order of the file.
template <class T>
using Named = std::vector<std::pair<std::string, T>>;

}  // namespace scree
