#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "scenes.hpp"

// Bonds of spheres with dashpots c = 2 b sqrt(K m*).
namespace scree::physics::bond_damping_test {

constexpr double radius = 0.01, young = 1e8, ratio = 0.3, density = 2500;
constexpr double area = pi * radius * radius;
constexpr double normal_stiffness = young * area / (2 * radius), shear_stiffness = ratio * normal_stiffness;

/// Two bonded spheres along x.
Scene pair_of(double damping, double time_step) {
  MaterialPair pair;
  pair.friction = 0.5;
  pair.bond.tensile_strength = pair.bond.cohesion = 0.1 * young;
  pair.bond.damping = damping;
  Scene scene = empty_scene(LawKind::bonded, {young, ratio, density}, {young, ratio, density}, pair, time_step);
  scene.interaction_range = 1.2;
  add_sphere(scene, {0, 0, 0}, radius);
  add_sphere(scene, {2 * radius, 0, 0}, radius);
  return scene;
}

const double reduced_mass = 0.5 * sphere_mass(radius, density);
const double frequency = std::sqrt(normal_stiffness / reduced_mass);

// Velocities belong to the middle of a step. The dashpot uses that of the middle of the step before, which is an error
// of the first order in the step: b w dt = 1e-4 and less per radian.
TEST(BondDamping, StretchDecaysAsAnOscillator) {
  const double dt = 1e-3 / frequency, speed = 1e-3;
  for (const double b : {0.05, 0.3}) {
    Scene scene = pair_of(b, dt);
    scene.particles.velocity = {{-0.5 * speed, 0, 0}, {0.5 * speed, 0, 0}};
    const auto engine = start(scene);
    const double decay = b * frequency, turn = frequency * std::sqrt(1 - b * b);
    for (int k = 1; k <= 60; ++k) {
      engine->advance(200);
      const double t = 200 * k * dt, stretch = read(*engine, 1).position[0] - read(*engine).position[0] - 2 * radius;
      EXPECT_NEAR(stretch, speed / turn * std::exp(-decay * t) * std::sin(turn * t), 2e-3 * speed / turn)
          << b << " " << k;
    }
  }
}

// Equal spins shear the contact without moving the pair as a whole. The slip velocity v obeys v' = -f (1/m* + r^2/I1 +
// r^2/I2) = -f 7/2 / m*, so it has the frequency sqrt(7/2 K_T/m*) and the damping ratio b sqrt(7/2).
TEST(BondDamping, ShearDecaysAsAnOscillator) {
  const double angular = std::sqrt(3.5 * shear_stiffness / reduced_mass), dt = 1e-3 / angular, spin = 1e-2;
  for (const double b : {0.05, 0.2}) {
    Scene scene = pair_of(b, dt);
    scene.particles.angular_velocity = {{0, 0, spin}, {0, 0, spin}};
    const auto engine = start(scene);
    const double zeta = b * std::sqrt(3.5), decay = zeta * angular, turn = angular * std::sqrt(1 - zeta * zeta);
    for (int k = 1; k <= 60; ++k) {
      engine->advance(200);
      const Reading one = read(*engine), two = read(*engine, 1);
      const double slip = two.velocity[1] - one.velocity[1] - radius * (one.spin[2] + two.spin[2]);
      const double t = (200 * k - 0.5) * dt;
      const double expected = std::exp(-decay * t) * (std::cos(turn * t) - decay / turn * std::sin(turn * t));
      EXPECT_NEAR(slip, -2 * radius * spin * expected, 2e-3 * 2 * radius * spin) << b << " " << k;
    }
  }
}

// Spheres that have no bond have the same dashpots, without a pull: the contact ends when the force is 0. The closed
// form of Schwager & Poeschel (2007), for damping ratios below sqrt(1/2).
TEST(BondDamping, ContactsWithoutABondReboundLikeADampedSpring) {
  for (const double b : {0.0, 0.1, 0.4}) {
    Scene scene = pair_of(b, 2e-4 / frequency);
    scene.particles.position[1][0] = 2.001 * radius;
    scene.particles.velocity = {{0.5, 0, 0}, {-0.5, 0, 0}};
    const auto engine = start(scene);
    engine->advance(60000);
    ASSERT_EQ(engine->counts().contacts, 0U);
    const double root = std::sqrt(1 - b * b);
    const double expected = std::exp(-b / root * (pi - std::atan(2 * b * root / (1 - 2 * b * b))));
    EXPECT_NEAR(read(*engine, 1).velocity[0] - read(*engine).velocity[0], expected, 5e-4) << b;
    EXPECT_EQ(engine->counts().bonds, 0U);
  }
}

// The ledger: what is not kinetic or stored was lost by viscosity; breakage takes the energy of the springs, and a
// broken bond rubs. The errors are of the first order in the step.
TEST(BondDamping, EnergiesBalance) {
  for (const bool breaks : {false, true}) {
    const auto error = [&](double step) {
      Scene scene = pair_of(0.1, step / frequency);
      scene.energies = true;
      if (breaks) { scene.pairs[0].bond.cohesion = 2e3; }
      scene.particles.velocity = {{0.2, 0.1, 0}, {-0.1, -0.3, 0.05}};
      scene.particles.angular_velocity = {{3, 0, 5}, {0, -4, 2}};
      const auto engine = start(scene);
      double worst = 0;
      for (int k = 0; k < 40; ++k) {
        engine->advance(static_cast<std::uint64_t>(0.5 / step));
        worst = std::max(worst, std::abs(engine->energies().error));
      }
      const EnergyLedger e = engine->energies();
      EXPECT_EQ(engine->counts().broken_bonds, breaks ? 1U : 0U);
      EXPECT_GT(e.viscous, 0);
      EXPECT_EQ(e.breakage > 0, breaks);
      return worst / (e.kinetic_translation + e.kinetic_rotation + e.viscous + e.breakage + e.friction + e.elastic);
    };
    const double coarse = error(4e-3), fine = error(1e-3);
    EXPECT_LT(fine, 2e-3) << breaks;
    EXPECT_LT(fine, 0.5 * coarse + 1e-12) << breaks;
  }
}

// Forces on the two bodies are opposite, in bonds and in contacts.
TEST(BondDamping, MomentumIsKept) {
  Scene scene = pair_of(0.2, 1e-2 / frequency);
  scene.particles.velocity = {{0.2, 0.1, 0}, {-0.2, -0.1, 0}};
  scene.pairs[0].bond.cohesion = 2e3;
  const auto engine = start(scene);
  for (int k = 0; k < 50; ++k) {
    engine->advance(20);
    EXPECT_LT(norm(read(*engine).velocity + read(*engine, 1).velocity), 1e-14);
  }
  EXPECT_EQ(engine->counts().broken_bonds, 1U);
}

}  // namespace scree::physics::bond_damping_test
