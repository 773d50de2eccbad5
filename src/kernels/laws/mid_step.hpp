#pragma once

#include "kernels/math/vec3.hpp"

namespace scree::inline SCREE_BACKEND {

/// Half of the turn of a contact in a step: by the smallest rotation that takes the old normal to the new one, and by
/// half of the twist of both bodies about it, as turn_with_contact() makes the whole turn.
///
/// Velocities of the leapfrog belong to the middle of a step, and springs to its end. So the slip that a spring gets is
/// that of the contact as it stood in the middle, turned with the contact over the second half of the step. Slip that
/// is taken from the normal and the arms at the end instead is wrong by an angle of the order of the turn of a step.
/// This turns the force of a spring out of its line, and a spinning body of bonded spheres then gains energy, however
/// short the step is: its vibrations grow by the factor e in some 4 / (w W dt), with the frequency w of the spring and
/// the spin W.
template <class R>
struct MidStep {
  Vec3<R> n;     ///< normal at the end of the step
  Vec3<R> tilt;  ///< [-] half of the change of the normal in the step
  R twist;       ///< [rad] half of the turn about the normal in the step

  /// The middle of a step of the length `time_step` [s], which takes one normal to the next. `total_spin` [rad/s] is
  /// the sum of the spins of both sides.
  [[nodiscard]] SCREE_INLINE static MidStep between(const Vec3<R>& normal_before, const Vec3<R>& normal,
                                                    const Vec3<R>& total_spin, R time_step) {
    return {normal, R(0.5) * (normal - normal_before), R(0.25) * time_step * dot(normal, total_spin)};
  }

  /// A vector of the middle of the step, turned to its end.
  [[nodiscard]] SCREE_INLINE Vec3<R> turned(const Vec3<R>& v) const {
    return v + cross(cross(n, tilt), v) + twist * cross(n, v);
  }
  /// The part of turned(v) across the normal.
  [[nodiscard]] SCREE_INLINE Vec3<R> slip_of(const Vec3<R>& v) const {
    const R along = dot(n, v);
    const Vec3<R> across = v - along * n, moved = along * tilt + twist * cross(n, across);
    return across + (moved - dot(n, moved) * n);
  }
};

}  // namespace scree::inline SCREE_BACKEND
