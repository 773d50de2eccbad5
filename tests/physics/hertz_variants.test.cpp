#include <gtest/gtest.h>

#include <cmath>

#include "driven_contact.hpp"
#include "impacts.hpp"
#include "kernels/laws/hertz_mindlin.hpp"

namespace scree::physics::hertz_variants_test {

constexpr double radius = 1e-3;
const HertzParams<double> params{2e9, 3e9, 0.2, 0.1, 0.5};

// When the overlap falls, f_el is scaled with the contact radius, by sqrt(u/u_old); when it grows, it is not.
TEST(HertzVariants, RescaledForceFollowsTheContactRadius) {
  HertzParams<double> elastic = params;
  elastic.damping = elastic.damping_shear = 0;
  DrivenContact<HertzMindlinRescaled<double>> rescaled(elastic, radius);
  DrivenContact<HertzMindlin<double>> plain(elastic, radius);
  rescaled.move_to(4e-6), plain.move_to(4e-6);
  const double force = rescaled.move_to(4e-6, 1e-7).tangential.x;
  EXPECT_EQ(plain.move_to(4e-6, 1e-7).tangential.x, force);
  EXPECT_EQ(rescaled.move_to(4.1e-6).tangential.x, force);
  EXPECT_NEAR(rescaled.move_to(4.1e-6 / 4).tangential.x / force, 0.5, 1e-12);
  EXPECT_EQ(plain.move_to(4.1e-6 / 4).tangential.x, force);
  EXPECT_NEAR(rescaled.move_to(4.1e-6).tangential.x / force, 0.5, 1e-12) << "growth gives nothing back";
}

// Each direction has a dashpot of its own: 2 beta sqrt(m* k_n), 2 beta_s sqrt(m* k_s).
TEST(HertzVariants, RestitutionPerDirection) {
  const Substance sphere{2e7, 0.3, 2500};
  for (const double ratio : {0.0, 0.05, 0.3}) {
    MaterialPair pair{1e6, 0.1};
    pair.damping_ratio_shear = ratio;
    const double mass = sphere_mass(radius, sphere.density), young = plane_strain_modulus(sphere);
    const double shear = sphere.young / (2 * 1.3) / 1.7;  // G* with a rigid wall
    constexpr double overlap = 1e-6, speed = 1e-2, dt = 1e-9;
    Scene scene = hertz_scene(sphere, pair, dt);
    add_sphere(scene, {0, 0, radius - overlap}, radius, {speed, 0, -2 * speed});
    add_plane(scene, {0, 0, 0}, {0, 0, 1});
    const auto engine = start(scene);
    engine->advance(1);
    const Real3 force = read(*engine).force;
    const double a = std::sqrt(radius * overlap);
    const double normal = 4.0 / 3 * young * a * overlap + 2 * 0.1 * std::sqrt(mass * 2 * young * a) * 2 * speed;
    const double tangential = 8 * shear * a * dt * speed + 2 * ratio * std::sqrt(mass * 8 * shear * a) * speed;
    EXPECT_NEAR(force[2] / normal, 1, 1e-3) << ratio;  // the overlap has moved by 2e-5 in the first step
    EXPECT_NEAR(-force[0] / tangential, 1, 2e-3) << ratio;
  }
}

// If a pair states E* and G*, its force follows them and not the materials.
TEST(HertzVariants, ModuliOfThePair) {
  MaterialPair pair{1e6, 0};
  pair.effective_young = 5e6;
  pair.effective_shear = 1e6;
  Scene scene = hertz_scene({1e9, 0.2, 2500}, pair, 1e-9);
  add_sphere(scene, {0, 0, radius - 1e-6}, radius, {1e-2, 0, 0});
  add_plane(scene, {0, 0, 0}, {0, 0, 1});
  const auto engine = start(scene);
  engine->advance(1);
  const Real3 force = read(*engine).force;
  const double a = std::sqrt(radius * 1e-6);
  EXPECT_NEAR(force[2] / (4.0 / 3 * 5e6 * a * 1e-6), 1, 1e-6);
  EXPECT_NEAR(-force[0] / (8e6 * a * 1e-11), 1, 1e-6);
}

}  // namespace scree::physics::hertz_variants_test
