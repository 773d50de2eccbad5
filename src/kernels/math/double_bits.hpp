#pragma once

#include <cstdint>

#include "kernels/backend/portability.hpp"

/// The bits of doubles, and powers of two by them.
namespace scree::inline SCREE_BACKEND {

SCREE_HD inline std::uint64_t bits_of(double value) {
#if defined(__CUDA_ARCH__)
  return static_cast<std::uint64_t>(__double_as_longlong(value));
#else
  return __builtin_bit_cast(std::uint64_t, value);
#endif
}

SCREE_HD inline double double_of(std::uint64_t bits) {
#if defined(__CUDA_ARCH__)
  return __longlong_as_double(static_cast<long long>(bits));
#else
  return __builtin_bit_cast(double, bits);
#endif
}

/// The largest e with 2^e <= |value|. -1023 for 0 and subnormal numbers; 1024 for infinities and NaNs.
SCREE_HD inline int exponent_of(double value) { return static_cast<int>((bits_of(value) >> 52) & 0x7ff) - 1023; }

/// 2^exponent, for exponents from -1022 to 1023.
SCREE_HD inline double power_of_two(int exponent) {
  return double_of(static_cast<std::uint64_t>(exponent + 1023) << 52);
}

}  // namespace scree::inline SCREE_BACKEND
