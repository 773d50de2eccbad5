#include <gtest/gtest.h>

#include <cmath>

#include "impacts.hpp"

// Groups of particles: fixed components, imposed velocities, forces, damping per group; viscous damping.
namespace scree::physics::groups_test {

constexpr Substance soft{1e5, 0.3, 2500};
constexpr double radius = 0.01;
constexpr std::uint32_t all_fixed = fixed_translation | fixed_rotation;

/// Adds a group and returns its index.
std::uint32_t add_group(Scene& scene, const SceneGroup& group) {
  if (scene.groups.empty()) { scene.groups.emplace_back().damping = scene.integration.damping; }
  scene.groups.push_back(group);
  return static_cast<std::uint32_t>(scene.groups.size() - 1);
}

void add_member(Scene& scene, std::uint32_t group, const Real3& position, double r, const Real3& velocity = {},
                const Real3& spin = {}) {
  add_sphere(scene, position, r, velocity, spin);
  scene.particles.group.push_back(group);
}

SceneGroup fixed_group(std::uint32_t fixed, double damping = 0) {
  SceneGroup group;
  group.fixed = fixed;
  group.damping = damping;
  return group;
}

// --- fixed components ------------------------------------------------------------------------------------------

// C07: z fixed at v_z = 3, g = (0, -10, -10), lambda = 0.3. One step of 1 ms leads from (1, 2, 3) to (1, 1.987, 3);
// 1e-14 as in the catalogue. A particle inserted during the run makes a whole step; the first kick of a run is half a
// step.
TEST(Groups, C07FixedComponent) {
  Scene scene = linear_scene(soft, 0, 1e-3);
  scene.gravity = {0, -10, -10};
  const auto group = add_group(scene, fixed_group(4, 0.3));
  add_member(scene, group, {0, 0, 0}, radius, {1, 2, 3});
  const auto engine = start(scene);
  engine->advance(1);
  EXPECT_NEAR(read(*engine).velocity[1], 2 - 0.5 * 0.013, 1e-14);
  ParticleSet late = scene.particles;
  late.position[0] = {1, 0, 0};
  engine->insert(late);
  engine->advance(1);
  const Reading now = read(*engine, 1);
  EXPECT_EQ(now.velocity[0], 1);
  EXPECT_NEAR(now.velocity[1], 1.987, 1e-14);
  EXPECT_EQ(now.velocity[2], 3);
  EXPECT_NEAR(now.position[1], 1.987e-3, 1e-16);
  EXPECT_NEAR(now.position[2], 3e-3, 1e-16);
}

// C07 for rotation: a fixed component of the angular velocity does not change; the others change by T/I dt per step.
TEST(Groups, C07FixedRotation) {
  Scene scene = linear_scene(soft, 0, 1e-3);
  SceneGroup spinning = fixed_group(32);  // rz
  const double inertia = 0.4 * sphere_mass(radius, soft.density) * radius * radius;
  spinning.torque = {2 * inertia, -3 * inertia, 5 * inertia};
  const auto group = add_group(scene, spinning);
  add_member(scene, group, {0, 0, 0}, radius, {}, {1, 2, 3});
  const auto engine = start(scene);
  engine->advance(100);
  const double t = 99.5e-3;  // time of the velocity: the middle of the last step
  const Reading now = read(*engine);
  EXPECT_NEAR(now.spin[0], 1 + 2 * t, 1e-12);
  EXPECT_NEAR(now.spin[1], 2 - 3 * t, 1e-12);
  EXPECT_EQ(now.spin[2], 3);
}

// A fixed sphere at speed V hits a free one at rest. It counts as infinitely heavy, so the free one leaves at (1 + e)
// V, whatever the masses (momentum, and A08's damping ratio for e); 2e-3 as in A08.
TEST(Groups, AFixedParticleIsInfinitelyHeavy) {
  constexpr double speed = 1;
  const Substance glass{1e9, 0.25, 2500};
  const double mass = sphere_mass(0.005, glass.density);
  for (const double fixed_radius : {0.005, 0.002}) {
    const double reduced = 0.005 * fixed_radius / (0.005 + fixed_radius);
    const HertzImpact expected = hertz_impact(0.5 * plane_strain_modulus(glass), reduced, mass, speed);
    Scene scene = hertz_scene(glass, {0, 0.323620}, expected.duration / 2000);
    const auto group = add_group(scene, fixed_group(all_fixed));
    add_member(scene, group, {-fixed_radius, 0, 0}, fixed_radius, {speed, 0, 0});
    add_member(scene, 0, {0.005, 0, 0}, 0.005);
    scene.verlet_distance = 0.001;
    const Impact impact = collide(scene, pair_overlap);
    EXPECT_NEAR(impact.particle[1].velocity[0] / speed, 1.4, 2e-3);
    EXPECT_EQ(impact.particle[0].velocity[0], speed);
  }
}

// Two fixed spheres overlap, and one slides over the other at an imposed velocity. Without a finite mass there is no
// dashpot; the reported force is Hertz's elastic force 4/3 E* sqrt(R*) u^1.5. Nothing becomes NaN.
TEST(Groups, TwoFixedParticlesPressOnEachOther) {
  const Substance glass{1e7, 0.25, 2500};
  Scene scene = hertz_scene(glass, {0.3, 0.2}, 1e-6);
  const auto group = add_group(scene, fixed_group(fixed_translation));
  const double overlap = 1e-5;
  add_member(scene, group, {0, 0, 0}, radius, {0, 1e-4, 0});
  add_member(scene, group, {2 * radius - overlap, 0, 0}, radius);
  const auto engine = start(scene);
  engine->advance(10);
  const double hertz =
      4.0 / 3.0 * (0.5 * plane_strain_modulus(glass)) * std::sqrt(0.5 * radius) * std::pow(overlap, 1.5);
  EXPECT_NEAR(read(*engine, 1).force[0] / hertz, 1, 1e-6);
  EXPECT_TRUE(std::isfinite(read(*engine, 0).spin[2]));
  EXPECT_NE(read(*engine, 1).spin[2], 0) << "rotation is free, friction turns it";
  EXPECT_NEAR(read(*engine, 0).position[1], 10 * 1e-6 * 1e-4, 1e-20);
}

// A fixed sphere that is pressed against a wall reports the force of the spring and moves on at its imposed velocity.
TEST(Groups, AnImposedVelocityIgnoresContactsGravityAndDamping) {
  Scene scene = linear_scene(soft, 0.3, 1e-5);
  scene.gravity = {0, 0, -standard_gravity};
  scene.integration.viscous_damping = 100;
  const auto group = add_group(scene, fixed_group(all_fixed, 0.5));
  add_member(scene, group, {0, 0, radius * 0.999}, radius, {0.01, 0, -0.001}, {0, 3, 0});
  add_plane(scene, {0, 0, 0}, {0, 0, 1});
  const auto engine = start(scene);
  engine->advance(1000);
  const Reading now = read(*engine);
  EXPECT_NEAR(now.position[0], 0.01 * 0.01, 1e-15);
  EXPECT_NEAR(now.position[2], radius * 0.999 - 0.001 * 0.01, 1e-15);
  EXPECT_EQ(now.spin[1], 3);
  // K_N u of the last step.
  EXPECT_NEAR(now.force[2] / (soft.young * radius * (radius - now.position[2])), 1, 1e-2);
  EXPECT_LT(norm(engine->boundary_loads()[0].force), 1e3);
  EXPECT_LT(engine->boundary_loads()[0].force[2], 0);
}

// --- rotation of a group -----------------------------------------------------------------------------------------

// The position is on a circle about the axis with any step: x(t) = R(w t) x(0). The tolerance is the rounding of 1000
// steps.
TEST(Groups, AGroupThatTurnsStaysOnItsCircles) {
  Scene scene = linear_scene(soft, 0, 1e-3);
  scene.gravity = {0, 0, -standard_gravity};
  SceneGroup turning = fixed_group(all_fixed);
  const Real3 axis = {1.0 / 3, 2.0 / 3, 2.0 / 3}, origin = {0.5, -0.25, 0.125};
  turning.rotation = Rotation{axis, origin, 100};  // 0.1 rad per step
  const auto group = add_group(scene, turning);
  const Real3 from = {1, 0, 0};
  add_member(scene, group, from, 0.5, {}, 100 * axis);
  const auto engine = start(scene);
  for (const int steps : {1, 999}) {
    engine->advance(static_cast<std::uint64_t>(steps));
    const Real3 expected = origin + rotated(from - origin, axis, 100 * engine->time());
    EXPECT_LT(norm(read(*engine).position - expected), 1e-11) << engine->step();
  }
  EXPECT_EQ(read(*engine).spin, 100 * axis);
}

// --- forces ------------------------------------------------------------------------------------------------------

// Five spheres press on each other, with a constant force on each. Contact forces cancel, so the centre of mass moves
// by F t^2 / (2 m), which leapfrog meets to rounding.
TEST(Groups, AConstantForceMovesTheCentreOfMass) {
  Scene scene = linear_scene(soft, 0.4, 1e-5);
  SceneGroup pulled;
  pulled.force = {0.02, 0, -0.01};
  pulled.gravity = false;
  scene.gravity = {0, 0, -standard_gravity};
  const auto group = add_group(scene, pulled);
  double mass = 0;
  for (int i = 0; i < 5; ++i) {
    const double r = radius * (1 - 0.02 * i);
    add_member(scene, group, {1.84 * radius * i, 0.1 * radius * i, 0}, r);
    mass += sphere_mass(r, soft.density);
  }
  scene.verlet_distance = radius;
  const auto centre = [&](const Snapshot& s) {
    Real3 sum{};
    for (std::size_t i = 0; i < s.id.size(); ++i) {
      sum = sum + (sphere_mass(s.radius[i], soft.density) / mass) * s.position[i];
    }
    return sum;
  };
  const auto engine = start(scene);
  const Real3 from = centre(engine->snapshot());
  engine->advance(1);
  EXPECT_GT(engine->counts().contacts, 2U);
  engine->advance(2999);
  const Real3 moved = centre(engine->snapshot()) - from;
  const double t = engine->time();
  EXPECT_NEAR(moved[0] / (0.5 * 5 * 0.02 / mass * t * t), 1, 1e-10);
  EXPECT_NEAR(moved[1], 0, 1e-13);
  EXPECT_NEAR(moved[2] / (0.5 * 5 * -0.01 / mass * t * t), 1, 1e-10);
}

// --- damping -----------------------------------------------------------------------------------------------------

// C05 with and without damped gravity: a/g is 1 - lambda of the group, and 1 without damp_gravity; 1e-12 as in the
// catalogue.
TEST(Groups, C05DampedFreeFallByGroup) {
  for (const bool damp_gravity : {true, false}) {
    Scene scene = linear_scene(soft, 0, 1e-3);
    scene.gravity = {0, 0, -standard_gravity};
    scene.integration.damping = 0.7;
    scene.integration.damp_gravity = damp_gravity;
    const auto group = add_group(scene, fixed_group(0, 0.4));
    add_member(scene, group, {0, 0, 0}, radius);
    add_member(scene, 0, {1, 0, 0}, radius);
    SceneGroup weightless = fixed_group(0, 0.4);
    weightless.gravity = false;
    add_member(scene, add_group(scene, weightless), {2, 0, 0}, radius, {0, 0, 1});
    const auto engine = start(scene);
    engine->advance(100);
    // The first half step starts at rest, so nothing is damped.
    const auto fall = [](double part) { return -standard_gravity * (0.5e-3 + part * 99e-3); };
    EXPECT_NEAR(read(*engine, 0).velocity[2] / fall(damp_gravity ? 0.6 : 1), 1, 1e-12);
    EXPECT_NEAR(read(*engine, 1).velocity[2] / fall(damp_gravity ? 0.3 : 1), 1, 1e-12);
    EXPECT_EQ(read(*engine, 2).velocity[2], 1);
  }
}

// Contact forces and forces of groups are damped even if gravity is not: M14 with a force of 1 N on 1 kg (C06) gives a
// factor 0.7 for motion along the force and 1.3 against it.
TEST(Groups, C06ForcesAreDampedWithoutGravity) {
  const double unit_radius = std::cbrt(3 / (4 * pi * soft.density));
  Scene scene = linear_scene(soft, 0, 1e-3);
  scene.gravity = {0, 0, -standard_gravity};
  scene.integration.damp_gravity = false;
  SceneGroup pulled = fixed_group(0, 0.3);
  pulled.force = {1, 1, 0};
  const auto group = add_group(scene, pulled);
  add_member(scene, 0, {0, 0, 9}, unit_radius);
  const auto engine = start(scene);
  engine->advance(1);
  ParticleSet late = scene.particles;
  late.position[0] = {0, 0, 0};
  late.velocity[0] = {-4e-4, -6e-4, 0};
  late.group[0] = group;
  engine->insert(late);
  engine->advance(1);
  const Reading now = read(*engine, 1);
  EXPECT_NEAR((now.velocity[0] + 4e-4) / 1e-3, 0.7, 1e-12);
  EXPECT_NEAR((now.velocity[1] + 6e-4) / 1e-3, 1.3, 1e-12);
  EXPECT_NEAR(now.velocity[2], -standard_gravity * 1e-3, 1e-15);
}

// In the first step of a run, the sign of the damping follows the given velocity. A particle thrown up by less than g
// dt/2 is damped like one that rises, with and without groups (closed form v0 - (1 + lambda) g dt/2).
TEST(Groups, C06FirstStepGoesByTheStartVelocity) {
  for (const bool by_group : {false, true}) {
    Scene scene = linear_scene(soft, 0, 1e-3);
    scene.gravity = {0, 0, -standard_gravity};
    scene.integration.damping = 0.4;
    if (by_group) {
      add_member(scene, add_group(scene, fixed_group(0, 0.4)), {0, 0, 0}, radius, {0, 0, 1e-3});
    } else {
      add_sphere(scene, {0, 0, 0}, radius, {0, 0, 1e-3});
    }
    const auto engine = start(scene);
    engine->advance(1);
    EXPECT_NEAR(read(*engine).velocity[2], 1e-3 - 1.4 * standard_gravity * 0.5e-3, 1e-15) << by_group;
  }
}

// The angular acceleration T/I is damped like the acceleration, by group.
TEST(Groups, C05DampedRotationByGroup) {
  Scene scene = linear_scene(soft, 0, 1e-3);
  SceneGroup turned = fixed_group(0, 0.4);
  const double inertia = 0.4 * sphere_mass(radius, soft.density) * radius * radius;
  turned.torque = {0, 0, inertia};
  const auto group = add_group(scene, turned);
  add_member(scene, group, {0, 0, 0}, radius);
  add_member(scene, group, {1, 0, 0}, radius, {}, {0, 0, -10});
  const auto engine = start(scene);
  engine->advance(100);
  EXPECT_NEAR(read(*engine, 0).spin[2], 0.5e-3 + 0.6 * 99e-3, 1e-12);
  EXPECT_NEAR(read(*engine, 1).spin[2], -10 + 1.4 * 99.5e-3, 1e-12);
}

// v = v0 exp(-c t) and w = w0 exp(-c t). The integration is exact at any rate; 1e-11 for rounding.
TEST(Groups, ViscousDampingDecaysExponentially) {
  for (const double rate : {1e-6, 1.0, 100.0, 1e4, 1e8}) {
    Scene scene = linear_scene(soft, 0, 1e-3);
    scene.integration.viscous_damping = rate;
    scene.groups.emplace_back();
    add_sphere(scene, {0, 0, 0}, radius, {1, -2, 3}, {4, 0, -5});
    const auto engine = start(scene);
    engine->advance(50);
    const double left = std::exp(-rate * 49.5e-3);
    const Reading now = read(*engine);
    EXPECT_NEAR(now.velocity[0], left, 1e-11 * left) << rate;
    EXPECT_NEAR(now.velocity[1], -2 * left, 1e-11 * left) << rate;
    EXPECT_NEAR(now.spin[2], -5 * left, 1e-11 * left) << rate;
  }
}

// Fall against viscous damping: v = -g/c (1 - exp(-c t)), exact for a constant force.
TEST(Groups, ViscousDampingHasATerminalVelocity) {
  for (const double rate : {0.1, 30.0, 2e3, 5e4, 1e6}) {
    Scene scene = linear_scene(soft, 0, 1e-3);
    scene.gravity = {0, 0, -standard_gravity};
    scene.integration.viscous_damping = rate;
    scene.groups.emplace_back();
    add_sphere(scene, {0, 0, 0}, radius);
    const auto engine = start(scene);
    engine->advance(200);
    const double expected = standard_gravity / rate * std::expm1(-rate * 199.5e-3);
    EXPECT_NEAR(read(*engine).velocity[2] / expected, 1, 1e-11) << rate;
  }
}

}  // namespace scree::physics::groups_test
