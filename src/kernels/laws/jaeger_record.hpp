#pragma once

#include "kernels/history/jaeger_top.hpp"
#include "kernels/math/vec3.hpp"

namespace scree::inline SCREE_BACKEND {

/// A number stored with more precision than R: two floats have 48 bits.
template <class R>
struct Wide {
  R high, low;
  static constexpr int n_components = 2;
  SCREE_INLINE static Wide of(double x) {
    const double high = nearest_float(x);
    return {static_cast<R>(high), static_cast<R>(nearest_float(x - high))};
  }
  SCREE_INLINE double value() const { return double(high) + double(low); }
  SCREE_INLINE bool any() const { return high != R(0); }
  template <class Visit>
  SCREE_INLINE void each(int first, Visit&& visit) {
    visit(first, high), visit(first + 1, low);
  }
};
template <>
struct Wide<double> {
  double whole;
  static constexpr int n_components = 1;
  SCREE_INLINE static Wide of(double x) { return {x}; }
  SCREE_INLINE double value() const { return whole; }
  SCREE_INLINE bool any() const { return whole != 0; }
  template <class Visit>
  SCREE_INLINE void each(int first, Visit&& visit) {
    visit(first, whole);
  }
};

/// The state of a contact after a step. none: it has not begun; elastic: nothing slips; slips: an outer part slips;
/// slides: all of it slips.
enum class NewestSegment : std::uint32_t { none, elastic, slips, slides };

/// The record of a Jaeger contact: its first tangent, the two uppermost segments and the force. A contact that has not
/// begun is all zero.
template <class R>
struct JaegerRecord {
  Vec3<R> e1;  ///< [-] first tangent of the frame
  Vec2<R> slope1, slope2;
  R end1;  ///< [m] end at the present overlap
  R end3;  ///< [m] without a sign and rounded up, so that steps that come near it read the pages
  Wide<R> end2, force_x, force_y;
  R rest1;  ///< [m] part that rounding left out of end1, with its sign; only if R is float

  static constexpr int n_components = sizeof(R) == 4 ? 16 : 12;
  template <class Visit>
  SCREE_INLINE void each(Visit&& visit) {
    visit(0, e1.x), visit(1, e1.y), visit(2, e1.z);
    visit(3, slope1.x), visit(4, slope1.y), visit(5, slope2.x), visit(6, slope2.y), visit(7, end1), visit(8, end3);
    constexpr int n = Wide<R>::n_components;
    end2.each(9, visit), force_x.each(9 + n, visit), force_y.each(9 + 2 * n, visit);
    if constexpr (9 + 3 * n < n_components) { visit(9 + 3 * n, rest1); }
  }
  SCREE_INLINE JaegerTop<R> top() const {
    return {first_end(),          end2.value(),         double(end3),
            {slope1.x, slope1.y}, {slope2.x, slope2.y}, {force_x.value(), force_y.value()}};
  }
  SCREE_INLINE void set_top(const JaegerTop<R>& top) {
    slope1 = {top.slope1.x, top.slope1.y};
    slope2 = {top.slope2.x, top.slope2.y};
    if constexpr (has_rest) {
      const auto [high, low] = Wide<R>::of(top.end1);
      end1 = high, rest1 = low;
    } else {
      end1 = top.end1;
    }
    end3 = rounded_up(math::abs(top.end3));
    end2 = Wide<R>::of(top.end2), force_x = Wide<R>::of(top.force.x), force_y = Wide<R>::of(top.force.y);
  }
  /// State of the contact after the last step, from its newest segment.
  SCREE_INLINE NewestSegment newest() const {
    const NewestSegment slip = end2.any() ? NewestSegment::slips : NewestSegment::slides;
    return end1 > R(0) ? NewestSegment::elastic : end1 < R(0) ? slip : NewestSegment::none;
  }
  /// Number of segments in the record.
  SCREE_INLINE std::uint32_t count() const { return (end1 != R(0) ? 1u : 0u) + (end2.any() ? 1u : 0u); }

  static constexpr bool has_rest = sizeof(R) == 4;
  /// [m] The end at the present overlap, signed.
  SCREE_INLINE double first_end() const {
    if constexpr (has_rest) {
      return double(end1) + double(rest1);
    } else {
      return end1;
    }
  }

 private:
  SCREE_INLINE static R rounded_up(double x) {
    if constexpr (sizeof(R) == sizeof(double)) {
      return x;
    } else {
      const double near = nearest_float(x);
      return static_cast<R>(near < x ? near * (1.0 + 0x1p-23) : near);
    }
  }
};

}  // namespace scree::inline SCREE_BACKEND
