#pragma once

#include "kernels/backend/transpose.hpp"
#include "kernels/math/eight.hpp"
#include "kernels/state/boundaries.hpp"

#if !SCREE_ON_CUDA

namespace scree::inline SCREE_BACKEND {

/// The numbers in a vector of eight as doubles.
template <class Numbers>
SCREE_INLINE Eight as_doubles(const Numbers& numbers) {
  return Eight(static_cast<Eight::Lanes>(__builtin_convertvector(numbers, Eight::Lanes)));
}
/// Eight numbers as doubles. `from` need not be aligned.
template <class R>
SCREE_INLINE Eight widened(const R* from) {
  return as_doubles(RowVector<R, 8>::load(from));
}

/// The motion of the surfaces at eight contacts with boundaries: see SurfaceMotion. Only for boundaries that do not
/// grow.
struct EightSurfaces {
  Vec3<Eight> velocity, spin;  ///< [m/s] [rad/s]

  /// The surfaces of boundaries that move with `velocity` [m/s] and `spin` [rad/s], at `point` [m].
  SCREE_INLINE static EightSurfaces of(const Vec3<Eight>& velocity, const Vec3<Eight>& spin, const Vec3<Eight>& point) {
    return {velocity + cross(spin, point), spin};
  }
  /// Adds the velocity relative to the boundary of a surface with this normal. For the first two see Pose.
  SCREE_INLINE void slide(const Vec3<Eight>& surface_velocity, const Vec3<Eight>& surface_spin,
                          const Vec3<Eight>& point, const Vec3<Eight>& normal) {
    velocity += along_surface(surface_velocity + cross(surface_spin, point), normal);
    spin += surface_spin;
  }
};

/// Eight contacts of spheres with boundaries, and their work. Each lane does the same IEEE operations as
/// LedgerAtBoundary and SurfaceMotion do for one contact.
struct EightAtBoundary {
  Vec3<Eight> velocity, spin;  ///< [m/s] [rad/s] of the spheres
  Eight radius, overlap;       ///< [m]
  Vec3<Eight> n;               ///< [-]
  EightSurfaces surface;

  /// [W] of a viscous force [N] of the contacts.
  [[nodiscard]] SCREE_INLINE Eight viscous_power(const Vec3<Eight>& force) const {
    const Eight arm = radius - Eight(0.5) * overlap;
    return dot(force, velocity - arm * cross(spin, n) - surface.velocity);
  }
  /// [W] of a viscous couple [N m] of the contacts.
  [[nodiscard]] SCREE_INLINE Eight couple_power(const Vec3<Eight>& couple) const {
    return dot(couple, spin - surface.spin);
  }
};

}  // namespace scree::inline SCREE_BACKEND

#endif
