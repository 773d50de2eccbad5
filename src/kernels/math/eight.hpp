#pragma once

#include "kernels/math/quaternion.hpp"

#if !SCREE_ON_CUDA

#if defined(__AVX512F__)
#include <immintrin.h>
#endif

/// Eight numbers side by side, for eight bodies that are worked on together by the vector instructions of the host. A
/// template over the type of numbers does the same IEEE operations on each of them as it does on a double, so it gives
/// the same bits.
namespace scree::inline SCREE_BACKEND {

struct Eight {
  static constexpr int n = 8;
  typedef double Lanes __attribute__((vector_size(64)));
  typedef double Unaligned __attribute__((vector_size(64), aligned(8), may_alias));
  typedef long long Mask __attribute__((vector_size(64)));  ///< all bits of a lane, or none

  Lanes lane;

  Eight() = default;
  /// The same number eight times.
  SCREE_INLINE explicit Eight(double all) : lane{all, all, all, all, all, all, all, all} {}
  SCREE_INLINE explicit Eight(const Lanes& lanes) : lane(lanes) {}

  SCREE_INLINE static Eight load(const double* from) {
    Eight eight;
    eight.lane = *reinterpret_cast<const Unaligned*>(from);  // a reference to it would be taken as aligned
    return eight;
  }
  SCREE_INLINE void store(double* to) const { *reinterpret_cast<Unaligned*>(to) = lane; }

  SCREE_INLINE Eight& operator+=(const Eight& b) {
    lane += b.lane;
    return *this;
  }
  SCREE_INLINE Eight& operator-=(const Eight& b) {
    lane -= b.lane;
    return *this;
  }
  friend SCREE_INLINE Eight operator-(const Eight& a) { return Eight(-a.lane); }
  friend SCREE_INLINE Eight operator+(const Eight& a, const Eight& b) { return Eight(a.lane + b.lane); }
  friend SCREE_INLINE Eight operator-(const Eight& a, const Eight& b) { return Eight(a.lane - b.lane); }
  friend SCREE_INLINE Eight operator*(const Eight& a, const Eight& b) { return Eight(a.lane * b.lane); }
  friend SCREE_INLINE Eight operator/(const Eight& a, const Eight& b) { return Eight(a.lane / b.lane); }

  friend SCREE_INLINE Eight select(const Mask& condition, const Eight& yes, const Eight& no) {
    return Eight(condition ? yes.lane : no.lane);
  }

  /// Bit i is set if a < b, or a <= b, in lane i.
  friend SCREE_INLINE unsigned bits_below(const Eight& a, const Eight& b) {
#if defined(__AVX512F__)
    return _mm512_cmp_pd_mask(a.lane, b.lane, _CMP_LT_OQ);
#else
    return bits_where([&](int i) { return a.lane[i] < b.lane[i]; });
#endif
  }
  friend SCREE_INLINE unsigned bits_up_to(const Eight& a, const Eight& b) {
#if defined(__AVX512F__)
    return _mm512_cmp_pd_mask(a.lane, b.lane, _CMP_LE_OQ);
#else
    return bits_where([&](int i) { return a.lane[i] <= b.lane[i]; });
#endif
  }

 private:
  template <class Is>
  static SCREE_INLINE unsigned bits_where(Is&& is) {
    unsigned bits = 0;
    for (int i = 0; i < n; ++i) { bits |= (is(i) ? 1u : 0u) << i; }
    return bits;
  }
};

inline constexpr unsigned all_eight = 255;

template <>
struct DoubleLike<Eight> {
  using Type = Eight;
};

namespace math {
SCREE_INLINE Eight sqrt(const Eight& a) {
#if defined(__AVX512F__)
  return Eight(static_cast<Eight::Lanes>(_mm512_maskz_sqrt_pd(all_eight, a.lane)));
#else
  Eight root;
  for (int i = 0; i < Eight::n; ++i) { root.lane[i] = math::sqrt(a.lane[i]); }
  return root;
#endif
}
/// -1, 0 or 1 in each lane.
SCREE_INLINE Eight sign(const Eight& a) {
  const Eight::Lanes zero{}, one = Eight(1).lane;
  return Eight(a.lane > zero ? one : (a.lane < zero ? -one : zero));
}
}  // namespace math

// The operators take the factor by reference, unlike the templates: g++ warns of vectors that are passed by value.
SCREE_INLINE Vec3<Eight> operator*(const Eight& s, const Vec3<Eight>& a) { return {s * a.x, s * a.y, s * a.z}; }
SCREE_INLINE Quaternion<Eight> operator*(const Eight& s, const Quaternion<Eight>& a) {
  return {s * a.w, s * a.x, s * a.y, s * a.z};
}

SCREE_INLINE Quaternion<Eight> normalised(const Quaternion<Eight>& q) { return (Eight(1) / math::sqrt(dot(q, q))) * q; }

SCREE_INLINE Vec3<Eight> select(const Eight::Mask& condition, const Vec3<Eight>& yes, const Vec3<Eight>& no) {
  return {select(condition, yes.x, no.x), select(condition, yes.y, no.y), select(condition, yes.z, no.z)};
}

/// Lane i of eight vectors.
SCREE_INLINE Vec3d in_lane(const Vec3<Eight>& v, int i) { return {v.x.lane[i], v.y.lane[i], v.z.lane[i]}; }

/// The terms of the series of turn_minus_one(), from the last to the first.
SCREE_INLINE void add_terms(int last, int first, const Eight& y, Eight& sine, Eight& cosine) {
  const Eight one(1);
  for (int n = last; n >= first; --n) {
    sine = one - sine * y * Eight(1.0 / double(2 * n * (2 * n + 1)));
    cosine = one - cosine * y * Eight(1.0 / double((2 * n + 1) * (2 * n + 2)));
  }
}

/// exp(h) - 1, as for one vector. Lanes with a half angle beyond 1, which hardly occur, are computed one by one.
SCREE_INLINE Quaternion<Eight> turn_minus_one(const Vec3<Eight>& h) {
  const Eight one(1), few_terms(1e-3), y = dot(h, h);
  Eight sine(1), cosine(1);
  const unsigned small = bits_below(y, few_terms);
  if (small != all_eight) {
    add_terms(9, 5, y, sine, cosine);
    const auto is_small = y.lane < few_terms.lane;
    sine.lane = is_small ? one.lane : sine.lane;
    cosine.lane = is_small ? one.lane : cosine.lane;
  }
  add_terms(4, 1, y, sine, cosine);
  Quaternion<Eight> turn{Eight(-0.5) * y * cosine, sine * h.x, sine * h.y, sine * h.z};
  if (small != all_eight) {
    const unsigned by_series = bits_up_to(y, one);
    for (int i = 0; i < Eight::n; ++i) {
      if ((by_series >> i & 1u) != 0) { continue; }
      const Quaterniond q = turn_minus_one(in_lane(h, i));
      turn.w.lane[i] = q.w, turn.x.lane[i] = q.x, turn.y.lane[i] = q.y, turn.z.lane[i] = q.z;
    }
  }
  return turn;
}

}  // namespace scree::inline SCREE_BACKEND

#endif
