#pragma once

#include "kernels/math/functions.hpp"

namespace scree::inline SCREE_BACKEND {

namespace math {

/// One iteration of Halley's method for the cube root of x, from the estimate y.
template <class R>
SCREE_INLINE R nearer_cube_root(R y, R x) {
  const R cube = y * y * y;
  return y * ((cube + x + x) / (cube + cube + x));
}

/// Cube root of a number in [0, 1e12], accurate to a few roundings. Arguments below 1e-30 give the root of 1e-30.
/// Square roots give the start x^(21/64), from which three iterations of Halley's method suffice. There is no loop,
/// because a loop would keep the caller from being vectorised.
template <class R>
SCREE_INLINE R cbrt(R a) {
  const R x = max(a, R(1e-30));
  const R quarter = sqrt(sqrt(x));
  const R closer = sqrt(sqrt(x * quarter));
  const R start = sqrt(sqrt(x * closer));
  return nearer_cube_root(nearer_cube_root(nearer_cube_root(start, x), x), x);
}

/// Fifth root of a number in [1, 1e6], accurate to a few roundings, by Newton's method from above. It exists in double
/// only, since it is rarely called.
SCREE_INLINE double fifth_root(double x) {
  double y = sqrt(sqrt(x));
  for (int k = 0; k < 9; ++k) {
    const double square = y * y;
    y = 0.8 * y + 0.2 * (x / (square * square));
  }
  return y;
}

}  // namespace math

}  // namespace scree::inline SCREE_BACKEND
