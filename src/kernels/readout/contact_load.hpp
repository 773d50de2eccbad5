#pragma once

#include "kernels/math/functions.hpp"
#include "kernels/math/vec3.hpp"

namespace scree::inline SCREE_BACKEND {

/// What the contacts of a sphere do to it.
struct ContactLoad {
  /// [N m] xx, yy, zz, yz, xz, xy: symmetric part of the sum over the contacts of force times lever
  double moment[6] = {0, 0, 0, 0, 0, 0};
  double depth = 0;  ///< [m] of the deepest contact

  /// Adds a contact with the force [N] on the sphere, at the lever [m] from its centre. The contact point is in the
  /// middle of the overlap, so the lever is shorter than the radius [m] by half of the depth.
  SCREE_HD void add(const Vec3d& force, const Vec3d& lever, double radius) {
    moment[0] += 0.5 * (force.x * lever.x + force.x * lever.x);
    moment[1] += 0.5 * (force.y * lever.y + force.y * lever.y);
    moment[2] += 0.5 * (force.z * lever.z + force.z * lever.z);
    moment[3] += 0.5 * (force.y * lever.z + force.z * lever.y);
    moment[4] += 0.5 * (force.x * lever.z + force.z * lever.x);
    moment[5] += 0.5 * (force.x * lever.y + force.y * lever.x);
    depth = math::max(depth, 2 * (radius - norm(lever)));
  }

  /// [Pa] Octahedral shear stress of the mean stress: 1/3 sqrt((s1 - s2)^2 + (s2 - s3)^2 + (s3 - s1)^2). It is the same
  /// whichever sign stresses have.
  [[nodiscard]] SCREE_HD double shear_stress(double radius) const {
    const double a = moment[0] - moment[1], b = moment[1] - moment[2], c = moment[2] - moment[0];
    const double off = moment[3] * moment[3] + moment[4] * moment[4] + moment[5] * moment[5];
    return math::sqrt(a * a + b * b + c * c + 6 * off) / (3 * volume(radius));
  }

  /// [Pa] No smaller than the shear stress of a sphere, if `sum` [N m] is that of |force| |lever| over its contacts:
  /// the octahedral shear stress is the norm of the deviator over sqrt(3), and a norm is no larger than the sum of
  /// those of its parts. The factor is above what rounding changes.
  [[nodiscard]] SCREE_HD static double most_shear_stress(double sum, double radius) {
    return 1.001 * 0.57735026918962576 * sum / volume(radius);
  }

  [[nodiscard]] SCREE_HD static double volume(double radius) {  ///< [m3]
    return 4 * 3.141592653589793238 / 3 * radius * radius * radius;
  }
};

}  // namespace scree::inline SCREE_BACKEND
