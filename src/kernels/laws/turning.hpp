#pragma once

#include "kernels/math/small_sums.hpp"

namespace scree::inline SCREE_BACKEND {

/// The change of a vector when it is turned by half of the twist of the two bodies about the normal. `spin` [rad/s] is
/// the sum of the two angular velocities.
template <class R>
SCREE_INLINE Vec3<R> change_by_twist(const Vec3<R>& v, const Vec3<R>& n, const Vec3<R>& spin, R time_step) {
  // tan(angle / 2) by its series, then the rational form of the rotation, which keeps the length at any angle.
  const R angle = R(0.5) * time_step * dot(n, spin);
  const R half = R(0.5) * angle;
  const R tangent = half + half * half * half * R(1.0 / 3.0);
  const R weight = R(2) * tangent / (R(1) + tangent * tangent);
  return weight * (cross(n, v) - tangent * v);
}

/// Turns a tangential force from the last step with its contact: first by the smallest rotation that takes the old
/// normal to the new one, then by half of the twist of the two bodies about the normal. Both are exact rotations, so
/// the length of the force does not drift, however many turns the contact makes. `old_branch` [m] is the old branch
/// vector, of any length; `spin` [rad/s] is the sum of the two angular velocities.
template <class R>
SCREE_INLINE Vec3<R> turn_with_contact(const Vec3<R>& force, const Vec3<R>& n, const Vec3<R>& old_branch,
                                       const Vec3<R>& spin, R time_step) {
  const R old_length = norm(old_branch);
  // f - (n.f)/(1 + n_old.n) (n_old + n), multiplied out by the old length. There is no such rotation for a reversed
  // normal: the denominator is kept away from zero, and the projection below removes the remainder.
  const R tilt = dot(n, force) / math::max(old_length + dot(old_branch, n), R(1e-6) * old_length + R(1e-37));
  const Vec3<R> tilted = force - tilt * (old_branch + old_length * n);
  const Vec3<R> twisted = tilted + change_by_twist(tilted, n, spin, time_step);
  return twisted - dot(n, twisted) * n;  // rounding only
}

/// The change of a force by turn_with_contact(), accurate to its own rounding also if it is small. A component along
/// the normal that may come from rounding is left: removing it would round the force anew in every step of a contact at
/// rest. It is a remainder, not an increment, so nothing is lost by waiting until it is larger.
template <class R>
SCREE_INLINE Vec3<R> change_of_turn(const Vec3<R>& force, const Vec3<R>& n, const Vec3<R>& old_branch,
                                    const Vec3<R>& spin, R time_step) {
  const R old_length = norm(old_branch), along = dot(n, force);
  const R seen = along * along > R(1e-12) * dot(force, force) ? along : R(0);
  const R tilt = seen / math::max(old_length + dot(old_branch, n), R(1e-6) * old_length + R(1e-37));
  const Vec3<R> by_tilt = -tilt * (old_branch + old_length * n);
  const Vec3<R> tilted = force + by_tilt;
  return by_tilt + change_by_twist(tilted, n, spin, time_step);
}

}  // namespace scree::inline SCREE_BACKEND
