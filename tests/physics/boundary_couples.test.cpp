#include <gtest/gtest.h>

#include <cmath>

#include "scenes.hpp"

// The couples of rolling and twisting resistance also act on boundaries: torque, work and driven motion.
namespace scree::physics::boundary_couples_test {

constexpr Substance stiff{1e7, 0.3, 2500};
constexpr double radius = 0.01, overlap = 1e-4, time_step = 1e-5;
constexpr double normal_force = 1e5 * overlap;    // K_N = E r
constexpr double spring = 3e4 * radius * radius;  // K_T r^2 [N m]
constexpr std::uint32_t all_fixed = fixed_translation | fixed_rotation;

/// A fixed sphere with rolling and twisting resistance and without friction.
Scene held_sphere(const Real3& position, const RollingResistance& rolling) {
  Scene scene = linear_scene(stiff, 0, time_step);
  for (MaterialPair& pair : scene.pairs) { pair.rolling = rolling; }
  add_sphere(scene, position, radius);
  scene.particles.group = {1};
  scene.groups.resize(2);
  scene.groups[1].fixed = all_fixed;
  return scene;
}

/// Torque about the z axis on a boundary that turns about z, its work, and the force on it, after n steps.
struct Turned {
  double torque, work, force;
};
Turned turn(const Scene& scene, int n) {
  const auto engine = start(scene);
  engine->advance(std::uint64_t(n));
  const BoundaryLoad load = engine->boundary_loads().at(0);
  return {load.torque[2], load.work, norm(load.force)};
}

Motion about_z(double rate) { return {Rotation{{0, 0, 1}, {0, 0, 0}, rate}}; }

// A plane that turns under a sphere feels the torque eta_t r F_N against its rotation. Its work is M angle - M^2 / (2
// K_t), that of a spring that slips (closed forms). Tolerances: rounding for the torque, 1e-3 for the work because of
// the first step. A mesh gives the same, while the edge between its facets passes under the sphere.
TEST(BoundaryCouples, TwistingLimitOnATurningPlane) {
  constexpr double limit = 0.05 * radius * normal_force, stiffness = 0.5 * spring;
  for (const bool as_mesh : {false, true}) {
    for (const double rate : {40.0, -40.0}) {
      Scene scene = held_sphere({0.03, 0.02, radius - overlap}, {.twisting_stiffness = 0.5, .twisting_friction = 0.05});
      if (as_mesh) {
        add_mesh(scene, parallelogram({-0.1, -0.1, 0}, {0.2, 0, 0}, {0, 0.2, 0}), {about_z(rate)});
      } else {
        add_plane(scene, {0, 0, 0}, {0, 0, 1}, {about_z(rate)});
      }
      const Turned turned = turn(scene, 4000);
      EXPECT_NEAR(turned.force / normal_force, 1, 1e-11);
      EXPECT_NEAR(turned.torque / limit, rate > 0 ? -1 : 1, 1e-11);
      EXPECT_NEAR(turned.work / (limit * 40 * 4000 * time_step - limit * limit / (2 * stiffness)), 1, 1e-3);
      // Before it slips, the torque of the spring is K_t times the angle.
      EXPECT_NEAR(turn(scene, 2).torque / (-stiffness * rate * 2 * time_step), 1, 1e-11);
    }
  }
}

// A cylinder turns about a sphere at its inner side. The contact rolls, so the torque is eta_r r F_N (closed form, to
// rounding).
TEST(BoundaryCouples, RollingLimitOnATurningCylinder) {
  Scene scene = held_sphere({0.1 - radius + overlap, 0, 0}, {.stiffness = 0.5, .friction = 0.03});
  add_cylinder(scene, {0, 0, -0.1}, {0, 0, 0.1}, 0.1);
  scene.boundaries[0].motion = {about_z(20)};
  const Turned turned = turn(scene, 2000);
  EXPECT_NEAR(turned.force / normal_force, 1, 1e-11);
  EXPECT_NEAR(turned.torque / (0.03 * radius * normal_force), -1, 1e-11);
}

/// A sphere that spins about the vertical on a free turntable.
Scene spinning_top(double rate, double turntable) {
  Scene scene = linear_scene(stiff, 0.4, time_step);
  scene.energies = true;
  scene.gravity = {0, 0, -standard_gravity};
  for (MaterialPair& pair : scene.pairs) {
    pair.rolling = {.twisting_stiffness = 0.5, .twisting_friction = 0.1, .damping = 0.3};
  }
  const double weight = sphere_mass(radius, stiff.density) * standard_gravity;
  add_sphere(scene, {0, 0, radius - weight / (stiff.young * radius)}, radius, {}, {0, 0, rate});
  add_plane(scene, {0, 0, 0}, {0, 0, 1});
  Drive drive;
  drive.rotation = DrivenRotation{.inertia = turntable, .axis = {0, 0, 1}};
  scene.boundaries[0].drive = drive;
  return scene;
}

// The torque slows the sphere by eta_t r m g / I = 2.5 eta_t g / r and accelerates the turntable. Angular momentum is
// conserved to rounding, and in the end both turn at I w0 / (I + J); friction takes the lost energy (closed forms).
TEST(BoundaryCouples, SpinningSphereOnAFreeTurntable) {
  constexpr double rate = 30;
  const double inertia = 0.4 * sphere_mass(radius, stiff.density) * radius * radius, turntable = 2 * inertia;
  const auto engine = start(spinning_top(rate, turntable));
  engine->advance(4000);
  const double slowed = rate - 2.5 * 0.1 * standard_gravity / radius * (4000 - 0.5) * time_step;
  EXPECT_NEAR(read(*engine).spin[2] / slowed, 1, 1e-3);  // the spring takes up a part during the first steps
  const auto momentum = [&] {
    return inertia * read(*engine).spin[2] + turntable * engine->boundary_loads().at(0).rate;
  };
  EXPECT_NEAR(momentum() / (inertia * rate), 1, 1e-12);
  engine->advance(16000);
  EXPECT_NEAR(momentum() / (inertia * rate), 1, 1e-12);
  EXPECT_NEAR(read(*engine).spin[2] / (rate / 3), 1, 1e-6);
  EXPECT_NEAR(engine->boundary_loads().at(0).rate / (rate / 3), 1, 1e-6);

  // The sphere has lost 1/2 I w0^2 (1 - 1/9), that is 8 of 9 parts. The turntable has got 1/2 J (w0/3)^2, 2 parts.
  const EnergyLedger e = engine->energies();
  const double whole = 0.5 * inertia * rate * rate, work = engine->boundary_loads().at(0).work;
  EXPECT_NEAR(work / whole, -2.0 / 9, 1e-3);
  EXPECT_NEAR(e.boundaries / work, 1, 1e-8);  // the work uses chords of arcs: (w dt)^2 / 6
  EXPECT_NEAR((e.friction + e.viscous) / whole, 6.0 / 9, 1e-3);
  EXPECT_LT(std::abs(e.error), 1e-10 * whole);
}

}  // namespace scree::physics::boundary_couples_test
