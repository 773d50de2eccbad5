#include "host/geometry/turn.hpp"

#include <cmath>
#include <utility>

#include "host/geometry/real3.hpp"

namespace scree::geometry {
namespace {

/// Sine and cosine of an angle [rad] of a few turns, by a Taylor series about the nearest multiple of pi/2. The
/// truncation error is below 1e-17.
std::pair<double, double> sine_and_cosine(double angle) {
  constexpr double quarter = 1.5707963267948966, rest_of_quarter = 6.123233995736766e-17;  // their sum is pi/2
  const double quarters = std::nearbyint(angle / quarter);
  const double x = (angle - quarters * quarter) - quarters * rest_of_quarter, y = x * x;
  double sine = 1, cosine = 1;
  for (int n = 9; n >= 1; --n) {
    sine = 1 - sine * y / (2 * n * (2 * n + 1));
    cosine = 1 - cosine * y / (2 * n * (2 * n - 1));
  }
  sine *= x;
  switch (static_cast<int>(quarters) & 3) {
    case 0: return {sine, cosine};
    case 1: return {cosine, -sine};
    case 2: return {-sine, -cosine};
    default: return {-cosine, sine};
  }
}

}  // namespace

void turn(std::vector<Real3>& points, const Turn& turn) {
  const Real3 axis = unit(turn.axis);
  const auto [sine, cosine] = sine_and_cosine(turn.angle);
  for (Real3& point : points) {
    const Real3 along_axis = scaled(axis, dot(axis, point)), across = subtract(point, along_axis);
    point = add(along_axis, add(scaled(across, cosine), scaled(cross(axis, point), sine)));
  }
}

}  // namespace scree::geometry
