#pragma once

#include "kernels/integrators/rotation.hpp"

namespace scree::inline SCREE_BACKEND {

/// SPIRAL (del Valle, Angelidakis, Roy, Munoz, Poeschel 2024). The body-frame spin takes a third-order Runge-Kutta step
/// at constant torque; the orientation takes the exact rotation with the new spin. Second order; third order in the
/// spin of torque-free bodies.
template <class R>
struct Spiral {
  static constexpr bool keeps_momentum = false;
  template <class Other>
  using With = Spiral<Other>;

  SCREE_INLINE static void step(Rotor<R>& rotor, const Vec3<R>& inertia, const Vec3<R>& torque,
                                const RotationTimes<R>& times) {
    const Quaternion<R> q = convert<R>(rotor.orientation);
    const Vec3<R> w = rotate_back(q, rotor.angular_velocity), body_torque = rotate_back(q, torque);
    const Vec3<R> factor = times.kick * one_by_each(inertia);
    const auto kick = [&](const Vec3<R>& spin) { return times_each(factor, body_torque + gyroscopic(inertia, spin)); };
    const Vec3<R> k1 = kick(w), k2 = kick(w + k1), k3 = kick(w + R(0.25) * (k1 + k2));
    const Vec3<R> change = R(1.0 / 6) * (k1 + k2 + R(4) * k3);
    rotor.angular_velocity += rotate(q, change);
    rotor.orientation = turned(rotor.orientation, turn_minus_one(R(0.5) * times.move * (w + change)));
  }
};

}  // namespace scree::inline SCREE_BACKEND
