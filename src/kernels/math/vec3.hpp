#pragma once

#include "kernels/math/functions.hpp"

namespace scree::inline SCREE_BACKEND {

template <class R>
struct Vec3 {
  R x, y, z;

  SCREE_INLINE Vec3& operator+=(const Vec3& b) {
    x += b.x, y += b.y, z += b.z;
    return *this;
  }
  SCREE_INLINE Vec3& operator-=(const Vec3& b) {
    x -= b.x, y -= b.y, z -= b.z;
    return *this;
  }
};

using Vec3d = Vec3<double>;

template <class R>
SCREE_INLINE Vec3<R> operator+(const Vec3<R>& a, const Vec3<R>& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class R>
SCREE_INLINE Vec3<R> operator-(const Vec3<R>& a, const Vec3<R>& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class R>
SCREE_INLINE Vec3<R> operator-(const Vec3<R>& a) {
  return {-a.x, -a.y, -a.z};
}
template <class R>
SCREE_INLINE Vec3<R> operator*(R s, const Vec3<R>& a) {
  return {s * a.x, s * a.y, s * a.z};
}
template <class R>
SCREE_INLINE R dot(const Vec3<R>& a, const Vec3<R>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class R>
SCREE_INLINE Vec3<R> cross(const Vec3<R>& a, const Vec3<R>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <class R>
SCREE_INLINE R norm(const Vec3<R>& a) {
  return math::sqrt(dot(a, a));
}
template <class R>
SCREE_INLINE Vec3<R> select(bool condition, const Vec3<R>& yes, const Vec3<R>& no) {
  return {condition ? yes.x : no.x, condition ? yes.y : no.y, condition ? yes.z : no.z};
}
template <class To, class R>
SCREE_INLINE Vec3<To> convert(const Vec3<R>& a) {
  return {static_cast<To>(a.x), static_cast<To>(a.y), static_cast<To>(a.z)};
}

}  // namespace scree::inline SCREE_BACKEND
