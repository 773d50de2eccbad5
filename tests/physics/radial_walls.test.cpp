#include <gtest/gtest.h>

#include <cmath>

#include "scenes.hpp"

// A cylinder with a radius that changes, and the particles inside.
namespace scree::physics::radial_walls_test {

constexpr double radius = 0.01, tube = 0.1;
constexpr Substance stiff{1e7, 0.3, 2600};
const double stiffness = stiff.young * radius;  // [N/m] of a contact with a wall
const double ball = sphere_mass(radius, stiff.density);
const Real3 outward{0.6, 0.8, 0};

/// A cylinder along z whose radius has this mass [kg], as a servo prepares it.
void add_radial_wall(Scene& scene, double wall_radius, double mass) {
  add_cylinder(scene, {0, 0, -0.5}, {0, 0, 0.5}, wall_radius);
  SceneBoundary& wall = scene.boundaries.back();
  wall.servo = SceneServo{};
  wall.servo->radial = true;
  wall.servo->most_speed = 1;
  wall.drive = Drive{};
  wall.drive->translation = DrivenTranslation{.mass = mass};
}

// A cylinder that gets smaller at the speed V strikes a sphere at rest. Its work is V times the momentum that the
// sphere gains, to rounding. The sphere leaves at 2 V, with all of the work as kinetic energy (closed forms): to 1e-3,
// the error of the integration, as for planes (BoundaryWork). The ledger takes the work from the velocities of the
// surface at the contact, and its error is that of the energy of the sphere, of which the square of the velocity is
// wrong by 2e-3 at most.
TEST(RadialWalls, PushOfACylinderThatGetsSmaller) {
  constexpr double speed = 0.5;
  Scene scene = linear_scene(stiff, 0, 5e-6);
  scene.energies = true;
  add_sphere(scene, (tube - 1.2 * radius) * outward, radius);
  add_radial_wall(scene, tube, 1);
  const auto engine = start(scene);
  engine->set_radial_drive(0, 0, -speed);
  engine->advance(3000);
  ASSERT_EQ(engine->counts().boundary_contacts, 0U);
  const double given = -dot(read(*engine).velocity, outward);
  const BoundaryLoad load = engine->boundary_loads().at(0);
  EXPECT_NEAR(load.work / (speed * ball * given), 1, 1e-11);
  EXPECT_NEAR(load.work / (2 * ball * speed * speed), 1, 1e-3);
  EXPECT_NEAR(load.growth / (-speed * engine->time()), 1, 1e-11);
  EXPECT_EQ(load.growth_rate, -speed);
  EXPECT_EQ(load.shift, (Real3{0, 0, 0}));
  const EnergyLedger energies = engine->energies();
  EXPECT_NEAR(energies.boundaries / load.work, 1, 1e-8);
  EXPECT_LT(std::fabs(energies.error), 2e-3 * load.work);
}

// The sphere and the wall move in one plane through the axis, where the wall is straight: so a plane of the same
// velocity does the same. Friction, restitution and spin take part. The places of the two walls are rounded in other
// ways, by some 1e-16 of the radius of the cylinder. That is 1e-11 of the largest overlap, and more where the contact
// begins and ends; found 1.2e-8, tolerance 1e-7.
TEST(RadialWalls, OneSphereMeetsItLikeAPlane) {
  constexpr double speed = 0.5;
  Scene with_plane = hertz_scene(stiff, MaterialPair{0.5, 0.5}, 5e-6);
  with_plane.energies = true;
  add_sphere(with_plane, {tube - 1.2 * radius, 0, 0}, radius, {0.3, 0, 0.1}, {0, 20, 0});
  Scene with_tube = with_plane;
  add_plane(with_plane, {tube, 0, 0}, {-1, 0, 0}, {{Translation{{-speed, 0, 0}}}});
  add_radial_wall(with_tube, tube, 1);
  const auto a = start(with_plane), b = start(with_tube);
  b->set_radial_drive(0, 0, -speed);
  a->advance(1600);
  b->advance(1600);
  ASSERT_EQ(a->counts().boundary_contacts, 0U);
  const Reading plane = read(*a), cylinder = read(*b);
  EXPECT_LT(plane.velocity[0], -0.5) << "it has been struck";
  EXPECT_NE(plane.spin[1], 20);
  EXPECT_LT(norm(plane.position - cylinder.position), 1e-7 * radius);
  EXPECT_LT(norm(plane.velocity - cylinder.velocity), 1e-7);
  EXPECT_LT(norm(plane.spin - cylinder.spin), 1e-7 * 20);
  const double work = a->boundary_loads().at(0).work;
  EXPECT_NEAR(b->boundary_loads().at(0).work / work, 1, 1e-7);
  EXPECT_NEAR(b->energies().error, a->energies().error, 1e-7 * work);
}

// Elastic impact of a sphere of mass m on a cylinder at rest, whose radius has the mass M: m v + M r' along the radius
// is conserved to rounding, and the velocities are (m - M)/(m + M) v and 2 m/(m + M) v (closed form) to 1e-3, the error
// of the integration.
TEST(RadialWalls, ImpactOnAFreeRadius) {
  constexpr double speed = 0.4;
  const double mass = 3 * ball;
  Scene scene = linear_scene(stiff, 0, 5e-6);
  scene.gravity = {0, 0, 0};
  add_sphere(scene, (tube - 1.5 * radius) * outward, radius, speed * outward);
  add_radial_wall(scene, tube, mass);
  const auto engine = start(scene);
  engine->advance(12000);
  ASSERT_EQ(engine->counts().boundary_contacts, 0U);
  const double sphere = dot(read(*engine).velocity, outward), wall = engine->boundary_loads().at(0).growth_rate;
  EXPECT_NEAR(ball * sphere + mass * wall, ball * speed, 1e-11 * ball * speed);
  EXPECT_NEAR(sphere / speed, (ball - mass) / (ball + mass), 1e-3);
  EXPECT_NEAR(wall / speed, 2 * ball / (ball + mass), 1e-3);
}

// A force F on the radius presses a cylinder on a sphere that fills it, at two opposite points. Each bears F / 2, and
// the radius follows in closed form. Gravity does not act on the radius. Tolerances as those of a piston
// (DrivenBoundaries).
TEST(RadialWalls, ASpherePlugsTheCylinder) {
  constexpr double push = 20, gap = 1e-4;
  Scene scene = linear_scene(stiff, 0, 2e-5);
  scene.integration.damping = 0.5;
  add_sphere(scene, {0, 0, 0}, radius);
  add_radial_wall(scene, radius + gap, 0.7);
  const auto engine = start(scene);
  engine->set_radial_drive(0, -push, std::nullopt);
  engine->advance(30000);
  const BoundaryLoad load = engine->boundary_loads().at(0);
  EXPECT_NEAR(load.radial_force / push, 1, 1e-9);
  EXPECT_NEAR(load.growth, -gap - 0.5 * push / stiffness, 1e-9 * radius);
  EXPECT_NEAR(load.growth_rate, 0, 1e-9);
  EXPECT_LT(norm(read(*engine).position), 1e-9 * radius);
}

}  // namespace scree::physics::radial_walls_test
