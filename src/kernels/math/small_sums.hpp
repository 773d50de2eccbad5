#pragma once

#include "kernels/math/vec3.hpp"

/// Sums of very many small increments. What an addition loses is up to 1e-16 of the sum in double precision, which
/// never matters, but 6e-8 in single precision: a step of gravity is less beside the speed of a fast body, and a step
/// of slow shear beside the force so far. Lost the same way in every step, it adds up.
///
/// Velocities keep what was rounded off (add_with_carry). Springs of contacts do with less: they are rounded up or down
/// in turn (leaning_sum), so that the errors of many steps cancel and nothing more need be kept.
namespace scree::inline SCREE_BACKEND {

template <class R>
inline constexpr bool loses_increments = sizeof(R) < sizeof(double);

/// [-] In (-1/2, 1/2): by how much of a last place sums lean in a step. Multiples of the golden ratio fill their range
/// more evenly than random numbers, in any stretch of steps and whatever period an increment may have.
inline double lean_of_step(std::uint64_t step) {
  const std::uint32_t turns = static_cast<std::uint32_t>(step) * 2654435769u;
  return (double(turns >> 9) + 0.5) * 0x1p-23 - 0.5;
}

/// sum + increment, rounded to the nearest after it was shifted by `lean` of a last place. A sum without an increment
/// stays; with a constant one, n steps are off by a few last places, not by n/2 of them.
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

/// What a + b has lost as `sum`: exactly, where |a| >= |b| (Dekker's fast two-sum). Where not, b is rounded by up to
/// 6e-8 of itself, as any product is.
template <class T>
SCREE_INLINE T lost_by_sum(const T& a, const T& b, const T& sum) {
  return b - (sum - a);
}

}  // namespace scree::inline SCREE_BACKEND
