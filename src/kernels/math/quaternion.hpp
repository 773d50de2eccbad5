#pragma once

#include "kernels/math/vec3.hpp"

namespace scree::inline SCREE_BACKEND {

/// w + xi + yj + zk. An orientation is a quaternion of unit length that turns body components into world components:
/// v_world = q v_body q*.
template <class R>
struct Quaternion {
  R w, x, y, z;
};

using Quaterniond = Quaternion<double>;

/// The type of numbers that are double in every precision, beside numbers of type R.
template <class R>
struct DoubleLike {
  using Type = double;
};

template <class R>
SCREE_INLINE Quaternion<R> operator+(const Quaternion<R>& a, const Quaternion<R>& b) {
  return {a.w + b.w, a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class R>
SCREE_INLINE Quaternion<R> operator*(R s, const Quaternion<R>& a) {
  return {s * a.w, s * a.x, s * a.y, s * a.z};
}
/// Hamilton's product. As rotations: first b, then a.
template <class R>
SCREE_INLINE Quaternion<R> operator*(const Quaternion<R>& a, const Quaternion<R>& b) {
  return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
          a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}
template <class R>
SCREE_INLINE Quaternion<R> conjugate(const Quaternion<R>& q) {
  return {q.w, -q.x, -q.y, -q.z};
}
template <class R>
SCREE_INLINE R dot(const Quaternion<R>& a, const Quaternion<R>& b) {
  return a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class R>
SCREE_INLINE Quaternion<R> normalised(const Quaternion<R>& q) {
  return (R(1) / math::sqrt(dot(q, q))) * q;
}
template <class To, class R>
SCREE_INLINE Quaternion<To> convert(const Quaternion<R>& q) {
  return {static_cast<To>(q.w), static_cast<To>(q.x), static_cast<To>(q.y), static_cast<To>(q.z)};
}

/// World components of a vector with body components v, for a unit quaternion: v + 2 u x (u x v + w v).
template <class R>
SCREE_INLINE Vec3<R> rotate(const Quaternion<R>& q, const Vec3<R>& v) {
  const Vec3<R> u{q.x, q.y, q.z};
  return v + R(2) * cross(u, cross(u, v) + q.w * v);
}
/// Body components of a vector with world components v.
template <class R>
SCREE_INLINE Vec3<R> rotate_back(const Quaternion<R>& q, const Vec3<R>& v) {
  return rotate(conjugate(q), v);
}

/// The rotation of a unit quaternion as a matrix, which is cheaper for several vectors.
template <class R>
struct RotationMatrix {
  Vec3<R> row_x, row_y, row_z;
  SCREE_INLINE Vec3<R> operator*(const Vec3<R>& v) const { return {dot(row_x, v), dot(row_y, v), dot(row_z, v)}; }
};
template <class R>
SCREE_INLINE RotationMatrix<R> matrix_of(const Quaternion<R>& q) {
  const R xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z, xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
  const R wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
  return {{R(1) - R(2) * (yy + zz), R(2) * (xy - wz), R(2) * (xz + wy)},
          {R(2) * (xy + wz), R(1) - R(2) * (xx + zz), R(2) * (yz - wx)},
          {R(2) * (xz - wy), R(2) * (yz + wx), R(1) - R(2) * (xx + yy)}};
}

/// exp(h) - 1 = (cos |h| - 1, sin |h| / |h| h): the change of the unit quaternion 1 by a rotation, where h [rad] is
/// half the angle along the axis. The difference from 1 is returned, because a small rotation would be rounded away in
/// a sum with 1. Taylor series up to |h| = 1 (truncation error below 1e-17).
template <class R>
SCREE_INLINE Quaternion<R> turn_minus_one(const Vec3<R>& h) {
  const R y = dot(h, h);
  R sine = R(1), cosine = R(1);  // sin(t)/t and (1 - cos t) 2/t^2
  if (y <= R(1)) {
    const auto series = [&](int terms) {
      for (int n = terms; n >= 1; --n) {
        sine = R(1) - sine * y * (R(1) / R(2 * n * (2 * n + 1)));
        cosine = R(1) - cosine * y * (R(1) / R((2 * n + 1) * (2 * n + 2)));
      }
    };
    y < R(1e-3) ? series(4) : series(9);  // four terms suffice here: y^5/11! is below rounding
    return {R(-0.5) * y * cosine, sine * h.x, sine * h.y, sine * h.z};
  }
  const double angle = math::sqrt(double(y));
  const math::SineCosine both = math::sincos(angle);
  sine = static_cast<R>(both.sine / angle);
  return {static_cast<R>(both.cosine - 1.0), sine * h.x, sine * h.y, sine * h.z};
}

}  // namespace scree::inline SCREE_BACKEND
