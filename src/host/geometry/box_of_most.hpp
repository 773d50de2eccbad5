#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "host/geometry/real3.hpp"

namespace scree::geometry {

/// A box around points [m], for grids. Along each axis it leaves out one point in two thousand at each end, so that a
/// few lost particles do not stretch the cells of the grid. Without points both corners are 0.
[[nodiscard]] inline Bounds box_of_most(const std::vector<Real3>& points) {
  Bounds box;
  if (points.empty()) { return box; }
  const auto left_out = static_cast<std::ptrdiff_t>(points.size() / 2000);
  std::vector<double> along(points.size());
  for (std::size_t k = 0; k < 3; ++k) {
    std::transform(points.begin(), points.end(), along.begin(), [k](const Real3& x) { return x[k]; });
    std::nth_element(along.begin(), along.begin() + left_out, along.end());
    box.lower[k] = along[static_cast<std::size_t>(left_out)];
    std::nth_element(along.begin(), along.end() - 1 - left_out, along.end());
    box.upper[k] = *(along.end() - 1 - left_out);
  }
  return box;
}

}  // namespace scree::geometry
