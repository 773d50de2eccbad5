#pragma once

#include "kernels/integrators/rotation.hpp"

namespace scree::inline SCREE_BACKEND {

/// Omelyan's leapfrog (Omelyan 1998). In Euler's equations the products of spin components are the mean of their values
/// before and after the kick, found by three iterations. The orientation follows by Cayley's rotation, which keeps its
/// length. Second order.
template <class R>
struct Omelyan {
  static constexpr bool keeps_momentum = false;
  template <class Other>
  using With = Omelyan<Other>;
  static constexpr int iterations = 3;

  SCREE_INLINE static void step(Rotor<R>& rotor, const Vec3<R>& inertia, const Vec3<R>& torque,
                                const RotationTimes<R>& times) {
    const Quaternion<R> q = convert<R>(rotor.orientation);
    const Vec3<R> w = rotate_back(q, rotor.angular_velocity), body_torque = rotate_back(q, torque);
    const Vec3<R> factor = times.kick * one_by_each(inertia), before = gyroscopic(inertia, w);
    Vec3<R> change{R(0), R(0), R(0)};
    for (int i = 0; i < iterations; ++i) {
      change = times_each(factor, body_torque + R(0.5) * (before + gyroscopic(inertia, w + change)));
    }
    const Vec3<R> spin = w + change;
    rotor.angular_velocity += rotate(q, change);
    // q' = (1-s)/(1+s) q + dt/(1+s) q_dot with q_dot = q (0, spin)/2 and s = (dt |spin|/4)^2
    const R s = R(0.0625) * times.move * times.move * dot(spin, spin), f = R(1) / (R(1) + s);
    const Vec3<R> sine = R(0.5) * times.move * f * spin;
    rotor.orientation = turned(rotor.orientation, Quaternion<R>{R(-2) * s * f, sine.x, sine.y, sine.z});
  }
};

}  // namespace scree::inline SCREE_BACKEND
