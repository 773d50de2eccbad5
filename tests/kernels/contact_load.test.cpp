#include <cmath>
#include <numbers>

#include "kernels/readout/contact_load.hpp"
#include "support.hpp"

/// The mean stress in a sphere, by its contacts.
namespace scree::inline SCREE_BACKEND::contact_load_test {

constexpr double radius = 2e-3;  ///< [m]
constexpr double volume = 4 * std::numbers::pi / 3 * radius * radius * radius;

/// Two opposite forces [N] on the surface, along an axis.
void press(ContactLoad& load, const Vec3d& axis, double force) {
  load.add(-force * axis, radius * axis, radius);
  load.add(force * axis, -radius * axis, radius);
}

// sigma = F 2 R / V along one axis gives sqrt(2)/3 sigma; three such pairs give a pressure, whose shear stress is 0;
// two opposite pairs give a pure shear of sigma and -sigma: sqrt(6)/3 sigma.
TEST(ContactLoad, HasTheShearStressOfClosedForms) {
  constexpr double force = 7;
  const double sigma = force * 2 * radius / volume;
  const Vec3d a = (1 / std::sqrt(14.0)) * Vec3d{1, 2, -3}, b = (1 / std::sqrt(5.0)) * Vec3d{-2, 1, 0}, c = cross(a, b);
  ContactLoad load;
  press(load, a, force);
  EXPECT_NEAR(load.shear_stress(radius), std::sqrt(2.0) / 3 * sigma, 1e-12 * sigma);
  EXPECT_NEAR(load.depth, 0, 1e-17);
  ContactLoad shear = load;
  press(shear, b, -force);
  EXPECT_NEAR(shear.shear_stress(radius), std::sqrt(6.0) / 3 * sigma, 1e-12 * sigma);
  press(load, b, force);
  press(load, c, force);
  EXPECT_NEAR(load.shear_stress(radius), 0, 1e-12 * sigma);
  load.add({1, 0, 0}, {1.9e-3, 0, 0}, radius);
  EXPECT_NEAR(load.depth, 2e-4, 1e-15) << "the contact point is in the middle of the overlap";
}

// A torque alone loads a sphere by F R: the symmetric part of force times lever counts, and the bound counts all of it.
TEST(ContactLoad, IsBoundedByForcesTimesLevers) {
  Random random(4);
  double nearest = 0;
  for (int k = 0; k < 2000; ++k) {
    ContactLoad load;
    double sum = 0;
    for (int n = 0; n <= k % 7; ++n) {
      const Real3 f = random.direction(), l = random.direction();
      const double size = random(0, 5), depth = random(-1e-5, 1e-4);
      const Vec3d force = size * Vec3d{f[0], f[1], f[2]}, lever = (radius - depth) * Vec3d{l[0], l[1], l[2]};
      load.add(force, lever, radius);
      sum += norm(force) * norm(lever);
    }
    ASSERT_LE(load.shear_stress(radius), ContactLoad::most_shear_stress(sum, radius)) << k;
    nearest = std::max(nearest, load.shear_stress(radius) / ContactLoad::most_shear_stress(sum, radius));
  }
  // A single contact is at sqrt(2/3) of the bound where the force is along the lever, and at sqrt(1/2) across it.
  EXPECT_NEAR(nearest, std::sqrt(2.0 / 3), 0.01) << "the bound is no looser than it must be";
}

}  // namespace scree::inline SCREE_BACKEND::contact_load_test
