#pragma once

#include "kernels/math/four.hpp"

namespace scree::inline SCREE_BACKEND {

/// Cundall's non-viscous damping in its adapted form: a_w <- a_w (1 - lambda sign(a_w (v_w + a_w lead))). The sign is
/// the sign of the power at the time of the force; `lead` [s] is the time from the velocity to the force.
template <class R>
SCREE_INLINE R damped_by_cundall(R acceleration, R velocity, R lead, R damping) {
  if (damping == R(0)) { return acceleration; }  // the same for all bodies; an undamped run avoids the selects
  const R power = acceleration * (velocity + lead * acceleration);
  const R sign = power > R(0) ? R(1) : (power < R(0) ? R(-1) : R(0));
  return acceleration * (R(1) - damping * sign);
}

/// Leapfrog with Cundall's damping:  v+ = v- + dt a,  x' = x + dt v+.
template <class R>
struct Leapfrog {
  R time_step;  ///< [s]
  R kick;       ///< [s] the step; half of it in the first step, whose velocities are given at its start
  R damping;    ///< [-]

  /// The kick ends in the middle of the step. It begins in the middle of the last step, or now if this is the first
  /// step.
  SCREE_INLINE R damped(R acceleration, R velocity) const {
    return damped_by_cundall(acceleration, velocity, kick - R(0.5) * time_step, damping);
  }

  /// Velocity or angular velocity half a step later. The same formula holds for both, because the body is a sphere.
  SCREE_INLINE Vec3<R> advance(const Vec3<R>& velocity, const Vec3<R>& acceleration) const {
    return {velocity.x + kick * damped(acceleration.x, velocity.x),
            velocity.y + kick * damped(acceleration.y, velocity.y),
            velocity.z + kick * damped(acceleration.z, velocity.z)};
  }

  /// What advance() adds to the velocity.
  SCREE_INLINE Four<R> gained(const Four<R>& velocity, const Four<R>& acceleration) const {
    if (damping == R(0)) { return kick * acceleration; }
    return kick * Four<R>::of(damped(acceleration[0], velocity[0]), damped(acceleration[1], velocity[1]),
                              damped(acceleration[2], velocity[2]), R(0));
  }
};

}  // namespace scree::inline SCREE_BACKEND
