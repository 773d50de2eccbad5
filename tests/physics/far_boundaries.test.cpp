#include <gtest/gtest.h>

#include <cmath>

#include "scenes.hpp"

// Scenes that lie far from the origin of the world, as terrain in map coordinates does: nothing depends on the place.
namespace scree::physics::far_boundaries_test {

constexpr Substance stiff{1e7, 0.3, 2600};

/// What a run far away has in common with one at the origin.
struct Outcome {
  double kinetic = 0, friction = 0, error = 0;  ///< [J]
};

Outcome outcome_of(Scene scene, std::uint64_t steps) {
  scene.energies = true;
  const auto engine = start(scene);
  engine->advance(steps);
  const EnergyLedger e = engine->energies();
  return {e.kinetic_translation + e.kinetic_rotation, e.friction, e.error};
}

/// A sphere at the bottom of a cylinder that turns to and fro about its axis, or faster and faster.
Scene turning_cylinder(double offset, bool speeds_up) {
  constexpr double r = 0.005, large = 0.05;
  Scene scene = linear_scene(stiff, 0.4, 1e-5);
  scene.gravity = {0, 0, -standard_gravity};
  add_sphere(scene, {offset, 0, r - large + 1e-5}, r);
  add_cylinder(scene, {offset, -0.05, 0}, {offset, 0.05, 0}, large);
  Motion motion;
  if (speeds_up) {
    TableMotion table;
    table.axis = Real3{0, 1, 0}, table.origin = {offset, 0, 0};
    table.velocity = TimeTable{{0, 0}, {0.2, 40}};
    motion = {table};
  } else {
    Oscillation swing;
    swing.axis = Real3{0, 1, 0}, swing.origin = {offset, 0, 0};
    swing.amplitude = 0.3, swing.frequency = 5;
    motion = {swing};
  }
  scene.boundaries[0].motion = {motion};
  return scene;
}

// The velocity of a boundary whose rotation changes belongs to its own axis. If it were left with the chord of the
// origin, the sphere would get another energy: 0.5 % at 1 m, and 36 times at 1 km. Rounding of positions at 1 km is
// 1e-13 m, 1e-8 of the overlaps; it may decide when the sphere slips.
TEST(FarBoundaries, RotationsThatChangeAreTheSameEverywhere) {
  for (const bool speeds_up : {false, true}) {
    const Outcome here = outcome_of(turning_cylinder(0, speeds_up), 5000);
    if (!speeds_up) { EXPECT_GT(here.friction, 1e-6); }  // the other sphere rolls
    for (const double offset : {1.0, 1000.0}) {
      const Outcome there = outcome_of(turning_cylinder(offset, speeds_up), 5000);
      EXPECT_NEAR(there.kinetic / here.kinetic, 1, 1e-3) << offset << speeds_up;
      EXPECT_NEAR(there.friction, here.friction, 1e-3 * here.friction + 1e-6 * here.kinetic) << offset << speeds_up;
      EXPECT_LT(std::abs(there.error), 1e-3 * (here.friction + here.kinetic)) << offset << speeds_up;
    }
  }
}

/// A sphere that falls on the edge of a plate, 4 mm above a floor.
Scene plate_over_floor(double offset) {
  constexpr double r = 0.005;
  Scene scene = linear_scene(stiff, 0, 5e-6);
  add_sphere(scene, {offset - 1.5 * r, 0, r + 0.0005}, r, {0.2, 0, 0});
  add_plane(scene, {offset, 0, 0}, {0, 0, 1});
  add_mesh(scene, parallelogram({offset, -0.02, 0.004}, {0.04, 0, 0}, {0, 0.04, 0}));
  return scene;
}

// A plate counts as joined with the floor only if it touches it, wherever both lie: else its edge would not be felt.
// Here the edge throws the sphere back.
TEST(FarBoundaries, APlateOverAFloorKeepsItsEdge) {
  for (const double offset : {0.0, 1e4, 1e6}) {
    const auto engine = start(plate_over_floor(offset));
    engine->advance(4000);
    EXPECT_LT(read(*engine).velocity[0], -0.05) << offset;
  }
}

// The lists of a run follow the motion of its boundaries. A cylinder that turns about its own axis moves its shell by
// the same way everywhere, so a run far away makes as many searches.
TEST(FarBoundaries, ListsLastAsLongEverywhere) {
  const auto searches = [](double offset) {
    Scene scene = turning_cylinder(offset, false);
    scene.boundaries[0].motion = {{Rotation{{0, 1, 0}, {offset, 0, 0}, 30}}};
    scene.verlet_distance = 1e-3;
    const auto engine = start(scene);
    engine->advance(2000);
    std::uint64_t calls = 0;
    for (const LaunchTime& launch : engine->launch_times()) {
      if (launch.kind.starts_with("search")) { calls += launch.calls; }
    }
    return calls;
  };
  const std::uint64_t here = searches(0);
  EXPECT_GT(here, 0u);
  EXPECT_LE(searches(100), here + here / 10);
}

}  // namespace scree::physics::far_boundaries_test
