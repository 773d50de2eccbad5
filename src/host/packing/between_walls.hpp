#pragma once

#include <cmath>

/// A sphere between two parallel walls, along one axis.
namespace scree::packing {

constexpr double fit_tolerance = 1e-9;  ///< of the radius: spheres may reach so far through a wall, by rounding alone

/// [m] How far a sphere may reach through two walls that leave its centre the length `room`. It is 0, unless the room
/// is just as large as the sphere, where rounding would decide whether it fits.
[[nodiscard]] inline double slack_in(double room, double radius) {
  return room < 2 * fit_tolerance * radius ? fit_tolerance * radius : 0;
}

/// Whether a sphere at `x` lies between the walls at `low` and `high`.
[[nodiscard]] inline bool fits_between(double x, double radius, double low, double high) {
  const double slack = slack_in(high - low - 2 * radius, radius);
  return x - radius >= low - slack && x + radius <= high + slack;
}

/// The place nearest to `x` at which the sphere fits; the middle if the room is too narrow or just wide enough.
[[nodiscard]] inline double pulled_between(double x, double radius, double low, double high) {
  const double room = radius * (1 + fit_tolerance);  // so that rounding cannot put it outside
  if (!(low + room <= high - room)) return 0.5 * (low + high);
  return std::fmax(low + room, std::fmin(x, high - room));
}

}  // namespace scree::packing
