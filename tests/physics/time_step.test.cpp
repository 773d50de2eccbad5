#include <gtest/gtest.h>

#include <cmath>

#include "scenes.hpp"

// The critical time step of the present contacts, and runs whose step follows it.
namespace scree::physics::time_step_test {

constexpr double radius = 0.01, young = 1e7, density = 2600;
double mass() { return sphere_mass(radius, density); }

/// n^3 spheres of a simple cubic lattice that barely touch.
Scene simple_cubic(int n, double ratio) {
  Scene scene = linear_scene({young, ratio, density}, 0.5, 1e-9);
  const double spacing = 2 * radius * (1 - 1e-12);
  for (int k = 0; k < n * n * n; ++k) {
    add_sphere(scene, {spacing * (k % n), spacing * (k / n % n), spacing * (k / n / n)}, radius);
  }
  return scene;
}

CriticalStep critical_step_of(const Scene& scene) {
  const auto engine = start(scene);
  engine->advance(1);
  return engine->critical_step();
}

// C04 (closed forms): a pair; an inner sphere of a simple cubic lattice, whose neighbours are inner spheres, too; and a
// sphere whose rotation governs. 1e-9: an overlap of 1e-12 and a step of 1e-9 s change the lever arms by far less, and
// the published values have ten digits.
TEST(CriticalStep, C04PairAndLattice) {
  const CriticalStep pair = [] {
    Scene scene = linear_scene({young, 0.2, density}, 0.5, 1e-9);
    add_sphere(scene, {0, 0, 0}, radius);
    add_sphere(scene, {0, 0, 2 * radius * (1 - 1e-12)}, radius);
    return critical_step_of(scene);
  }();
  EXPECT_NEAR(pair.value / 4.66708786e-4, 1, 1e-9);
  EXPECT_NEAR(pair.value / std::sqrt(2 * mass() / (young * radius)), 1, 1e-12);
  EXPECT_EQ(pair.contacts, 1u);
  EXPECT_EQ(pair.particle, 0u);
  EXPECT_EQ(pair.partner, 1u);
  EXPECT_FALSE(pair.rotation);

  const CriticalStep lattice = critical_step_of(simple_cubic(5, 0.2));
  EXPECT_NEAR(lattice.value / 2.789118464e-4, 1, 1e-9);
  EXPECT_EQ(lattice.particle, 62u);  // the one in the middle
  EXPECT_EQ(lattice.contacts, 6u);
  EXPECT_FALSE(lattice.rotation);

  const CriticalStep turning = critical_step_of(simple_cubic(5, 0.5));
  EXPECT_NEAR(turning.value / 2.087185141e-4, 1, 1e-9);
  EXPECT_TRUE(turning.rotation);
}

// C04, stability: two bonded spheres attract as well as repel. They are stable at 0.99 of the critical step of the
// normal oscillation and unstable at 1.01 (2e4 steps; at 1.01 the motion grows by a factor 1.3 per step).
TEST(CriticalStep, C04StabilityOfABondedPair) {
  const double stiffness = young * pi * radius / 2;
  for (const double part : {0.99, 1.01}) {
    MaterialPair pair;
    pair.bond = {1e12, 1e12, 1.2};
    Scene scene = empty_scene(LawKind::bonded, {young, 0.01, density}, {young, 0.01, density}, pair,
                              part * std::sqrt(2 * mass() / stiffness));
    scene.interaction_range = 1.3;
    add_sphere(scene, {0, 0, 0}, radius);
    add_sphere(scene, {0, 0, 2 * radius}, radius, {0, 0, 1e-9});
    const auto engine = start(scene);
    engine->advance(1);
    EXPECT_NEAR(engine->critical_step().value / std::sqrt(2 * mass() / stiffness), 1, 1e-6);
    double most = 0;
    for (int k = 0; k < 2000 && most < 1e-3; ++k) {
      engine->advance(10);
      most = std::abs(read(*engine, 1).velocity[2]);
    }
    if (part < 1) { EXPECT_LT(most, 1e-7); }
    if (part > 1) { EXPECT_GT(most, 1e-3); }
  }
}

// Springs and a dashpot: (2/w)(sqrt(1 + z^2) - z), w^2 = 2 K/m, z w = C/m, in units of the undamped limit (closed
// form); 1e-9.
TEST(CriticalStep, OfADashpot) {
  MaterialPair contact;
  contact.springs.from_moduli = false;
  contact.springs.stiffness = 1e4;
  contact.springs.dashpot = 3;
  Scene scene =
      empty_scene(LawKind::linear_spring_dashpot, {young, 0.2, density}, {young, 0.2, density}, contact, 1e-9);
  add_sphere(scene, {0, 0, 0}, radius);
  add_sphere(scene, {0, 0, 1.999 * radius}, radius);
  const double w = std::sqrt(2e4 / mass()), z = 3 / (mass() * w);
  EXPECT_NEAR(critical_step_of(scene).value * w / 2 / (std::sqrt(1 + z * z) - z), 1, 1e-9);
}

// Hertz: k_N = 2 E* a, k_T = 8 G* a with a^2 = R* u; at a wall R* = r. Rotation governs where k_N < k_T (1 + arm^2
// m/I), because the sphere shears and rolls at once. Closed form dt = 2/w; 1e-6, as the overlap changes by 1e-8 of
// itself in the one step.
TEST(CriticalStep, OfHertzianContacts) {
  const double overlap = 1e-3 * radius, poisson = 0.3;
  Scene scene = hertz_scene({young, poisson, density}, {0.5, 0}, 1e-12);
  add_sphere(scene, {0, 0, radius - overlap}, radius);
  add_plane(scene, {0, 0, 0}, {0, 0, 1});
  const CriticalStep limit = critical_step_of(scene);
  const double a = std::sqrt(radius * overlap), arm = radius - 0.5 * overlap,
               shear = young / (2 * (1 + poisson)) / (2 - poisson);
  EXPECT_NEAR(limit.value / (2 / std::sqrt(8 * shear * a / mass() * (1 + arm * arm / (0.4 * radius * radius)))), 1,
              1e-6);
  EXPECT_TRUE(limit.rotation);
  EXPECT_TRUE(limit.with_boundary);
}

TEST(CriticalStep, FixedComponentsDoNotLimit) {
  Scene scene = simple_cubic(2, 0.9);
  SceneGroup held;
  held.fixed = fixed_rotation;
  scene.groups = {held};
  const CriticalStep limit = critical_step_of(scene);
  EXPECT_FALSE(limit.rotation);
  EXPECT_LT(critical_step_of(simple_cubic(2, 0.9)).value, limit.value);
}

/// The limits that the host states for one sphere of `linear_scene` or `hertz_scene` and its equals.
AdaptiveStep rule_for(double safety, double free_limit) {
  AdaptiveStep rule;
  rule.safety = safety;
  rule.every = 1;
  rule.free_limit = free_limit;
  return rule;
}

// Steps of any length integrate a parabola exactly, so only rounding remains.
TEST(AdaptiveStep, FreeFallIsExact) {
  Scene scene = hertz_scene({young, 0.3, density}, {0.5, 0}, 1e-4);
  scene.adaptive = rule_for(0.4, 2.5e-4);
  scene.adaptive->impact_limit_at_unit_speed = 5e-4;
  scene.gravity = {0, 0, -standard_gravity};
  add_sphere(scene, {0, 0, 0}, radius, {1, 0, 2});
  const auto engine = start(scene);
  engine->advance(2000);
  const double t = engine->time();
  EXPECT_NE(t, 2000 * 1e-4);
  const Reading now = read(*engine);
  EXPECT_NEAR(now.position[0], t, 1e-12);
  EXPECT_NEAR(now.position[2], 2 * t - 0.5 * standard_gravity * t * t, 1e-12);
  EXPECT_NEAR(now.velocity[2], 2 - standard_gravity * 0.5 * (t + engine->previous_time()), 1e-12);
}

/// Elastic impacts of a Hertzian sphere on a wall. Returns the largest change of its energy, and the range of the
/// steps.
double bounce(double safety, double& shortest, double& longest) {
  Scene scene = hertz_scene({young, 0.25, density}, {0, 0}, 1e-5);
  const double shear_limit = 1.05e-3;  // Rayleigh time of this sphere
  scene.adaptive = rule_for(safety, shear_limit);
  // u^(5/2) = 15 m v^2 / (16 E* sqrt(r)) at 1 m/s; k = 2 E* sqrt(r u)
  const double modulus = young / (1 - 0.25 * 0.25),
               overlap = std::pow(15 * mass() / (16 * modulus * std::sqrt(radius)), 0.4);
  scene.adaptive->impact_limit_at_unit_speed = std::sqrt(2 * mass() / (2 * modulus * std::sqrt(radius * overlap)));
  scene.time_step = safety * shear_limit;
  add_sphere(scene, {0, 0, 1.01 * radius}, radius, {0, 0, -1});
  add_plane(scene, {0, 0, 0}, {0, 0, 1});
  const auto engine = start(scene);
  shortest = 1, longest = 0;
  double before = 0;
  for (int k = 0; k < 4000 && read(*engine).position[2] < 1.5 * radius; ++k) {
    engine->advance(1);
    const double step = engine->time() - engine->previous_time();
    if (k > 0) { EXPECT_LE(step, 1.05 * before * (1 + 1e-9)); }
    before = step;
    shortest = std::fmin(shortest, step), longest = std::fmax(longest, step);
  }
  const double v = read(*engine).velocity[2];
  return v * v - 1;
}

// The step must be short enough for a collision before it begins. The energy is kept within 1 % at 0.4, and its error
// falls with the square of the step (leapfrog): to a tenth at 0.1.
TEST(AdaptiveStep, ImpactsKeepTheirEnergy) {
  double shortest = 0, longest = 0;
  EXPECT_LT(std::abs(bounce(0.4, shortest, longest)), 1e-2);
  EXPECT_LT(longest, 6 * shortest);
  EXPECT_LT(std::abs(bounce(0.1, shortest, longest)), 1e-3);
}

/// Spheres that fall into a box and come to rest, with friction and gravity.
Scene settling(double safety) {
  Scene scene = linear_scene({young, 0.3, density}, 0.5, 1e-5);
  pour_into_box(scene, 64, radius);
  scene.integration.damping = 0.2;
  const double smallest = 0.5 * radius;
  const double single = std::sqrt(2 * sphere_mass(smallest, density) / (young * smallest));
  scene.adaptive = rule_for(safety, single);
  scene.adaptive->impact_limit = single;
  scene.time_step = safety * single;
  return scene;
}

// The step never exceeds the requested part of the limit of all contacts. As the box fills, this limit falls to two
// thirds of the limit of a single contact.
TEST(AdaptiveStep, StaysBelowTheLimitOfAllContacts) {
  const Scene scene = settling(0.5);
  const auto engine = start(scene);
  double least = 1;
  for (int k = 0; k < 300; ++k) {
    engine->advance(10);
    const double step = engine->time() - engine->previous_time(), limit = engine->critical_step().value;
    // The limit is computed after the step, when a new contact may exist.
    EXPECT_LT(step, 0.5 * limit * 1.5);
    least = std::fmin(least, step);
  }
  EXPECT_LT(least, 0.7 * scene.time_step);
}

// The ledger closes as with fixed steps: to 1 % of the energy that came in, at 0.1 of the limit (catalogue E02: 0.3 %
// of the total at 0.1 of the critical step with a fixed step).
TEST(AdaptiveStep, TheEnergyBalanceCloses) {
  Scene scene = settling(0.1);
  scene.energies = true;
  const auto engine = start(scene);
  engine->advance(6000);
  const EnergyLedger e = engine->energies();
  EXPECT_GT(e.gravity, 0.5 * 64 * 0.3 * mass() * standard_gravity * radius);
  EXPECT_LT(std::abs(e.error), 3e-3 * e.gravity);
}

}  // namespace scree::physics::time_step_test
