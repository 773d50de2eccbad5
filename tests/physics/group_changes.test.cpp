#include <gtest/gtest.h>

#include <cmath>

#include "clump_shapes.hpp"
#include "impacts.hpp"
#include "scree/errors.hpp"

// Groups that change during a run: particles are held, pushed, turned and let go.
namespace scree::physics::group_changes_test {

constexpr Substance soft{1e5, 0.3, 2500};
constexpr double radius = 0.01, step = 1e-4;
constexpr std::uint32_t all_fixed = fixed_translation | fixed_rotation;

/// One sphere in group 1, free at first. It falls by 10 m/s2.
Scene one_sphere(Precision precision) {
  Scene scene = linear_scene(soft, 0.3, step);
  scene.precision = precision;
  scene.gravity = {0, 0, -10};
  scene.groups.resize(2);
  add_sphere(scene, {1, 2, 3}, radius, {0.5, 0, 0}, {0, 4, 0});
  scene.particles.group = {1};
  return scene;
}

// A sphere falls for n1 steps, is moved along x for n2 steps, and then falls again from that velocity. Leapfrog: after
// k kicks its velocity is -g (k - 1/2) dt in the first fall, whose first kick is half a step, and -g k dt in the second
// one. The rounding of single precision decides the tolerance there.
TEST(GroupChanges, AHeldSphereMovesAsAskedAndFallsWhenItIsFree) {
  for (const Precision precision : {Precision::double_, Precision::mixed}) {
    const double tolerance = precision == Precision::double_ ? 1e-13 : 1e-7;
    Scene scene = one_sphere(precision);
    const auto engine = start(scene);
    engine->advance(100);
    const Reading fallen = read(*engine);
    EXPECT_NEAR(fallen.velocity[2], -10 * 99.5 * step, tolerance);
    engine->set_group(1, {.fixed = all_fixed, .velocity = Real3{0.2, 0, 0}, .angular_velocity = Real3{0, 0, 3}});
    engine->advance(200);
    const Reading held = read(*engine);
    EXPECT_NEAR(held.position[0], fallen.position[0] + 0.2 * 200 * step, 4 * tolerance);
    EXPECT_EQ(held.position[2], fallen.position[2]);
    EXPECT_NEAR(held.spin[2], 3, tolerance);
    EXPECT_EQ(held.spin[1], 0);
    engine->set_group(1, {.fixed = 0u});
    engine->advance(100);
    const Reading free = read(*engine);
    EXPECT_NEAR(free.velocity[2], -10 * 100 * step, tolerance);
    EXPECT_NEAR(free.position[2], held.position[2] - 10 * step * step * 100 * 101 / 2, tolerance);
    EXPECT_NEAR(free.velocity[0], 0.2, tolerance);
    EXPECT_NEAR(free.spin[2], 3, tolerance);
  }
}

// Only the components that are fixed take the imposed values.
TEST(GroupChanges, FreeComponentsKeepTheirVelocity) {
  Scene scene = one_sphere(Precision::double_);
  scene.gravity = {};
  const auto engine = start(scene);
  engine->set_group(1, {.fixed = 2u | 32u, .velocity = Real3{7, 8, 9}, .angular_velocity = Real3{1, 2, 3}});
  engine->advance(3);
  const Reading now = read(*engine);
  EXPECT_EQ(now.velocity, (Real3{0.5, 8, 0}));
  EXPECT_EQ(now.spin, (Real3{0, 4, 3}));
}

// A group turns about an axis, stops to turn where it is, and is let go: then it flies off along the tangent.
TEST(GroupChanges, AGroupTurnsAndIsLetGo) {
  Scene scene = one_sphere(Precision::double_);
  scene.gravity = {};
  const auto engine = start(scene);
  const double rate = 20, turns = 157;  // about a quarter of a turn, 0.314 rad per 157 steps
  engine->set_group(1, {.fixed = all_fixed, .rotation = Rotation{{0, 0, 1}, {0, 2, 0}, rate}});
  engine->advance(static_cast<std::uint64_t>(turns));
  const double angle = rate * turns * step;
  const Reading turned = read(*engine);
  EXPECT_NEAR(turned.position[0], std::cos(angle), 1e-12);
  EXPECT_NEAR(turned.position[1], 2 + std::sin(angle), 1e-12);
  EXPECT_NEAR(turned.spin[2], rate, 1e-12);
  engine->set_group(1, {.fixed = 0u});
  engine->advance(100);
  // its velocity is the mean velocity of the last step, along the chord
  const double chord = rate * step / 2, speed = std::sin(chord) / chord * rate, middle = angle - chord;
  const Reading free = read(*engine);
  EXPECT_NEAR(free.velocity[0], -speed * std::sin(middle), 1e-12);
  EXPECT_NEAR(free.velocity[1], speed * std::cos(middle), 1e-12);
  EXPECT_NEAR(free.position[0] - turned.position[0], 100 * step * free.velocity[0], 1e-12);
}

// A falling sphere joins a group that moves, is carried along, and joins a free group again. Sphere 0 is in the moving
// group all the time and must not notice.
TEST(GroupChanges, ASphereThatJoinsTakesTheMotionOfItsGroup) {
  for (const Precision precision : {Precision::double_, Precision::mixed}) {
    const double tolerance = precision == Precision::double_ ? 1e-13 : 1e-7;
    Scene scene = one_sphere(precision);
    scene.groups[1].fixed = all_fixed;
    scene.groups[1].velocity = Real3{0.2, 0, 0};
    scene.groups[1].angular_velocity = Real3{0, 0, 3};
    scene.particles.velocity[0] = {0.2, 0, 0}, scene.particles.angular_velocity[0] = {0, 0, 3};
    add_sphere(scene, {1, 5, 3}, radius);
    scene.particles.group = {1, 0};
    scene.energies = true;
    const auto engine = start(scene);
    engine->advance(100);
    const Reading fallen = read(*engine, 1);
    engine->join_group(1, {1});
    const double mass = sphere_mass(radius, 2500), inertia = 0.4 * mass * radius * radius;
    engine->advance(200);
    const Reading held = read(*engine, 1);
    EXPECT_NEAR(held.position[0], 1 + 0.2 * 200 * step, 4 * tolerance);
    EXPECT_EQ(held.position[2], fallen.position[2]);
    EXPECT_EQ(held.velocity, (read(*engine, 0).velocity));
    EXPECT_NEAR(held.spin[2], 3, tolerance);
    // The work of the group is the change of the kinetic energy; gravity finds no velocity along it any more.
    const double fall = fallen.velocity[2];
    const double gain = 0.5 * (mass * (0.2 * 0.2 - fall * fall) + inertia * 9);
    EXPECT_NEAR(engine->energies().groups, gain, 1e-6 * std::abs(gain));
    EXPECT_LT(std::abs(engine->energies().error), precision == Precision::double_ ? 1e-14 : 1e-8);
    engine->join_group(0, {1});
    engine->advance(100);
    const Reading free = read(*engine, 1);
    EXPECT_NEAR(free.velocity[2], -10 * 100 * step, tolerance);
    EXPECT_NEAR(free.velocity[0], 0.2, tolerance);
    EXPECT_NEAR(read(*engine, 0).position[0], 1 + 0.2 * 400 * step, 8 * tolerance);
  }
}

// A sphere at rest that becomes held is infinitely heavy from then on: a sphere that hits it comes back with e V, and
// with a free partner of the same mass it would keep (1 - e)/2 V (C07's fixed sphere; 2e-3 as in A08).
TEST(GroupChanges, AHeldSphereIsInfinitelyHeavy) {
  constexpr double speed = 1, r = 0.005;
  const Substance glass{1e9, 0.25, 2500};
  const double mass = sphere_mass(r, glass.density);
  for (const bool held : {true, false}) {
    const HertzImpact expected = hertz_impact(0.5 * plane_strain_modulus(glass), r / 2, mass, speed);
    Scene scene = hertz_scene(glass, {0, 0.323620}, expected.duration / 2000);
    scene.groups.resize(2);
    scene.groups[1].fixed = held ? 0 : fixed_translation;
    add_sphere(scene, {-r, 0, 0}, r);
    add_sphere(scene, {r + 1e-5, 0, 0}, r, {-speed, 0, 0});
    scene.particles.group = {1, 0};
    scene.verlet_distance = 0.001;
    const auto engine = start(scene);
    engine->advance(10);
    engine->set_group(1, {.fixed = held ? fixed_translation : 0u});
    engine->advance(4000);
    EXPECT_NEAR(read(*engine, 1).velocity[0] / speed, held ? 0.4 : -0.3, 2e-3);
    EXPECT_NEAR(read(*engine, 0).velocity[0] / speed, held ? 0 : -0.7, 2e-3);
  }
}

/// Two spheres on a plane and a clump of two on them, all in contact and in motion. One sphere is in group 0, all else
/// in group 1, and group 2 is empty.
Scene small_stack(Precision precision) {
  Scene scene = linear_scene({1e6, 0.3, 2500}, 0.4, 2e-5);
  scene.precision = precision;
  scene.gravity = {0, 0, -10};
  scene.energies = true;
  scene.clump_shapes = {dumbbell(0.01, 0.008)};
  scene.groups.resize(3);
  add_sphere(scene, {0, 0, 0.0099}, radius, {0, 0, -0.5});
  add_sphere(scene, {0.0195, 0, 0.0099}, radius);
  add_clump(scene, 0, {0.01, 0, 0.0275}, {0, 0, -0.3}, {0, 3, 0});
  scene.particles.group = {1, 0, 1, 1};
  add_plane(scene, {0, 0, 0}, {0, 0, 1});
  return scene;
}

// The ledger counts what imposed velocities change as work of the groups, so that its error stays small although the
// kinetic energy jumps: a stack of spheres and clumps is held, turned and let go while it is in contact.
TEST(GroupChanges, TheLedgerCountsImposedVelocitiesAsWork) {
  for (const Precision precision : {Precision::double_, Precision::mixed}) {
    const Scene scene = small_stack(precision);
    const auto engine = start(scene);
    double most = 0;
    const auto run = [&](std::uint64_t steps) {
      for (std::uint64_t k = 0; k < steps; k += 25) {
        engine->advance(25);
        const EnergyLedger now = engine->energies();
        most = std::max(most, std::abs(now.error));
      }
    };
    run(200);
    const double before = engine->energies().groups;
    engine->set_group(1, {.fixed = all_fixed, .velocity = Real3{0.3, 0, 0}, .angular_velocity = Real3{0, 0, 0}});
    run(300);
    EXPECT_GT(std::abs(engine->energies().groups - before), 1e-4);
    engine->set_group(1, {.rotation = Rotation{{0, 1, 0}, {0, 0, 0}, 5}});
    run(300);
    engine->set_group(1, {.fixed = 0u, .force = Real3{0, 0, 0.1}});
    run(500);
    EXPECT_LT(most, 2e-5);  // the work is some 0.04 J; contacts are integrated with errors of second order
  }
}

// Particles that join a group move, and have the energies, as if a group of their own were given the motion of that
// one.
TEST(GroupChanges, JoiningIsLikeAChangeOfAGroupOfOnesOwn) {
  for (const Precision precision : {Precision::double_, Precision::mixed}) {
    Scene scene = small_stack(precision);
    scene.particles.group = {2, 0, 2, 2};
    scene.groups[1].fixed = all_fixed;
    scene.groups[1].velocity = Real3{0.2, 0, 0.1}, scene.groups[1].angular_velocity = Real3{0, 0, 0};
    const auto joining = start(scene), changing = start(scene);
    const auto expect_same = [&] {
      joining->advance(200);
      changing->advance(200);
      const Snapshot a = joining->snapshot(), b = changing->snapshot();
      EXPECT_EQ(a.position, b.position);
      EXPECT_EQ(a.velocity, b.velocity);
      EXPECT_EQ(a.angular_velocity, b.angular_velocity);
      EXPECT_EQ(joining->energies().groups, changing->energies().groups);
      EXPECT_EQ(joining->energies().error, changing->energies().error);
    };
    expect_same();
    joining->join_group(1, {0, 2});
    changing->set_group(2, {.fixed = all_fixed, .velocity = Real3{0.2, 0, 0.1}, .angular_velocity = Real3{0, 0, 0}});
    expect_same();
    EXPECT_GT(std::abs(joining->energies().groups), 1e-4);
    joining->join_group(0, {0, 2, 3});  // 3 is the second sphere of the clump, which counts for nothing
    changing->set_group(2, {.fixed = 0u});
    expect_same();
  }
}

// A clump that turned about a fixed axis is let go: a body without torque keeps its angular momentum, with every
// integrator of rotations.
TEST(GroupChanges, AClumpThatIsLetGoKeepsItsAngularMomentum) {
  for (const RotationScheme scheme : {RotationScheme::spiral, RotationScheme::omelyan, RotationScheme::fincham}) {
    Scene scene = linear_scene(soft, 0, 1e-4);
    scene.integration.rotation = scheme;
    scene.clump_shapes = {dumbbell(0.05, 0.08)};
    scene.groups.resize(2);
    add_clump(scene, 0, {0, 0, 0}, {}, {3, 5, 7}, turn({1, 2, 3}, 1));
    scene.particles.group = {1, 1};
    const auto engine = start(scene);
    const auto momentum = [&] {
      const SnapshotClump c = engine->snapshot().clumps.at(0);
      const std::array<double, 4> back{c.orientation[0], -c.orientation[1], -c.orientation[2], -c.orientation[3]};
      Real3 w = turned_by(back, c.angular_velocity);
      for (std::size_t k = 0; k < 3; ++k) { w[k] *= c.inertia[k]; }
      return turned_by(c.orientation, w);
    };
    engine->advance(300);
    engine->set_group(1, {.fixed = all_fixed, .velocity = Real3{}, .angular_velocity = Real3{4, 0, 9}});
    engine->advance(300);
    engine->set_group(1, {.fixed = 0u});
    engine->advance(1);
    const Real3 at_first = momentum();
    engine->advance(2000);  // 0.2 s, some two radians
    const Real3 at_last = momentum();
    // The reading takes the spin of half a step ago with the present pose: an error of half a step, 0.5 w dt.
    EXPECT_NEAR(norm(at_last - at_first) / norm(at_first), 0, 1e-3);
    const SnapshotClump c = engine->snapshot().clumps.at(0);
    EXPECT_NEAR(norm(c.velocity), 0, 1e-15);
  }
}

TEST(GroupChanges, WhatCannotBeIsRefused) {
  Scene scene = one_sphere(Precision::double_);
  const auto engine = start(scene);
  engine->advance(3);
  const std::string before = engine->hash().text();
  const Rotation turn_about_z{{0, 0, 1}, {}, 1};
  EXPECT_THROW(engine->set_group(2, {.gravity = false}), ContractError);
  EXPECT_THROW(engine->set_group(1, {.rotation = turn_about_z}), ContractError);
  EXPECT_THROW(engine->set_group(1, {.fixed = all_fixed, .rotation = Rotation{{0, 0, 2}, {}, 1}}), ContractError);
  EXPECT_THROW(engine->set_group(1, {.fixed = all_fixed, .rotation = Rotation{{0, 0, 1}, {}}}), ContractError);
  EXPECT_THROW(engine->set_group(1, {.fixed = 64u}), ContractError);
  EXPECT_THROW(engine->set_group(1, {.velocity = Real3{NAN, 0, 0}}), ContractError);
  EXPECT_THROW(engine->set_group(1, {.damping = 1.0}), ContractError);
  EXPECT_EQ(engine->hash().text(), before);
}

}  // namespace scree::physics::group_changes_test
