#pragma once

#include "kernels/math/quaternion.hpp"

/// Rotation of one body with different principal moments of inertia. All integrators have the same state and the same
///   static void step(Rotor<R>&, const Vec3<R>& inertia, const Vec3<R>& torque, const RotationTimes<R>&).
/// They have no jumps, so that R may also be a vector of numbers (Eight); With<R> is the integrator for other numbers.
namespace scree::inline SCREE_BACKEND {

/// Rotational state of one body. The orientation is always double, as positions are, because a slow rotation of 1e-8
/// per step must not be lost.
template <class R>
struct Rotor {
  /// at the time of positions; principal axes of the body -> world, unit length
  Quaternion<typename DoubleLike<R>::Type> orientation;
  /// [rad/s] world, in the middle of the last step; at the start of a run at the time of positions
  Vec3<R> angular_velocity;
  Vec3<R> angular_momentum;  ///< [kg m2/s] world, at the same time; used only if Integrator::keeps_momentum
};

/// Times of a step. The kick brings the spin from the middle of the last step to the middle of the next: half of both
/// steps together. In the first step it is half a step, since spins are given at its start.
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

/// Orientation q (1 + change) after a `change` in body axes, normalised to unit length.
template <class R, class Double>
SCREE_INLINE Quaternion<Double> turned(const Quaternion<Double>& q, const Quaternion<R>& change) {
  return normalised(q + q * convert<Double>(change));
}

/// Spin in principal axes in the middle of the last step [rad/s]. The last rotation was about the spin itself, so its
/// components are the same at the end of the step.
template <class R>
SCREE_INLINE Vec3<R> body_spin(const Rotor<R>& rotor) {
  return rotate_back(convert<R>(rotor.orientation), rotor.angular_velocity);
}

/// Rotation over `move` [s] with unchanged spin, for a body whose rotation is imposed.
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

/// [kg m2/s] Angular momentum, world frame, of a body with this orientation that turns by `spin` [rad/s].
SCREE_INLINE Vec3d momentum_of(const Quaterniond& orientation, const Vec3d& inertia, const Vec3d& spin) {
  return rotate(orientation, times_each(inertia, rotate_back(orientation, spin)));
}

/// [kg m2] Moments of inertia about the axes of the world.
SCREE_HD inline Vec3d inertia_about_axes(const Quaterniond& orientation, const Vec3d& inertia) {
  const auto about = [&](const Vec3d& axis) {
    const Vec3d a = rotate_back(orientation, axis);
    return dot(a, times_each(inertia, a));
  };
  return {about({1, 0, 0}), about({0, 1, 0}), about({0, 0, 1})};
}

/// Angular momentum in the middle of the last step [kg m2/s], world frame. `move` [s] is the length of that step, 0 at
/// the start. The orientation of the middle is used, too: that of the end would give an error of first order.
template <class R>
SCREE_INLINE Vec3<R> momentum_in_the_middle(const Rotor<R>& rotor, const Vec3<R>& inertia, R move) {
  const Vec3<R> w = body_spin(rotor);
  const Quaterniond middle = turned(rotor.orientation, turn_minus_one(R(-0.25) * move * w));
  return rotate(convert<R>(middle), times_each(inertia, w));
}

}  // namespace scree::inline SCREE_BACKEND
