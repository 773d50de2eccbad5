#pragma once

#include <cmath>

#include "kernels/backend/portability.hpp"

/// Elementary functions that give the same bits on every backend. Square root and division are correctly rounded on all
/// of them, and floor is exact. Every other function that the kernels need is written here with + - * /.
namespace scree::inline SCREE_BACKEND {

namespace math {

template <class R>
SCREE_INLINE R min(R a, R b) {
  return b < a ? b : a;
}
template <class R>
SCREE_INLINE R max(R a, R b) {
  return a < b ? b : a;
}
template <class R>
SCREE_INLINE R abs(R a) {
  return a < R(0) ? -a : a;
}
SCREE_INLINE float sqrt(float a) { return ::sqrtf(a); }
SCREE_INLINE double sqrt(double a) { return ::sqrt(a); }
SCREE_INLINE double floor(double a) { return ::floor(a); }
template <class R>
SCREE_INLINE R square(R a) {
  return a * a;
}

/// ln(1 - t) for t in [0, 0.95], with a small relative error also for small t. Two square roots reduce the argument,
/// then the series of the inverse hyperbolic tangent is summed (relative truncation error below 1e-13, and below 1e-16
/// up to t = 0.8).
template <class R>
SCREE_INLINE R log_of_one_minus(R t) {
  const R root = sqrt(R(1) - t);
  const R fourth = sqrt(root);
  const R z = t / ((R(1) + root) * square(R(1) + fourth));  // (1 - fourth) / (1 + fourth)
  const R y = z * z;
  R sum = R(1.0 / 25);
  for (int n = 23; n >= 1; n -= 2) { sum = sum * y + R(1) / R(n); }
  return R(-8) * z * sum;
}

struct SineCosine {
  double sine, cosine;
};

/// Sine and cosine of an angle [rad] with |angle| up to about 1e8. The angle is reduced by multiples of pi/2, which is
/// split in three parts; Taylor series follow on [-pi/4, pi/4] (truncation error below 1e-17).
SCREE_HD inline SineCosine sincos(double angle) {
  const double turns = angle * 0.63661977236758134308;  // 2/pi
  const double nearest = double(static_cast<long long>(turns < 0 ? turns - 0.5 : turns + 0.5));
  // The first two parts of pi/2 have 30 bits each, so their products are exact.
  const double x =
      ((angle - nearest * 1.570796325802803) - nearest * 9.920935791635221e-10) - nearest * 5.170182981794105e-19;
  const double y = x * x;
  double s = 0, c = 0;
  for (int n = 10; n >= 1; --n) {
    s = (1.0 + s) * (-y / double(2 * n * (2 * n + 1)));
    c = (1.0 + c) * (-y / double((2 * n - 1) * (2 * n)));
  }
  s = x + x * s;
  c = 1.0 + c;
  switch (static_cast<long long>(nearest) & 3) {
    case 0: return {s, c};
    case 1: return {c, -s};
    case 2: return {-s, -c};
    default: return {-c, s};
  }
}

}  // namespace math

}  // namespace scree::inline SCREE_BACKEND
