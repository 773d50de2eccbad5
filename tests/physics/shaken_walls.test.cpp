#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "scenes.hpp"

// Walls that shake along their surface. Contacts take the mean velocity of a wall over the last step, since the
// velocities of particles are also those in the middle of that step.
namespace scree::physics::shaken_walls_test {

constexpr double radius = 0.01;
constexpr Substance stiff{1e7, 0.3, 2600};

Motion shaking(const Real3& direction, double amplitude, double frequency) {
  Oscillation motion;
  motion.direction = direction;
  motion.amplitude = amplitude, motion.frequency = frequency;
  return {motion};
}

// Until it slips, a sphere that is held has a shear spring, and the force is that of K_T = poisson K_N times the way of
// the wall, whatever the wall's motion and however long the steps are: no way is lost where the velocity of a table
// jumps. Tolerance: rounding of some hundred sums.
TEST(ShakenWalls, TheShearSpringHoldsTheWayOfTheWall) {
  constexpr double overlap = 1e-5, time_step = 1e-4;
  TableMotion table;
  table.direction = Real3{1, 0, 0};
  table.position = TimeTable{{0.00213, 0}, {0.00467, 4e-7}, {0.00731, -3e-7}, {0.0091, 2.5e-7}};
  Motion shakes = shaking({1, 0, 0}, 5e-7, 130);
  shakes.from = 1e-3;  // a contact that exists at the start slips by one step of the velocities there
  const Motion goes{Translation{{1e-4, 0, 0}}, 2e-3, 7e-3};
  for (const Motion& motion : {shakes, Motion{table, 1e-3}, goes}) {
    for (const bool mesh : {false, true}) {
      Scene scene = linear_scene(stiff, 1, time_step);
      scene.groups.resize(2);
      scene.groups[1].fixed = fixed_translation | fixed_rotation;
      add_sphere(scene, {0, 0, radius - overlap}, radius);
      scene.particles.group = {1};
      if (mesh) {
        add_mesh(scene, parallelogram({-0.5, -0.5, 0}, {1, 0, 0}, {0, 1, 0}), {motion});
      } else {
        add_plane(scene, {0, 0, 0}, {0, 0, 1}, {motion});
      }
      const auto engine = start(scene);
      const double stiffness = stiff.poisson * stiff.young * radius;
      for (int k = 0; k < 150; ++k) {
        const double way = engine->boundary_loads().at(0).offset[0];
        engine->advance(1);  // its forces belong to the positions before it
        EXPECT_NEAR(read(*engine).force[0], stiffness * way, 1e-12 * stiffness * 5e-7) << k;
      }
    }
  }
}

/// A sphere on a floor that shakes, in a run with this many steps per cycle.
struct Shaking {
  Real3 direction;
  bool of_surface = false;  ///< the surface shakes, not the floor
  double friction = 0;

  [[nodiscard]] EnergyLedger after_ten_cycles(int steps_per_cycle) const {
    constexpr double frequency = 50;
    Scene scene = linear_scene(stiff, friction, 1 / (frequency * steps_per_cycle));
    scene.gravity = {0, 0, -standard_gravity};
    scene.energies = true;
    const double weight = sphere_mass(radius, stiff.density) * standard_gravity;
    add_sphere(scene, {0, 0, radius - weight / (stiff.young * radius)}, radius);
    add_plane(scene, {0, 0, 0}, {0, 0, 1});
    std::vector<Motion>& motions = of_surface ? scene.boundaries[0].surface_motion : scene.boundaries[0].motion;
    motions = {shaking(direction, 1e-4, frequency)};
    const auto engine = start(scene);
    engine->advance(std::uint64_t{10} * static_cast<std::uint64_t>(steps_per_cycle));
    return engine->energies();
  }
};

// A wall that shakes along its surface puts energy into its contacts and takes it out again. The velocities that its
// contacts, its work and the balance use are the same, so the balance is as exact as for spheres alone: the rest is
// rounding and, where sliding begins and ends, of second order in the step (1e-9 of the work; with velocities half a
// step apart it was 1e-3).
TEST(ShakenWalls, TheBalanceIsThatOfAWallAtRest) {
  for (const bool of_surface : {false, true}) {
    for (const double friction : {10.0, 0.3}) {
      const EnergyLedger e = Shaking{{1, 0, 0}, of_surface, friction}.after_ten_cycles(4000);
      EXPECT_GT(e.boundaries, 1e-6);
      EXPECT_EQ(e.friction > 0.1 * e.boundaries, friction < 1);
      EXPECT_LT(std::abs(e.error), 1e-9 * e.boundaries) << of_surface << friction;
    }
  }
}

// A floor that also shakes up and down throws the sphere up. Contacts begin and end within a step, which leaves errors
// of second order: half the step leaves about a quarter of them, where an error of first order would leave half.
TEST(ShakenWalls, ImpactsOnAShakenWallAreOfSecondOrder) {
  const Shaking shaking{{1, 0, 0.2}, false, 10};
  const EnergyLedger coarse = shaking.after_ten_cycles(4000), fine = shaking.after_ten_cycles(8000);
  EXPECT_GT(fine.boundaries, 3e-6);
  EXPECT_LT(std::abs(coarse.error), 5e-3 * coarse.boundaries);
  EXPECT_LT(std::abs(fine.error), 0.35 * std::abs(coarse.error));
}

}  // namespace scree::physics::shaken_walls_test
