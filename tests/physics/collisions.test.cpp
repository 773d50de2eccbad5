#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "scenes.hpp"

// Spectra of collisions against closed forms.
namespace scree::physics::collisions_test {

constexpr double radius = 0.01, density = 2500, contact_time = 1e-3;
constexpr double damping_ratio = 0.2;

/// Linear springs with dashpots, by a contact time [s] of undamped spheres; both materials are alike.
Scene counting_scene(std::vector<double> limits) {
  MaterialPair pair;
  pair.springs.from_moduli = false;
  pair.springs.stiffness_per_mass = std::pow(pi / contact_time, 2);
  pair.springs.damping_ratio = damping_ratio;
  const Substance any{1e7, 0.3, density};
  Scene scene = empty_scene(LawKind::linear_spring_dashpot, any, any, pair, contact_time / 1000);
  scene.energies = true;
  scene.collisions = SceneCollisions{std::move(limits)};
  scene.verlet_distance = 0.1 * radius;
  return scene;
}

/// Restitution of a linear spring with a dashpot that does not pull (Schwager & Poeschel, Granular Matter 9, 2007,
/// 465, with beta < 1 / sqrt(2)).
double restitution() {
  const double b = damping_ratio, root = std::sqrt(1 - b * b);
  return std::exp(-b / root * (pi - std::atan2(2 * b * root, 1 - 2 * b * b)));
}

double lost_in_ledger(Engine& engine) {
  const EnergyLedger e = engine.energies();
  return e.friction + e.viscous + e.breakage;
}

// A single impact on a wall loses (1 - e^2) m v^2 / 2. The error of the restitution is of first order in the step: 1e-3
// with a thousandth of the contact time. The ledger tells the same loss to rounding, and the balance of kinetic energy
// to the error of second order of its trapezoidal rule.
TEST(CollisionSpectrum, OfOneImpactOnAWall) {
  const double speed = 0.7, mass = sphere_mass(radius, density), e = restitution();
  const double expected = 0.5 * mass * speed * speed * (1 - e * e);
  for (const Precision precision : {Precision::double_, Precision::mixed}) {
    Scene scene = counting_scene({0.5 * expected, 2 * expected});
    scene.precision = precision;
    physics::add_sphere(scene, {0, 0, 1.05 * radius}, radius, {0, 0, -speed});
    physics::add_plane(scene, {0, 0, 0}, {0, 0, 1});
    const auto engine = start(scene);
    engine->advance(500);
    EXPECT_EQ(engine->collisions(false).open, 0u);
    EXPECT_TRUE(engine->collisions(false).bins.empty());
    engine->advance(500);
    EXPECT_EQ(engine->collisions(false).open, 1u);
    engine->advance(3000);
    const CollisionReport report = engine->collisions(false);
    EXPECT_EQ(report.open, 0u);
    ASSERT_EQ(report.bins.size(), 1u);
    const CollisionBin& bin = report.bins[0];
    EXPECT_TRUE(bin.with_boundary);
    EXPECT_EQ(bin.first, 0u) << "the boundary";
    EXPECT_EQ(bin.second, 0u) << "the material of the sphere";
    EXPECT_EQ(bin.bin, 1u) << "between the two limits";
    EXPECT_EQ(bin.count, 1u);
    const double rounding = precision == Precision::mixed ? 1e-6 : 1e-12;
    EXPECT_NEAR(bin.speed, speed, rounding * speed);
    EXPECT_NEAR(bin.lost, lost_in_ledger(*engine), 1e-11 * expected);  // 48 bits, a thousand additions
    const double after = read(*engine).velocity[2];
    EXPECT_NEAR(bin.lost, 0.5 * mass * (speed * speed - after * after), 1e-4 * expected);
    EXPECT_NEAR(bin.lost / expected, 1, 1e-3);
  }
}

// A sphere bounces to and fro between two walls. Each impact leaves e of its speed, so the losses fall by e^2 from one
// to the next, and each of these collisions has a bin of its own, whose limits lie in the middle of two losses.
TEST(CollisionSpectrum, OfASphereThatBounces) {
  constexpr int n = 6;
  const double speed = 0.7, mass = sphere_mass(radius, density), e = restitution();
  const double first = 0.5 * mass * speed * speed * (1 - e * e);
  std::vector<double> limits;
  for (int k = n; k >= 0; --k) { limits.push_back(first * std::pow(e, 2 * k - 1)); }
  Scene scene = counting_scene(limits);
  physics::add_sphere(scene, {0, 0, 1.05 * radius}, radius, {0, 0, -speed});
  physics::add_plane(scene, {0, 0, 0}, {0, 0, 1});
  physics::add_plane(scene, {0, 0, 2.1 * radius}, {0, 0, -1});
  const auto engine = start(scene);
  std::uint64_t count = 0;
  while (count < n) {
    engine->advance(10);
    const CollisionReport report = engine->collisions(false);
    count = 0;
    for (const CollisionBin& bin : report.bins) { count += bin.count; }
    ASSERT_LT(engine->step(), 200000u);
  }
  for (const CollisionBin& bin : engine->collisions(false).bins) {
    const int k = n - int(bin.bin);  // the first impact is in bin n, the next in bin n - 1
    EXPECT_EQ(bin.count, 1u) << k;
    EXPECT_EQ(bin.first, k % 2 == 0 ? 0u : 1u) << "walls take turns";
    EXPECT_NEAR(bin.lost / (first * std::pow(e, 2 * k)), 1, 1e-3 * (2 * k + 1)) << k;
    EXPECT_NEAR(bin.speed / (speed * std::pow(e, k)), 1, 1e-3 * (k + 1)) << k;
  }
}

// Pairs of two materials, and each of them at a wall: five classes, told apart by their speeds. Two equal spheres lose
// (1 - e^2) m* v^2 / 2 with m* = m / 2.
TEST(CollisionSpectrum, TellsMaterialsApart) {
  const double mass = sphere_mass(radius, density), e = restitution();
  Scene scene = counting_scene({1e-12});
  struct Expected {
    bool with_boundary;
    std::uint32_t first, second;
    double speed, mass;
  };
  std::vector<Expected> expected;
  const auto add_pair = [&](double x, std::uint32_t a, std::uint32_t b, double speed) {
    physics::add_sphere(scene, {x, 0, 5 * radius}, radius, {}, {}, a);
    physics::add_sphere(scene, {x, 0, 7.1 * radius}, radius, {0, 0, -speed}, {}, b);
    expected.push_back({false, std::min(a, b), std::max(a, b), speed, 0.5 * mass});
  };
  const auto add_at_wall = [&](double x, std::uint32_t material, double speed) {
    physics::add_sphere(scene, {x, 0, 1.1 * radius}, radius, {0, 0, -speed}, {}, material);
    expected.push_back({true, 0, material, speed, mass});
  };
  add_pair(0, 0, 0, 0.5), add_pair(5 * radius, 1, 0, 0.6), add_pair(10 * radius, 1, 1, 0.7);
  add_at_wall(15 * radius, 0, 0.8), add_at_wall(20 * radius, 1, 0.9);
  physics::add_plane(scene, {0, 0, 0}, {0, 0, 1});
  const auto engine = start(scene);
  engine->advance(6000);
  const CollisionReport report = engine->collisions(false);
  ASSERT_EQ(report.bins.size(), expected.size());
  for (std::size_t k = 0; k < expected.size(); ++k) {
    const CollisionBin& bin = report.bins[k];
    EXPECT_EQ(bin.with_boundary, expected[k].with_boundary) << k;
    EXPECT_EQ(bin.first, expected[k].first) << k;
    EXPECT_EQ(bin.second, expected[k].second) << k;
    EXPECT_EQ(bin.count, 1u) << k;
    EXPECT_NEAR(bin.speed, expected[k].speed, 1e-12) << k;
    const double lost = 0.5 * expected[k].mass * std::pow(expected[k].speed, 2) * (1 - e * e);
    EXPECT_NEAR(bin.lost / lost, 1, 1e-3) << k;
  }
}

// A wall that moves meets a sphere at rest with its own speed.
TEST(CollisionSpectrum, KnowsTheSpeedOfAWall) {
  Scene scene = counting_scene({1e-12});
  physics::add_sphere(scene, {0, 0, 1.01 * radius}, radius);
  physics::add_plane(scene, {0, 0, 0}, {0, 0, 1}, {{Translation{{0, 0, 0.4}}}});
  const auto engine = start(scene);
  engine->advance(3000);
  const CollisionReport report = engine->collisions(false);
  ASSERT_EQ(report.bins.size(), 1u);
  EXPECT_NEAR(report.bins[0].speed, 0.4, 1e-8);  // the difference of two places over a step
}

}  // namespace scree::physics::collisions_test
