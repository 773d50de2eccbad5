#include "host/geometry/symmetric_matrix.hpp"

#include <cmath>
#include <cstddef>

namespace scree::geometry {

Matrix3 diagonalise(Matrix3& m) {
  Matrix3 axes = {Real3{1, 0, 0}, Real3{0, 1, 0}, Real3{0, 0, 1}};
  const double negligible = 1e-13 * (std::fabs(m[0][0]) + std::fabs(m[1][1]) + std::fabs(m[2][2]));
  for (int sweep = 0; sweep < 30; ++sweep) {
    bool done = true;
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t i = (k + 1) % 3, j = (k + 2) % 3;
      if (std::fabs(m[i][j]) <= (sweep == 0 ? negligible : 1e-3 * negligible)) continue;
      done = false;
      const double theta = (m[j][j] - m[i][i]) / (2 * m[i][j]);
      const double t = (theta < 0 ? -1 : 1) / (std::fabs(theta) + std::sqrt(theta * theta + 1));
      const double c = 1 / std::sqrt(t * t + 1), s = t * c;
      for (std::size_t n = 0; n < 3; ++n) {  // columns i and j
        const double a = m[n][i], b = m[n][j];
        m[n][i] = c * a - s * b;
        m[n][j] = s * a + c * b;
      }
      for (std::size_t n = 0; n < 3; ++n) {  // rows
        const double a = m[i][n], b = m[j][n], u = axes[i][n], v = axes[j][n];
        m[i][n] = c * a - s * b;
        m[j][n] = s * a + c * b;
        axes[i][n] = c * u - s * v;
        axes[j][n] = s * u + c * v;
      }
    }
    if (done) break;
  }
  return axes;
}

}  // namespace scree::geometry
