#include "host/clumps/orientation.hpp"

#include <cmath>

#include "host/geometry/real3.hpp"

namespace scree::clumps {

Orientation unit_orientation(const Orientation& q) {
  const double size = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]),
               factor = (q[0] < 0 ? -1 : 1) / size;
  return {q[0] * factor, q[1] * factor, q[2] * factor, q[3] * factor};
}

Orientation orientation_of(const std::array<Real3, 3>& frame) {
  // Row k has 4 times the products of component k with all components. The row of the largest component suffers no
  // cancellation.
  const auto m = [&](std::size_t row, std::size_t column) { return frame[column][row]; };
  const Orientation w = {1 + m(0, 0) + m(1, 1) + m(2, 2), m(2, 1) - m(1, 2), m(0, 2) - m(2, 0), m(1, 0) - m(0, 1)};
  const Orientation x = {w[1], 1 + m(0, 0) - m(1, 1) - m(2, 2), m(0, 1) + m(1, 0), m(0, 2) + m(2, 0)};
  const Orientation y = {w[2], x[2], 1 - m(0, 0) + m(1, 1) - m(2, 2), m(1, 2) + m(2, 1)};
  const Orientation z = {w[3], x[3], y[3], 1 - m(0, 0) - m(1, 1) + m(2, 2)};
  if (w[0] >= 1) return unit_orientation(w);
  if (x[1] >= y[2] && x[1] >= z[3]) return unit_orientation(x);
  return unit_orientation(y[2] >= z[3] ? y : z);
}

Orientation random_orientation(packing::Random& random) {
  while (true) {
    Orientation q{};
    double squared = 0;
    for (double& component : q) {
      component = random.uniform(-1, 1);
      squared += component * component;
    }
    if (squared > 1e-6 && squared <= 1) return unit_orientation(q);
  }
}

Orientation product(const Orientation& a, const Orientation& b) {
  return {a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3], a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
          a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1], a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]};
}

Real3 turned(const Orientation& orientation, const Real3& vector) {
  const Real3 axis = {orientation[1], orientation[2], orientation[3]};
  const Real3 across = geometry::along(geometry::cross(axis, vector), orientation[0], vector);
  return geometry::along(vector, 2, geometry::cross(axis, across));
}

}  // namespace scree::clumps
