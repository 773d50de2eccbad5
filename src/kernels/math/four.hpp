#pragma once

#include "kernels/math/vec3.hpp"

namespace scree::inline SCREE_BACKEND {

/// Four numbers that are loaded, scaled and added together: one vector register on the host, one or two 16-byte loads
/// on a GPU. Both do the same IEEE operations on each lane. A Vec3 is stored with a zero in the fourth lane.
template <class R>
struct alignas(sizeof(R) == 4 ? 16 : (SCREE_ON_CUDA ? 16 : 32)) Four {
#if SCREE_ON_CUDA
  R lane[4];
  SCREE_INLINE R operator[](int i) const { return lane[i]; }
  SCREE_INLINE static Four of(R a, R b, R c, R d) { return {{a, b, c, d}}; }
  SCREE_INLINE void add_scaled(R factor, const Four& other) {
    for (int i = 0; i < 4; ++i) { lane[i] += factor * other.lane[i]; }
  }
  friend SCREE_INLINE Four operator+(const Four& a, const Four& b) {
    return {{a.lane[0] + b.lane[0], a.lane[1] + b.lane[1], a.lane[2] + b.lane[2], a.lane[3] + b.lane[3]}};
  }
  friend SCREE_INLINE Four operator-(const Four& a, const Four& b) {
    return {{a.lane[0] - b.lane[0], a.lane[1] - b.lane[1], a.lane[2] - b.lane[2], a.lane[3] - b.lane[3]}};
  }
  friend SCREE_INLINE Four operator*(R s, const Four& a) {
    return {{s * a.lane[0], s * a.lane[1], s * a.lane[2], s * a.lane[3]}};
  }
  template <class To>
  [[nodiscard]] SCREE_INLINE Four<To> as() const {
    return {{static_cast<To>(lane[0]), static_cast<To>(lane[1]), static_cast<To>(lane[2]), static_cast<To>(lane[3])}};
  }
#else
  typedef R Lanes __attribute__((vector_size(4 * sizeof(R))));
  typedef R Stored __attribute__((vector_size(4 * sizeof(R)), may_alias));
  Lanes lane;
  SCREE_INLINE R operator[](int i) const { return lane[i]; }
  SCREE_INLINE static Four of(R a, R b, R c, R d) { return {Lanes{a, b, c, d}}; }
  SCREE_INLINE void add_scaled(R factor, const Four& other) { lane += factor * other.lane; }
  friend SCREE_INLINE Four operator+(const Four& a, const Four& b) { return {a.lane + b.lane}; }
  friend SCREE_INLINE Four operator-(const Four& a, const Four& b) { return {a.lane - b.lane}; }
  friend SCREE_INLINE Four operator*(R s, const Four& a) { return {s * a.lane}; }
  template <class To>
  [[nodiscard]] SCREE_INLINE Four<To> as() const {
    return {__builtin_convertvector(lane, typename Four<To>::Lanes)};
  }
#endif

  /// Four numbers that stand together in memory, aligned like a Four.
  SCREE_INLINE static Four load(const R* from) {
#if defined(__CUDA_ARCH__)
    if constexpr (sizeof(R) == 4) {
      const float4 v = *reinterpret_cast<const float4*>(from);
      return {{v.x, v.y, v.z, v.w}};
    } else {
      const double2 a = reinterpret_cast<const double2*>(from)[0], b = reinterpret_cast<const double2*>(from)[1];
      return {{a.x, a.y, b.x, b.y}};
    }
#elif SCREE_ON_CUDA
    return {{from[0], from[1], from[2], from[3]}};
#else
    return {*reinterpret_cast<const Stored*>(from)};
#endif
  }
  /// A copy of one in memory.
  [[nodiscard]] SCREE_INLINE Four read() const {
#if SCREE_ON_CUDA
    return load(lane);
#else
    return *this;
#endif
  }
  SCREE_INLINE void store(R* to) const {
#if defined(__CUDA_ARCH__)
    if constexpr (sizeof(R) == 4) {
      *reinterpret_cast<float4*>(to) = float4{lane[0], lane[1], lane[2], lane[3]};
    } else {
      reinterpret_cast<double2*>(to)[0] = double2{lane[0], lane[1]};
      reinterpret_cast<double2*>(to)[1] = double2{lane[2], lane[3]};
    }
#elif SCREE_ON_CUDA
    for (int i = 0; i < 4; ++i) { to[i] = lane[i]; }
#else
    *reinterpret_cast<Stored*>(to) = lane;
#endif
  }
  /// Square of the vector of the first three.
  [[nodiscard]] SCREE_INLINE R square3() const {
    const Vec3<R> v = vec3();
    return dot(v, v);
  }
  /// These numbers, the fourth of another.
  [[nodiscard]] SCREE_INLINE Four with_fourth_of(const Four& other) const {
#if SCREE_ON_CUDA
    return {{lane[0], lane[1], lane[2], other.lane[3]}};
#else
    return {__builtin_shufflevector(lane, other.lane, 0, 1, 2, 7)};
#endif
  }

  SCREE_INLINE static Four of(const Vec3<R>& a) { return of(a.x, a.y, a.z, R(0)); }
  [[nodiscard]] SCREE_INLINE Vec3<R> vec3() const { return {(*this)[0], (*this)[1], (*this)[2]}; }
};

}  // namespace scree::inline SCREE_BACKEND
