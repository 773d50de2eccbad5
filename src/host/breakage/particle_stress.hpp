#pragma once

#include <array>
#include <vector>

#include "scree/contact_readouts.hpp"

namespace scree::breakage {

/// What the contacts of a sphere do to it.
struct ContactLoad {
  /// [N m] xx, yy, zz, yz, xz, xy: symmetric part of the sum over the contacts of force times lever
  std::array<double, 6> moment{};
  double depth = 0;  ///< [m] of the deepest contact

  /// Adds a contact with the force [N] on the sphere, at the lever [m] from its centre. The contact point is in the
  /// middle of the overlap, so the lever is shorter than the radius [m] by half of the depth.
  void add(const Real3& force, const Real3& lever, double radius);
  /// [Pa] Octahedral shear stress of the mean stress: 1/3 sqrt((s1 - s2)^2 + (s2 - s3)^2 + (s3 - s1)^2). It is the same
  /// whichever sign stresses have.
  [[nodiscard]] double shear_stress(double radius) const;
};

/// Adds the contacts to the loads of the spheres whose radius [m] is above 0. Both arrays go by ids.
void add_contacts(const std::vector<TouchingContact>& contacts, const std::vector<ContactDetail>& details,
                  const std::vector<double>& radius, std::vector<ContactLoad>& loads);

}  // namespace scree::breakage
