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

/// The same with other last digits: without divisions, conversions and loops, so that compilers compute several of them
/// by vectors. The even and the odd terms of the series are two sums, which do not wait for each other.
SCREE_HD inline double quick_exponential(double x) {
  constexpr double to_whole = 0x1.8p52;  // a sum with it is rounded to a whole number, which stands in its last bits
  const double shifted = x * 1.4426950408889634074 + to_whole, k = shifted - to_whole;
  const double r = (x - k * 0.693147180369123816490) - k * 1.90821492927058770002e-10, y = r * r;
  double even = 1.0 / 479001600, odd = 1.0 / 6227020800;  // 1/12! and 1/13!; further terms are below rounding
  even = even * y + 1.0 / 3628800, odd = odd * y + 1.0 / 39916800;
  even = even * y + 1.0 / 40320, odd = odd * y + 1.0 / 362880;
  even = even * y + 1.0 / 720, odd = odd * y + 1.0 / 5040;
  even = even * y + 1.0 / 24, odd = odd * y + 1.0 / 120;
  even = even * y + 1.0 / 2, odd = odd * y + 1.0 / 6;
  even = even * y + 1, odd = odd * y + 1;
  return (even + r * odd) * double_of((bits_of(shifted) + 1023) << 52);
}

}  // namespace scree::inline SCREE_BACKEND::math
