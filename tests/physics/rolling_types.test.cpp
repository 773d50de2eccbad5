#include <gtest/gtest.h>

#include <cmath>

#include "kernels/laws/hertz_mindlin.hpp"
#include "kernels/laws/with_rolling_moment.hpp"
#include "scenes.hpp"

// Rolling resistance of the types A and B of Ai et al. (2011): moments without springs.
namespace scree::physics::rolling_types_test {

using Law = WithRollingMoment<HertzMindlin<double>, double>;

ContactState<double> pressed(double radius1, double radius2, const Vec3d& spin1, const Vec3d& spin2) {
  ContactState<double> c{};
  c.n = {0, 0, 1};
  c.overlap = 1e-5;
  c.spin = spin2 - spin1;
  c.total_spin = spin1 + spin2;
  c.radius1 = radius1;
  c.radius2 = radius2;
  c.effective_radius = radius1 * radius2 / (radius1 + radius2);
  c.effective_mass = 0.01;
  c.time_step = 1e-7;
  c.branch_before = {0, 0, radius1 + radius2};
  return c;
}

// The formulas of the types, with the speeds of the two surfaces at the contact by hand. A spin about the normal is no
// rolling, and neither is one of both bodies as one.
TEST(RollingTypes, MomentsOfAPair) {
  constexpr double r1 = 0.01, r2 = 0.02;
  const Vec3d spin1{3, -1, 7}, spin2{-5, 2, -4};
  const auto c = pressed(r1, r2, spin1, spin2);
  const Law::Params a{{1e7, 8e6, 0, 0, 0.5}, 0.1, 0}, b{{1e7, 8e6, 0, 0, 0.5}, 0, 2.0};
  Law::History none;
  const LawResponse<double> alone = HertzMindlin<double>::evaluate(c, a.law);
  const LawResponse<double> of_a = Law::evaluate(c, a, none), of_b = Law::evaluate(c, b, none);
  EXPECT_EQ(of_a.normal, alone.normal);
  EXPECT_GT(alone.normal, 0);
  const double rate = std::hypot(-8.0, 3.0), lever = r1 * alone.normal;
  EXPECT_NEAR(of_a.couple.x, -0.1 * lever * -8 / rate, 1e-14 * lever);
  EXPECT_NEAR(of_a.couple.y, -0.1 * lever * 3 / rate, 1e-14 * lever);
  EXPECT_EQ(of_a.couple.z, 0);
  // Surface velocities r w x n of both bodies: (r1 w1 - r2 w2) x z.
  const double x = r1 * 3 + r2 * 5, y = -r1 - r2 * 2, speed = std::hypot(x, y);
  EXPECT_NEAR(of_b.couple.x, -2.0 * speed * lever * -8 / rate, 1e-13 * lever);
  EXPECT_NEAR(of_b.couple.y, -2.0 * speed * lever * 3 / rate, 1e-13 * lever);
  const auto rigid_turn = Law::evaluate(pressed(r1, r2, {3, 4, 5}, {3, 4, -5}), a, none);
  EXPECT_EQ(rigid_turn.couple.x, 0);
  EXPECT_EQ(rigid_turn.couple.y, 0);
}

// No moment is larger than an eighth of one that stops slow spins, and that is no more than |w| / (dt (1/I1 + 1/I2)),
// for any ratio of sizes.
TEST(RollingTypes, NoMomentIsLargerThanAnEighthOfOneThatStops) {
  const Law::Params a{{1e7, 8e6, 0, 0, 0.5}, 0.1, 0};
  Law::History none;
  for (const double ratio : {1.0, 2.5, 10.0}) {
    const double r1 = 0.01, r2 = ratio * r1, m1 = 0.02, m2 = m1 * ratio * ratio * ratio;
    auto c = pressed(r1, r2, {0, 0, 0}, {1e-9, 0, 0});
    c.effective_mass = m1 * m2 / (m1 + m2);
    c.time_step = 1e-3;
    const double moment = -Law::evaluate(c, a, none).couple.x;
    EXPECT_NEAR(moment / (0.05 * c.effective_mass * r1 * r1 * 1e-9 / 1e-3), 1, 1e-12);
    EXPECT_LE(moment, 1e-9 / 1e-3 / (2.5 / (m1 * r1 * r1) + 2.5 / (m2 * r2 * r2)) / 8 * (1 + 1e-12));
  }
  // Where the centres are fixed there is no mass, and no bound.
  auto held = pressed(0.01, 0.02, {0, 0, 0}, {1e-9, 0, 0});
  held.effective_mass = 0;
  EXPECT_NEAR(-Law::evaluate(held, a, none).couple.x, 0.1 * 0.01 * HertzMindlin<double>::evaluate(held, a.law).normal,
              1e-12);
}

constexpr double radius = 0.05, young = 1e9, density = 2500;

/// A sphere that rolls along x on the plane z = 0 at `speed`, pressed by gravity, with linear springs.
Scene rolling_sphere(LawKind law, double speed, const RollingResistance& rolling) {
  MaterialPair pair{0.8, 0.05};
  pair.springs.damping_ratio = pair.springs.shear_damping_ratio = 0.2;
  pair.rolling = rolling;
  pair.surface_energy = 1e-12;  // next to none
  pair.plasticity.ratio = 0;
  Scene scene = empty_scene(law, {young, 0.3, density}, {young, 0.3, density}, pair, 2e-5);
  scene.gravity = {0, 0, -standard_gravity};
  scene.interaction_range = 1.01;
  add_sphere(scene, {0, 0, radius}, radius, {speed, 0, 0}, {0, speed / radius, 0});
  add_plane(scene, {0, 0, 0}, {0, 0, 1});
  return scene;
}

constexpr double speed = 0.3;

// Rolling without slip, m v' = -f and (2/5) m r v' = f r - M with M = eta r m g give v' = -(5/7) eta g, and the
// distance 7 v^2 / (10 eta g) to rest. The sphere settles on the plane meanwhile, which is an error of the order of its
// overlap over the radius, 1e-3.
TEST(RollingTypes, TypeAStopsAfterItsDistance) {
  for (const LawKind law : {LawKind::linear_spring_dashpot, LawKind::hertz_mindlin, LawKind::jkr, LawKind::eepa}) {
    for (const double eta : {0.05, 0.1}) {
      Scene scene = rolling_sphere(law, speed, {.friction = eta, .type = RollingType::directional});
      scene.energies = true;
      const auto engine = start(scene);
      const double distance = 0.7 * speed * speed / (eta * standard_gravity);
      const double until = 2 * distance / speed;
      engine->advance(static_cast<std::uint64_t>(0.5 * until / scene.time_step));
      EXPECT_NEAR(read(*engine).velocity[0] / speed, 0.5, 5e-3);
      engine->advance(static_cast<std::uint64_t>(0.6 * until / scene.time_step));
      const double at_rest = read(*engine).position[0];
      EXPECT_NEAR(at_rest / distance, 1, 4e-3) << eta;
      engine->advance(5000);
      EXPECT_LT(std::abs(read(*engine).position[0] - at_rest), 1e-5 * distance) << "it stays";
      EXPECT_LT(std::abs(read(*engine).velocity[0]), 1e-5 * speed);
      const EnergyLedger e = engine->energies();
      const double kinetic = 0.7 * sphere_mass(radius, density) * speed * speed;
      EXPECT_LT(std::abs(e.error), 2e-3 * kinetic);
    }
  }
}

// The same with M = nu v r m g: v' = -(5/7) nu g v.
TEST(RollingTypes, TypeBSlowsExponentially) {
  for (const LawKind law : {LawKind::linear_spring_dashpot, LawKind::hertz_mindlin}) {
    Scene scene = rolling_sphere(law, speed, {.type = RollingType::viscous, .viscosity = 0.4});
    scene.energies = true;
    const auto engine = start(scene);
    const double rate = 5.0 / 7 * 0.4 * standard_gravity;
    for (int k = 1; k <= 5; ++k) {
      engine->advance(10000);
      const double t = 10000 * k * scene.time_step;
      EXPECT_NEAR(read(*engine).velocity[0] / (speed * std::exp(-rate * t)), 1, 5e-3) << k;
    }
    const EnergyLedger e = engine->energies();
    EXPECT_LT(std::abs(e.error), 2e-3 * 0.7 * sphere_mass(radius, density) * speed * speed);
  }
}

// On a slope a sphere of type A rolls if tan(angle) > eta, with the acceleration (5/7) g (sin - eta cos).
TEST(RollingTypes, TypeAHoldsOnASlope) {
  for (const double slope : {0.05, 0.2}) {
    Scene scene =
        rolling_sphere(LawKind::linear_spring_dashpot, 0, {.friction = 0.1, .type = RollingType::directional});
    const double angle = std::atan(slope);
    scene.gravity = {standard_gravity * std::sin(angle), 0, -standard_gravity * std::cos(angle)};
    const auto engine = start(scene);
    engine->advance(20000);
    const double t = 20000 * scene.time_step;
    const double rolls = slope > 0.1 ? 5.0 / 7 * standard_gravity * (std::sin(angle) - 0.1 * std::cos(angle)) * t : 0;
    // The moment that holds it needs a slow creep, see WithRollingMoment: 8 eta g dt (5/2) or less.
    EXPECT_NEAR(read(*engine).velocity[0], rolls, 5e-3 * rolls + 20 * 0.1 * standard_gravity * scene.time_step)
        << slope;
  }
}

// A sphere at rest in a corner, with three contacts that each resist its rolling, comes to rest: its spin only falls.
TEST(RollingTypes, ASphereInACornerComesToRest) {
  for (const RollingType type : {RollingType::directional, RollingType::viscous}) {
    MaterialPair pair{0.5, 0.3};
    pair.rolling = {.friction = type == RollingType::directional ? 0.1 : 0,
                    .type = type,
                    .viscosity = type == RollingType::viscous ? 100.0 : 0};
    Scene scene = empty_scene(LawKind::hertz_mindlin, {young, 0.3, density}, {young, 0.3, density}, pair, 2e-5);
    scene.gravity = {-standard_gravity, -standard_gravity, -standard_gravity};
    add_sphere(scene, {radius, radius, radius}, radius, {}, {1, -2, 0.5});
    for (const Real3& normal : {Real3{1, 0, 0}, Real3{0, 1, 0}, Real3{0, 0, 1}}) {
      add_plane(scene, {0, 0, 0}, normal);
    }
    const auto engine = start(scene);
    engine->advance(30000);
    double most = 0;
    for (int k = 0; k < 10; ++k) {
      engine->advance(1);
      most = std::max(most, norm(read(*engine).spin));
    }
    EXPECT_LT(most, 1e-5);
  }
}

}  // namespace scree::physics::rolling_types_test
