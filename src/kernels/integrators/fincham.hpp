#pragma once

#include "kernels/integrators/rotation.hpp"

namespace scree::inline SCREE_BACKEND {

/// Fincham's leapfrog (Fincham 1992). It integrates the angular momentum in the world frame, which is therefore
/// conserved exactly, and rotates with the spin in the middle of the step. As printed, this spin uses the orientation
/// at the start of the step, which makes the scheme first order. Here it uses the predicted orientation in the middle:
/// second order. The momentum is state, since spin and orientation do not give it to the order that is needed.
template <class R, bool as_printed = false>
struct Fincham {
  static constexpr bool keeps_momentum = true;
  template <class Other>
  using With = Fincham<Other, as_printed>;

  SCREE_INLINE static void step(Rotor<R>& rotor, const Vec3<R>& inertia, const Vec3<R>& torque,
                                const RotationTimes<R>& times) {
    const Quaternion<R> q = convert<R>(rotor.orientation);
    const Vec3<R> on_step = rotor.angular_momentum + (times.kick - R(0.5) * times.move) * torque;
    rotor.angular_momentum += times.kick * torque;
    const Vec3<R> inverse = one_by_each(inertia);
    const Vec3<R> w0 = times_each(inverse, rotate_back(q, on_step));
    const Quaternion<R> half_turn{R(1), R(0.25) * times.move * w0.x, R(0.25) * times.move * w0.y,
                                  R(0.25) * times.move * w0.z};
    const Quaternion<R> seen_from = as_printed ? q : normalised(q * half_turn);
    const Vec3<R> w = times_each(inverse, rotate_back(seen_from, rotor.angular_momentum));
    // q' = q + dt q_half (0, w)/2, with q_half = q half_turn
    const Vec3<R> h = R(0.5) * times.move * w;
    rotor.orientation = turned(rotor.orientation, half_turn * Quaternion<R>{R(0), h.x, h.y, h.z});
    rotor.angular_velocity = rotate(convert<R>(rotor.orientation), w);
  }
};

}  // namespace scree::inline SCREE_BACKEND
