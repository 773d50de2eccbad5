#pragma once

#include "kernels/math/vec3.hpp"

namespace scree::inline SCREE_BACKEND {

/// Leapfrog with Cundall's non-viscous damping in its adapted form (the sign is taken from the velocity expected on
/// the step, v + a dt/2):  a_w <- a_w (1 - lambda sign(a_w (v_w + a_w dt/2))),  v+ = v- + dt a,  x' = x + dt v+.
template <class R>
struct Leapfrog {
  R time_step;  ///< [s]
  R kick;       ///< [s] the step, or half of it in the first step, which starts from velocities given on the step
  R damping;    ///< [-]

  SCREE_INLINE R damped(R acceleration, R velocity) const {
    if (damping == R(0)) { return acceleration; }  // the same for all bodies: spares the undamped run the selects
    const R power = acceleration * (velocity + R(0.5) * time_step * acceleration);
    const R sign = power > R(0) ? R(1) : (power < R(0) ? R(-1) : R(0));
    return acceleration * (R(1) - damping * sign);
  }

  /// Velocity or angular velocity half a step later; the same formula serves both for a sphere.
  SCREE_INLINE Vec3<R> advance(const Vec3<R>& velocity, const Vec3<R>& acceleration) const {
    return {velocity.x + kick * damped(acceleration.x, velocity.x), velocity.y + kick * damped(acceleration.y, velocity.y),
            velocity.z + kick * damped(acceleration.z, velocity.z)};
  }
};

}  // namespace scree::inline SCREE_BACKEND
