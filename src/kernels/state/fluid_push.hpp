#pragma once

#include "kernels/math/vec3.hpp"

namespace scree::inline SCREE_BACKEND {

/// Drag on a velocity in one step: a rate c that is constant during the step; see GroupedLeapfrog.
template <class R>
struct FluidDrag {
  R keep, loss;  ///< [-] exp(-c t) and 1 - exp(-c t), where t is the time of the kick
  R kick;        ///< [s] (1 - exp(-c t)) / c
};

/// What the fluid does to a body or a clump in one step.
template <class R>
struct FluidPush {
  Vec3<R> pull;                  ///< [m/s2] what it would do to a body at rest: buoyancy, and the drag of the flow
  FluidDrag<R> linear, angular;  ///< drag on the velocity and on the spin
  R angular_rate;                ///< [1/s] rate of the latter
};

}  // namespace scree::inline SCREE_BACKEND
