#pragma once

#include "kernels/backend/portability.hpp"

namespace scree::inline SCREE_BACKEND {

/// Decay of a velocity under a damping force over a time, where x is the rate times the time.
struct Decay {
  double left, mean;  ///< [-] at the end and on average, over the value at the start: exp(-x) and (1 - exp(-x)) / x
};

/// Sums the series for x / 2^n and squares the result n times. x must not be negative. Uses only + * /, so that the
/// bits are the same everywhere.
SCREE_HD inline Decay decay(double x) {
  if (x > 700) { return {0, 1 / x}; }
  int halvings = 0;
  double part = x;
  for (; part > 0.25; part *= 0.5) { ++halvings; }
  double left = 1, mean = 1;  // by Horner's rule; the terms after part^15 / 15! are below rounding
  for (int n = 15; n >= 1; --n) {
    mean = 1 - mean * part / double(n + 1);
    left = 1 - left * part / double(n);
  }
  for (int k = 0; k < halvings; ++k) {
    mean *= 0.5 * (1 + left);  // the second half of the time starts from the velocity after the first half
    left *= left;
  }
  return {left, mean};
}

}  // namespace scree::inline SCREE_BACKEND
