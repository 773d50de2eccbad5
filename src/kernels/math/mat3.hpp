#pragma once

#include "kernels/math/vec3.hpp"

namespace scree::inline SCREE_BACKEND {

/// 3 x 3 matrix, stored by rows.
template <class R>
struct Mat3 {
  Vec3<R> x, y, z;

  SCREE_INLINE Vec3<R> column(int k) const {
    return k == 0 ? Vec3<R>{x.x, y.x, z.x} : (k == 1 ? Vec3<R>{x.y, y.y, z.y} : Vec3<R>{x.z, y.z, z.z});
  }
};

using Mat3d = Mat3<double>;

template <class R>
SCREE_INLINE Mat3<R> identity() {
  return {{R(1), R(0), R(0)}, {R(0), R(1), R(0)}, {R(0), R(0), R(1)}};
}
template <class R>
SCREE_INLINE Vec3<R> operator*(const Mat3<R>& m, const Vec3<R>& v) {
  return {dot(m.x, v), dot(m.y, v), dot(m.z, v)};
}
template <class R>
SCREE_INLINE Mat3<R> transpose(const Mat3<R>& m) {
  return {m.column(0), m.column(1), m.column(2)};
}
template <class R>
SCREE_INLINE Mat3<R> operator*(const Mat3<R>& a, const Mat3<R>& b) {
  const Mat3<R> t = transpose(b);
  return {t * a.x, t * a.y, t * a.z};
}
template <class R>
SCREE_INLINE Mat3<R> operator*(R s, const Mat3<R>& m) {
  return {s * m.x, s * m.y, s * m.z};
}
template <class R>
SCREE_INLINE Mat3<R> operator+(const Mat3<R>& a, const Mat3<R>& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class R>
SCREE_INLINE Mat3<R> operator-(const Mat3<R>& a, const Mat3<R>& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class R>
SCREE_INLINE R determinant(const Mat3<R>& m) {
  return dot(m.x, cross(m.y, m.z));
}
/// Inverse of a regular matrix.
template <class R>
SCREE_INLINE Mat3<R> inverse(const Mat3<R>& m) {
  const Vec3<R> a = cross(m.y, m.z), b = cross(m.z, m.x), c = cross(m.x, m.y);
  const R scale = R(1) / dot(m.x, a);
  return transpose(Mat3<R>{scale * a, scale * b, scale * c});
}
template <class To, class R>
SCREE_INLINE Mat3<To> convert(const Mat3<R>& m) {
  return {convert<To>(m.x), convert<To>(m.y), convert<To>(m.z)};
}
/// Angular velocity [rad/s] of the mean rotation in a velocity gradient [1/s].
template <class R>
SCREE_INLINE Vec3<R> spin_of(const Mat3<R>& gradient) {
  return {R(0.5) * (gradient.z.y - gradient.y.z), R(0.5) * (gradient.x.z - gradient.z.x),
          R(0.5) * (gradient.y.x - gradient.x.y)};
}

}  // namespace scree::inline SCREE_BACKEND
