#pragma once

#include <concepts>

#include "kernels/math/vec2.hpp"

namespace scree::inline SCREE_BACKEND {

/// Rounds a number to the 24 bits of a float; |x| may be up to 1e300, and below 1e-30 the result is 0. It works in
/// double because g++ 12, when it vectorises straight code, takes the conversion of pairs from double to float and back
/// for the identity. The conversions around this function are exact.
SCREE_INLINE double nearest_float(double x) {
  const double big = x * 0x20000001p0;
  const double rounded = big - (big - x);
  return math::abs(x) < 1e-30 ? 0.0 : rounded;
}

/// One piece of the load history of a Jaeger contact. While the half overlap zeta grew from the end of the piece below
/// to `end`, the contact moved tangentially by kappa mu slope d(zeta), in the frame of the contact. The b of the
/// literature is mu slope. |slope| <= 1, and it is 1 if the piece slips. The size is 16 bytes with float and 24 with
/// double. The normal force at the end, A end^1.5, is not stored.
template <class R>
struct JaegerSegment {
  double signed_end;   ///< [m] half overlap at the end; negative if the piece slips
  Vec2<R> kept_slope;  ///< [-] as it is stored

  SCREE_INLINE static JaegerSegment make(double end, const Vec2<double>& slope, bool slips) {
    return {slips ? -end : end, stored(slope)};
  }
  SCREE_INLINE static Vec2<R> stored(const Vec2<double>& slope) {
    if constexpr (sizeof(R) == sizeof(double)) {
      return slope;
    } else {
      return {static_cast<R>(nearest_float(slope.x)), static_cast<R>(nearest_float(slope.y))};
    }
  }
  SCREE_INLINE double end() const { return math::abs(signed_end); }
  SCREE_INLINE bool slips() const { return signed_end < 0.0; }

  /// The slope; that of a slipping piece is scaled to a length of exactly 1. Otherwise its rounding to float would
  /// accumulate, step by step, in a force that grows slowly.
  SCREE_INLINE Vec2<double> slope() const {
    const Vec2<double> s = convert<double>(kept_slope);
    if constexpr (sizeof(R) == sizeof(double)) {
      return s;
    } else {
      const double factor = 1.5 - 0.5 * dot(s, s);  // 1 / |s|: for |s| within 1e-7 of 1, accurate to 1e-14
      return (slips() ? factor : 1.0) * s;
    }
  }
};

/// Parameters of the law for one contact. The model is homogeneous: any unit of length may replace the metre if A uses
/// it, too.
template <class R>
struct JaegerValues {
  R hertz;  ///< [N m^-1.5] A: normal force A zeta^1.5 of the half overlap zeta
  /// [-] 1 / (kappa mu), where kappa is the ratio of normal to tangential stiffness without slip
  R inverse_reach;
  R friction;              ///< [-] mu
  R merging = R(0);        ///< [-] alpha / mu: pieces of elastic loading whose slopes differ by less are merged
  std::uint32_t most = 0;  ///< segments kept per contact; 0 = all

  /// Parameters from A, kappa and mu. Without friction the contact slides in every step, and its tangential force is 0.
  SCREE_HD static JaegerValues of(double hertz, double kappa, double friction) {
    return {static_cast<R>(hertz), static_cast<R>(1 / (kappa * math::max(friction, 1e-30))), static_cast<R>(friction)};
  }
  /// [N] The same half overlap always gives the same bits. What a sum of slope (N_i - N_(i-1)) gains in one step it
  /// therefore loses in another, but for the rounding of sums in double. The relative error is below 3e-14, also if R
  /// is float: segments may be thinner than the last place of a float, and their shares are differences of these
  /// forces. With float the root is that of a float, corrected by one step of Newton's method, since double roots are
  /// slow.
  SCREE_INLINE double normal_force(double zeta) const {
    if constexpr (sizeof(R) == sizeof(double)) {
      return hertz * zeta * math::sqrt(zeta);
    } else {
      const R near = math::sqrt(static_cast<R>(zeta));
      const double root = near;
      const R rest = static_cast<R>(zeta - root * root);  // the square is exact
      const R correction = R(0.5) * rest / math::max(near, R(1e-30));
      return double(hertz) * zeta * (root + double(correction));
    }
  }
};

/// [N] Tangential force over mu of a segment during which the normal force changes from `from` to `to`.
SCREE_INLINE Vec2<double> jaeger_share(double from, double to, const Vec2<double>& slope) {
  return (to - from) * slope;
}

/// A container of the segments of one contact, from bottom to top.
template <class S, class R>
concept JaegerStack = requires(S& stack, const S& seen, const JaegerSegment<R>& segment) {
  { seen.size() } -> std::convertible_to<std::uint32_t>;
  { seen.top() } -> std::convertible_to<JaegerSegment<R>>;        // size() > 0
  { seen.below_top() } -> std::convertible_to<JaegerSegment<R>>;  // size() > 1
  { seen.below_end() } -> std::convertible_to<double>;  // [m] end of the segment below the top, 0 if there is none
  stack.push(segment);
  stack.pop();
  stack.replace_top(segment);
  stack.clear();
};
/// The further functions that limiting the number of segments needs.
template <class S, class R>
concept JaegerArray = JaegerStack<S, R> &&
    requires(S& stack, const S& seen, std::uint32_t i, const JaegerSegment<R>& segment) {
  { seen.at(i) } -> std::convertible_to<JaegerSegment<R>>;
  stack.replace(i, segment);
  stack.erase(i);  // segments above move down by one
};

/// Segments in memory of another owner.
template <class R>
struct JaegerSpan {
  JaegerSegment<R>* data;
  std::uint32_t n = 0;

  SCREE_INLINE std::uint32_t size() const { return n; }
  SCREE_INLINE JaegerSegment<R> top() const { return data[n - 1]; }
  SCREE_INLINE JaegerSegment<R> below_top() const { return data[n - 2]; }
  SCREE_INLINE double below_end() const { return n > 1 ? data[n - 2].end() : 0.0; }
  SCREE_INLINE JaegerSegment<R> at(std::uint32_t i) const { return data[i]; }
  SCREE_INLINE void push(const JaegerSegment<R>& segment) { data[n++] = segment; }
  SCREE_INLINE void pop() { --n; }
  SCREE_INLINE void replace_top(const JaegerSegment<R>& segment) { data[n - 1] = segment; }
  SCREE_INLINE void replace(std::uint32_t i, const JaegerSegment<R>& segment) { data[i] = segment; }
  SCREE_INLINE void erase(std::uint32_t i) {
    --n;
    for (; i < n; ++i) { data[i] = data[i + 1]; }
  }
  SCREE_INLINE void clear() { n = 0; }
};
static_assert(JaegerArray<JaegerSpan<float>, float>);

}  // namespace scree::inline SCREE_BACKEND
