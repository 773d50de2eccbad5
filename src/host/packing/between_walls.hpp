#pragma once

#include <cmath>

/// Places of a sphere between two parallel walls, along one axis.
namespace scree::packing {

/// How far a sphere may reach through a wall because of rounding, over its radius.
constexpr double fit_tolerance = 1e-9;

/// How far [m] a sphere may reach through two walls between which its centre can move by `room` [m]. This is 0 unless
/// the walls are one diameter apart within rounding: there rounding alone would decide whether the sphere fits.
[[nodiscard]] inline double slack_in(double room, double radius) {
  return room < 2 * fit_tolerance * radius ? fit_tolerance * radius : 0;
}

/// Whether a sphere at `x` lies between the walls at `low` and `high`.
[[nodiscard]] inline bool fits_between(double x, double radius, double low, double high) {
  const double slack = slack_in(high - low - 2 * radius, radius);
  return x - radius >= low - slack && x + radius <= high + slack;
}

/// The place nearest to `x` at which the sphere fits; the middle between the walls if the sphere barely fits or does
/// not.
[[nodiscard]] inline double pulled_between(double x, double radius, double low, double high) {
  const double room = radius * (1 + fit_tolerance);  // so that rounding cannot put it outside
  if (!(low + room <= high - room)) return 0.5 * (low + high);
  return std::fmax(low + room, std::fmin(x, high - room));
}

}  // namespace scree::packing
