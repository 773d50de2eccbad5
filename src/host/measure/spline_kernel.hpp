#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "host/geometry/real3.hpp"

/// The kernel over which a point is spread in space: phi(x) = b(x1) b(x2) b(x3) with the cubic B-spline b, which is 0
/// from the distance `width` on, positive before, twice differentiable, and has the integral 1. Its standard deviation
/// along each axis is width / sqrt(12). Being a product, it can be integrated over cells of a grid in closed form.
namespace scree::spline {

/// The spline of unit knots, for 0 <= u <= 2.
[[nodiscard]] inline double value(double u) {
  const double rest = 2 - u;
  return u < 1 ? 2.0 / 3.0 - u * u * (1 - 0.5 * u) : rest * rest * rest / 6;
}
/// Its integral from u to infinity, for 0 <= u <= 2.
[[nodiscard]] inline double tail(double u) {
  const double rest = (2 - u) * (2 - u);
  return u < 1 ? 0.5 - u * (2.0 / 3.0 - u * u * (1.0 / 3.0 - 0.125 * u)) : rest * rest / 24;
}
/// Its integral between two places. Only small numbers are subtracted in the tails.
[[nodiscard]] inline double between(double low, double high) {
  if (low >= 0) { return std::max(0.0, tail(std::min(low, 2.0)) - tail(std::min(high, 2.0))); }
  if (high <= 0) { return between(-high, -low); }
  return 1 - tail(std::min(-low, 2.0)) - tail(std::min(high, 2.0));
}

/// One axis of a grid.
struct Axis {
  double low = 0, edge = 1;  ///< [m] lowest end, edge of a cell
  std::size_t cells = 1;
  double width = 1;  ///< [m] of the kernel

  [[nodiscard]] double at(std::size_t cell) const { return low + static_cast<double>(cell) * edge; }
  /// The cells that the kernel about a point between two places [m] can reach: from first to last - 1.
  struct Reach {
    std::size_t first = 0, last = 0;
    [[nodiscard]] std::size_t size() const { return last - first; }
  };
  [[nodiscard]] Reach reach(double lowest, double highest) const {
    const double n = static_cast<double>(cells);
    const double first = std::floor((lowest - width - low) / edge), last = std::ceil((highest + width - low) / edge);
    if (!(first < n && last > 0)) { return {}; }
    return {static_cast<std::size_t>(std::max(first, 0.0)), static_cast<std::size_t>(std::min(last, n))};
  }
  /// The share of the kernel about `point` [m] in each of these cells.
  void shares(double point, const Reach& in, std::vector<double>& result) const {
    const double scale = 2 / width;
    result.resize(in.size());
    double low_end = scale * (at(in.first) - point);
    for (std::size_t i = 0; i < in.size(); ++i) {
      const double high_end = scale * (at(in.first + i + 1) - point);
      result[i] = between(low_end, high_end);
      low_end = high_end;
    }
  }
  /// [1/m] What the integral over each of these cells changes by when the cells move along the axis.
  void slopes(double point, const Reach& in, std::vector<double>& result) const {
    const double scale = 2 / width;
    const auto at_face = [&](std::size_t face) {
      const double u = std::fabs(scale * (at(face) - point));
      return u < 2 ? scale * value(u) : 0;
    };
    result.resize(in.size());
    double low_face = at_face(in.first);
    for (std::size_t i = 0; i < in.size(); ++i) {
      const double high_face = at_face(in.first + i + 1);
      result[i] = high_face - low_face;
      low_face = high_face;
    }
  }
};

using Axes = std::array<Axis, 3>;

}  // namespace scree::spline
