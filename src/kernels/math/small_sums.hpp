#pragma once

#include "kernels/math/vec3.hpp"

/// Sums of very many small increments. An addition loses up to 1e-16 of the sum in double precision, which never
/// matters, but 6e-8 in single precision. That is more than a step of gravity adds to the speed of a fast body, or a
/// step of slow shear to a spring force. An increment that is lost in the same way in every step adds up to a large
/// error.
///
/// Velocities keep the rounded-off part (lost_by_sum). Springs of contacts are rounded up or down in turn
/// (leaning_sum), so that the errors of many steps cancel and nothing has to be kept.
namespace scree::inline SCREE_BACKEND {

template <class R>
inline constexpr bool loses_increments = sizeof(R) < sizeof(double);

/// [-] Shift in (-1/2, 1/2), in units of the last place, which is applied to sums in this step. Multiples of the golden
/// ratio fill the interval more evenly than random numbers, in any sequence of steps and for increments of any period.
inline double lean_of_step(std::uint64_t step) {
  const std::uint32_t turns = static_cast<std::uint32_t>(step) * 2654435769u;
  return (double(turns >> 9) + 0.5) * 0x1p-23 - 0.5;
}

/// sum + increment, shifted by `lean` units of the last place and then rounded to the nearest. Without an increment the
/// sum stays the same, but a power of two may go down by one place, once, as places are half as wide below it. With a
/// constant increment, the error after n steps is a few last places instead of n/2.
SCREE_INLINE double leaning_sum(double sum, double increment, double) { return sum + increment; }
SCREE_INLINE float leaning_sum(float sum, float increment, float lean) {
  const std::uint32_t exponent = __builtin_bit_cast(std::uint32_t, sum) & 0x7f800000u;
  const float last_place = __builtin_bit_cast(float, exponent) * 0x1p-23f;
  return sum + (increment + lean * last_place);
}
template <class R>
SCREE_INLINE Vec3<R> leaning_sum(const Vec3<R>& sum, const Vec3<R>& increment, R lean) {
  return {leaning_sum(sum.x, increment.x, lean), leaning_sum(sum.y, increment.y, lean),
          leaning_sum(sum.z, increment.z, lean)};
}

/// Rounding error of sum = a + b. It is exact if |a| >= |b| (Dekker's fast two-sum). Otherwise b is rounded by up to
/// 6e-8 of itself, as in any product.
template <class T>
SCREE_INLINE T lost_by_sum(const T& a, const T& b, const T& sum) {
  return b - (sum - a);
}

}  // namespace scree::inline SCREE_BACKEND
