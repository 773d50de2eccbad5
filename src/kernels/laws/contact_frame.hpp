#pragma once

#include "kernels/laws/turning.hpp"
#include "kernels/math/vec2.hpp"

/// The frame of a contact that remembers more than one tangential force. The unit tangent e1 is stored, and e2 = n x
/// e1. The frame turns by the smallest rotation from the old normal to the new one, and by half of the twist of the two
/// bodies about the normal (Kuhn 2011, section 3.2, eq. 12-14; exact rotations instead of increments of quaternions).
namespace scree::inline SCREE_BACKEND {

/// A unit tangent that depends on the normal alone.
template <class R>
SCREE_INLINE Vec3<R> first_tangent(const Vec3<R>& n) {
  const bool steep = math::abs(n.x) > R(0.6);
  const Vec3<R> axis{steep ? R(0) : R(1), steep ? R(1) : R(0), R(0)};
  const Vec3<R> tangent = axis - dot(axis, n) * n;
  return (R(1) / norm(tangent)) * tangent;
}

/// The tangent e1 one step later, or first_tangent(n) if e1 is 0. `old_branch` and `spin` are those of
/// turn_with_contact().
template <class R>
SCREE_INLINE Vec3<R> carried_tangent(const Vec3<R>& e1, const Vec3<R>& n, const Vec3<R>& old_branch,
                                     const Vec3<R>& spin, R time_step, [[maybe_unused]] R lean = R(0)) {
  Vec3<R> turned, carried;
  R square;
  if constexpr (loses_increments<R>) {
    const Vec3<R> change = change_of_turn(e1, n, old_branch, spin, time_step);
    turned = e1 + change;
    square = dot(turned, turned);
    // The length is restored by a small change. A division by the length would round all components anew in every step.
    const R missing = R(0.5) * (R(1) - square), longer = math::abs(missing) > R(1e-6) ? missing : R(0);
    carried = select(math::abs(longer) < R(1e-3), leaning_sum(e1, change + longer * turned, lean),
                     (R(1) / math::sqrt(math::max(square, R(1e-37)))) * turned);
  } else {
    turned = turn_with_contact(e1, n, old_branch, spin, time_step);
    square = dot(turned, turned);
    carried = (R(1) / math::sqrt(math::max(square, R(1e-37)))) * turned;
  }
  // If the normal reversed in one step, no tangent can be carried over: that is a new contact.
  return select(square > R(0.25), carried, first_tangent(n));
}

template <class R>
struct ContactFrame {
  Vec3<R> e1, e2;

  SCREE_INLINE static ContactFrame of(const Vec3<R>& n, const Vec3<R>& e1) {
    return {{e1.x, e1.y, e1.z}, cross(n, e1)};
  }
  SCREE_INLINE Vec2<R> local(const Vec3<R>& v) const { return {dot(v, e1), dot(v, e2)}; }
};

/// [m] Tangential movement of body 2 relative to body 1 in one step, at the contact point. `move` is the movement of
/// the centres. `rolling` = l1 dtheta1 + l2 dtheta2, where l1 and l2 are the distances of the contact point from the
/// centres. `middle_normal` is the normal in the middle of the step, parallel to the sum of the normals before and
/// after. With the normal after the step, a pair that rotates as one body would seem to slip by (l1 + l2) angle^2 / 2
/// per step.
template <class R>
SCREE_INLINE Vec3<R> tangential_movement(const Vec3<R>& move, const Vec3<R>& rolling, const Vec3<R>& middle_normal) {
  const Vec3<R> relative = move - cross(rolling, middle_normal);
  return relative - dot(relative, middle_normal) * middle_normal;
}

}  // namespace scree::inline SCREE_BACKEND
