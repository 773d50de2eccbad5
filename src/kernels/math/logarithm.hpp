#pragma once

#include "kernels/math/double_bits.hpp"
#include "kernels/math/functions.hpp"

namespace scree::inline SCREE_BACKEND::math {

/// Natural logarithm of a normal number x > 0, to a few units in the last place, and to an absolute error of 1e-16 near
/// x = 1. With x = 2^k m and m in [sqrt(1/2), sqrt(2)) it is k ln 2 + 2 artanh(z), z = (m - 1)/(m + 1), |z| < 0.1716.
SCREE_HD inline double logarithm(double x) {
  const std::uint64_t bits = bits_of(x);
  double exponent = static_cast<int>(bits >> 52) - 1023;
  double m = double_of((bits & 0xfffffffffffffULL) | 0x3ff0000000000000ULL);
  if (m > 1.4142135623730951) { m = 0.5 * m, exponent += 1; }
  const double z = (m - 1) / (m + 1), y = z * z;
  double sum = 1.0 / 21;  // not a loop: g++ 12 would not compute several logarithms by vectors
  sum = sum * y + 1.0 / 19, sum = sum * y + 1.0 / 17, sum = sum * y + 1.0 / 15, sum = sum * y + 1.0 / 13;
  sum = sum * y + 1.0 / 11, sum = sum * y + 1.0 / 9, sum = sum * y + 1.0 / 7, sum = sum * y + 1.0 / 5;
  sum = sum * y + 1.0 / 3, sum = sum * y + 1;
  return exponent * 0.6931471805599453094 + 2 * z * sum;
}

/// e^x for |x| <= 700, to a relative error of 1e-15. With x = k ln 2 + r and |r| <= ln(2)/2 it is 2^k times the Taylor
/// series of e^r.
SCREE_HD inline double exponential(double x) {
  const double turns = x * 1.4426950408889634074;
  const auto k = static_cast<long long>(turns < 0 ? turns - 0.5 : turns + 0.5);
  // The first part of ln 2 has 32 bits, so its product with k is exact.
  const double r = (x - double(k) * 0.693147180369123816490) - double(k) * 1.90821492927058770002e-10;
  double sum = 1;
  for (int n = 14; n >= 1; --n) { sum = 1 + sum * (r / n); }
  return sum * power_of_two(static_cast<int>(k));
}

}  // namespace scree::inline SCREE_BACKEND::math
