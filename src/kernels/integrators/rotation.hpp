#pragma once

#include "kernels/math/quaternion.hpp"

/// Rotation of one body whose principal moments of inertia differ. All integrators have the same state and the same
///   static void step(Rotor<R>&, const Vec3<R>& inertia, const Vec3<R>& torque, const RotationTimes<R>&).
namespace scree::inline SCREE_BACKEND {

/// How one body turns. Its orientation is always double, as positions are: a slow turn of 1e-8 per step must not be
/// lost.
template <class R>
struct Rotor {
  Quaterniond orientation;   ///< on the step; principal axes of the body -> world, unit length
  Vec3<R> angular_velocity;  ///< [rad/s] world, in the middle of the last step; at the start: on the step
  Vec3<R> angular_momentum;  ///< [kg m2/s] world, at the same time; only used where Integrator::keeps_momentum
};

/// Times of a step. The kick brings the spin from the middle of the last step to the middle of the next: half of both
/// steps together. It is half a step at the start, where the velocities are given on the step.
template <class R>
struct RotationTimes {
  R kick;  ///< [s]
  R move;  ///< [s]
};

template <class R>
SCREE_INLINE Vec3<R> times_each(const Vec3<R>& a, const Vec3<R>& b) {
  return {a.x * b.x, a.y * b.y, a.z * b.z};
}
template <class R>
SCREE_INLINE Vec3<R> one_by_each(const Vec3<R>& a) {
  return {R(1) / a.x, R(1) / a.y, R(1) / a.z};
}

/// (I w) x w [N m] in principal axes. Euler's equations are I dw/dt = torque + (I w) x w.
template <class R>
SCREE_INLINE Vec3<R> gyroscopic(const Vec3<R>& inertia, const Vec3<R>& w) {
  return {(inertia.y - inertia.z) * w.y * w.z, (inertia.z - inertia.x) * w.z * w.x,
          (inertia.x - inertia.y) * w.x * w.y};
}

/// The orientation after `change` in the body's axes, q (1 + change), at unit length again.
template <class R>
SCREE_INLINE Quaterniond turned(const Quaterniond& q, const Quaternion<R>& change) {
  return normalised(q + q * convert<double>(change));
}

/// Spin in principal axes in the middle of the last step [rad/s]. The last turn was about the spin itself, so that its
/// components are those at the end of the step, too.
template <class R>
SCREE_INLINE Vec3<R> body_spin(const Rotor<R>& rotor) {
  return rotate_back(convert<R>(rotor.orientation), rotor.angular_velocity);
}

/// A turn with the spin as it is: of a body whose rotation is imposed.
template <class R>
SCREE_INLINE void turn_at_constant_spin(Rotor<R>& rotor, R move) {
  rotor.orientation = turned(rotor.orientation, turn_minus_one(R(0.5) * move * body_spin(rotor)));
}

/// Kinetic energy of the rotation in the middle of the last step [J].
template <class R>
SCREE_INLINE R rotation_energy(const Rotor<R>& rotor, const Vec3<R>& inertia) {
  const Vec3<R> w = body_spin(rotor);
  return R(0.5) * dot(w, times_each(inertia, w));
}

/// Angular momentum in the middle of the last step [kg m2/s], world; `move` is the length of that step, 0 at the start.
/// The orientation must be that of the middle, too: taken from the end, the error would be of first order.
template <class R>
SCREE_INLINE Vec3<R> momentum_in_the_middle(const Rotor<R>& rotor, const Vec3<R>& inertia, R move) {
  const Vec3<R> w = body_spin(rotor);
  const Quaterniond middle = turned(rotor.orientation, turn_minus_one(R(-0.25) * move * w));
  return rotate(convert<R>(middle), times_each(inertia, w));
}

}  // namespace scree::inline SCREE_BACKEND
