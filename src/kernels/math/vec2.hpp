#pragma once

#include "kernels/math/functions.hpp"

namespace scree::inline SCREE_BACKEND {

template <class R>
struct Vec2 {
  R x, y;

  SCREE_INLINE Vec2& operator+=(const Vec2& b) {
    x += b.x, y += b.y;
    return *this;
  }
  SCREE_INLINE Vec2& operator-=(const Vec2& b) {
    x -= b.x, y -= b.y;
    return *this;
  }
};

template <class R>
SCREE_INLINE Vec2<R> operator+(const Vec2<R>& a, const Vec2<R>& b) {
  return {a.x + b.x, a.y + b.y};
}
template <class R>
SCREE_INLINE Vec2<R> operator-(const Vec2<R>& a, const Vec2<R>& b) {
  return {a.x - b.x, a.y - b.y};
}
template <class R>
SCREE_INLINE Vec2<R> operator*(R s, const Vec2<R>& a) {
  return {s * a.x, s * a.y};
}
template <class R>
SCREE_INLINE R dot(const Vec2<R>& a, const Vec2<R>& b) {
  return a.x * b.x + a.y * b.y;
}
/// Third component of the cross product.
template <class R>
SCREE_INLINE R cross(const Vec2<R>& a, const Vec2<R>& b) {
  return a.x * b.y - a.y * b.x;
}
template <class R>
SCREE_INLINE R norm(const Vec2<R>& a) {
  return math::sqrt(dot(a, a));
}
template <class To, class R>
SCREE_INLINE Vec2<To> convert(const Vec2<R>& a) {
  return {static_cast<To>(a.x), static_cast<To>(a.y)};
}
template <class R>
SCREE_INLINE Vec2<R> select(bool condition, const Vec2<R>& yes, const Vec2<R>& no) {
  return {condition ? yes.x : no.x, condition ? yes.y : no.y};
}

}  // namespace scree::inline SCREE_BACKEND
