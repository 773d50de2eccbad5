#pragma once

#include <cmath>

#include "scree/values.hpp"

/// Vector algebra on Real3 for the host. It uses only + - * / and square roots, so results have the same bits
/// everywhere.
namespace scree::geometry {

[[nodiscard]] inline Real3 add(const Real3& a, const Real3& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
[[nodiscard]] inline Real3 subtract(const Real3& a, const Real3& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
[[nodiscard]] inline Real3 scaled(const Real3& a, double s) { return {a[0] * s, a[1] * s, a[2] * s}; }
/// a + s * b
[[nodiscard]] inline Real3 along(const Real3& a, double s, const Real3& b) {
  return {a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]};
}
[[nodiscard]] inline double dot(const Real3& a, const Real3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
[[nodiscard]] inline Real3 cross(const Real3& a, const Real3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
[[nodiscard]] inline double squared_length(const Real3& a) { return dot(a, a); }
[[nodiscard]] inline double length(const Real3& a) { return std::sqrt(dot(a, a)); }
/// Sine of the largest angle that rounding may cause: directions with a smaller angle between them count as parallel.
inline constexpr double no_lean = 1e-9;

[[nodiscard]] inline bool is_finite(const Real3& a) {
  return std::isfinite(a[0]) && std::isfinite(a[1]) && std::isfinite(a[2]);
}

/// The unit vector along `a`, or zero if the length of `a` is zero or not finite. Scales first, so no square overflows.
[[nodiscard]] inline Real3 unit(const Real3& a) {
  const double largest = std::fmax(std::fabs(a[0]), std::fmax(std::fabs(a[1]), std::fabs(a[2])));
  if (!(largest > 0) || !is_finite(a)) return {};
  const Real3 b = {a[0] / largest, a[1] / largest, a[2] / largest};
  const double norm = length(b);
  return {b[0] / norm, b[1] / norm, b[2] / norm};
}

/// A unit vector at right angles to the unit vector `a`.
[[nodiscard]] inline Real3 any_normal_to(const Real3& a) {
  const bool x_is_small = std::fabs(a[0]) <= std::fabs(a[1]) && std::fabs(a[0]) <= std::fabs(a[2]);
  const bool y_is_small = std::fabs(a[1]) <= std::fabs(a[2]);
  const Real3 helper = x_is_small ? Real3{1, 0, 0} : (y_is_small ? Real3{0, 1, 0} : Real3{0, 0, 1});
  return unit(cross(a, helper));
}

struct Bounds {
  Real3 lower{}, upper{};
};

}  // namespace scree::geometry
