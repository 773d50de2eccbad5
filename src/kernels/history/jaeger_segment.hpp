#pragma once

#include <concepts>

#include "kernels/math/vec2.hpp"

namespace scree::inline SCREE_BACKEND {

/// A number of length up to 1e300, rounded to the 24 bits of a float; 0 below 1e-30. In double, since g++ 12 takes
/// double to float to double for the identity in pairs of numbers (when it vectorises straight code), and the
/// conversions around this are exact.
SCREE_INLINE double nearest_float(double x) {
  const double big = x * 0x20000001p0;
  const double rounded = big - (big - x);
  return math::abs(x) < 1e-30 ? 0.0 : rounded;
}

/// One piece of the load history of a Jaeger contact: while the half overlap zeta grew from the end of the piece below
/// to `end`, the contact moved along by kappa mu slope d(zeta), in the frame of the contact. b of the literature is mu
/// slope. |slope| <= 1, and 1 where the piece slips. 16 bytes with float, 24 with double. The normal force at the end,
/// A end^1.5, is not stored.
template <class R>
struct JaegerSegment {
  double signed_end;   ///< [m] half overlap at the end, positive; with a minus where the piece slips
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

  /// That of a slip zone is exactly 1 long: else its rounding to float would, step by step, add to a force that grows
  /// slowly.
  SCREE_INLINE Vec2<double> slope() const {
    const Vec2<double> s = convert<double>(kept_slope);
    if constexpr (sizeof(R) == sizeof(double)) {
      return s;
    } else {
      const double factor = 1.5 - 0.5 * dot(s, s);  // 1 / |s|, for a length of 1 + 1e-7 to 1e-14
      return (slips() ? factor : 1.0) * s;
    }
  }
};

/// What the law knows of one contact. The model is homogeneous: any unit of length may stand for the metre as long as A
/// is in it, too.
template <class R>
struct JaegerValues {
  R hertz;  ///< [N m^-1.5] A: normal force A zeta^1.5 of the half overlap zeta
  /// [-] 1 / (kappa mu), kappa being normal over tangential stiffness of a contact that does not slip
  R inverse_reach;
  R friction;              ///< [-] mu
  R merging = R(0);        ///< [-] alpha / mu: pieces of elastic loading whose slopes differ by less are merged
  std::uint32_t most = 0;  ///< segments that are kept per contact; 0 = all

  /// Without friction the contact slides in every step, and its force is 0.
  SCREE_HD static JaegerValues of(double hertz, double kappa, double friction) {
    return {static_cast<R>(hertz), static_cast<R>(1 / (kappa * math::max(friction, 1e-30))), static_cast<R>(friction)};
  }
  /// [N] Always the same for the same half overlap: what a sum of slope (N_i - N_(i-1)) gains with one step it loses
  /// with another, and no error of rounding grows, also when R is float.
  SCREE_INLINE R normal_force(double half_overlap) const {
    const R zeta = static_cast<R>(half_overlap);
    return hertz * zeta * math::sqrt(zeta);
  }
};

/// [N] Tangential force over mu of a segment over which the normal force grows from one to the other.
template <class R>
SCREE_INLINE Vec2<double> jaeger_share(R from, R to, const Vec2<double>& slope) {
  return (double(to) - double(from)) * slope;
}

/// Elastic constants of one of two bodies, and its radius; a wall has the radius 0, for infinite.
struct JaegerBody {
  double shear_modulus;  ///< [Pa]
  double poisson_ratio;  ///< [-]
  double radius;         ///< [m]
};

/// A, kappa and the mean radius of a pair:
///   1/E* = sum of (1 - nu) / (2 G),  1/G* = sum of (2 - nu) / G,  R = 2 / (1/R1 + 1/R2),
///   A = (8/3) E* sqrt(R),  kappa = E* / (4 G*),
/// exact for equal materials, else as usual for Hertz-Mindlin contacts.
struct JaegerElasticity {
  double young;        ///< [Pa] E*
  double kappa;        ///< [-]
  double mean_radius;  ///< [m] R: the contact radius is sqrt(R zeta)
  SCREE_HD double hertz() const { return 8.0 / 3.0 * young * math::sqrt(mean_radius); }
};
SCREE_HD inline JaegerElasticity jaeger_elasticity(const JaegerBody& a, const JaegerBody& b) {
  const double young =
      1 / ((1 - a.poisson_ratio) / (2 * a.shear_modulus) + (1 - b.poisson_ratio) / (2 * b.shear_modulus));
  const double shear = 1 / ((2 - a.poisson_ratio) / a.shear_modulus + (2 - b.poisson_ratio) / b.shear_modulus);
  const double curvature = (a.radius > 0 ? 1 / a.radius : 0.0) + (b.radius > 0 ? 1 / b.radius : 0.0);
  return {young, young / (4 * shear), 2 / curvature};
}

/// Where the segments of one contact are kept, bottom to top.
template <class S, class R>
concept JaegerStack = requires(S& stack, const S& seen, const JaegerSegment<R>& segment) {
  { seen.size() } -> std::convertible_to<std::uint32_t>;
  { seen.top() } -> std::convertible_to<JaegerSegment<R>>;        // size() > 0
  { seen.below_top() } -> std::convertible_to<JaegerSegment<R>>;  // size() > 1
  { seen.below_end() } -> std::convertible_to<double>;  // [m] end of the segment below the top, 0 where there is none
  stack.push(segment);
  stack.pop();
  stack.replace_top(segment);
  stack.clear();
};
/// What limiting the number of segments needs beyond that.
template <class S, class R>
concept JaegerArray = JaegerStack<S, R> &&
    requires(S& stack, const S& seen, std::uint32_t i, const JaegerSegment<R>& segment) {
  { seen.at(i) } -> std::convertible_to<JaegerSegment<R>>;
  stack.replace(i, segment);
  stack.erase(i);  // what is above moves down by one
};

/// Segments in memory that somebody else owns.
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
