#pragma once

#include "kernels/integrators/leapfrog.hpp"
#include "kernels/state/groups.hpp"

namespace scree::inline SCREE_BACKEND {

/// Leapfrog of bodies in groups. Fixed components keep their velocity, and Cundall's damping differs by group. Viscous
/// damping, a force -c m v, is integrated exactly over the step, so any rate is stable: v+ = keep v- + kick a with keep
/// = exp(-c dt) and kick = (1 - keep)/c. Without viscous damping keep is 1 and kick is the step. `loss` = 1 - keep is
/// accurate to rounding, however small.
template <class R>
struct GroupedLeapfrog {
  R time_step;   ///< [s]
  R keep, loss;  ///< [-]
  R kick;        ///< [s]
  R lead;        ///< [s] from the time of the velocity to the time of the force: half of the last step, 0 in the first

  /// The same for a velocity that a fluid drags. Both scheme and drag belong to the present step.
  SCREE_INLINE GroupedLeapfrog dragged_by(const FluidDrag<R>& drag) const {
    return {time_step, drag.keep, drag.loss, drag.kick, lead};
  }

  /// Velocity half a step later. Cundall's damping acts on `damped` [m/s2], but not on `free`, the rest of the
  /// acceleration; `fixed` has one bit per axis.
  SCREE_INLINE Vec3<R> advance(const Vec3<R>& velocity, const Vec3<R>& damped, const Vec3<R>& free, R damping,
                               std::uint32_t fixed) const {
    const auto component = [&](R v, R a, R b, std::uint32_t bit) {
      return (fixed & bit) != 0 ? v : keep * v + kick * (damped_by_cundall(a, v, lead, damping) + b);
    };
    return {component(velocity.x, damped.x, free.x, 1), component(velocity.y, damped.y, free.y, 2),
            component(velocity.z, damped.z, free.z, 4)};
  }

  /// What advance() adds to the velocity. It is computed by itself, since a difference of velocities would not be
  /// accurate in single precision.
  SCREE_INLINE Vec3<R> gained(const Vec3<R>& velocity, const Vec3<R>& damped, const Vec3<R>& free, R damping,
                              std::uint32_t fixed) const {
    const auto component = [&](R v, R a, R b, std::uint32_t bit) {
      return (fixed & bit) != 0 ? R(0) : kick * (damped_by_cundall(a, v, lead, damping) + b) - loss * v;
    };
    return {component(velocity.x, damped.x, free.x, 1), component(velocity.y, damped.y, free.y, 2),
            component(velocity.z, damped.z, free.z, 4)};
  }
};

}  // namespace scree::inline SCREE_BACKEND
