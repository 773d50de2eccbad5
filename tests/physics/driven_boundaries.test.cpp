#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "scenes.hpp"

// Boundaries that forces and torques move, and the work of boundaries.
namespace scree::physics::driven_boundaries_test {

constexpr double radius = 0.01;
constexpr Substance stiff{1e7, 0.3, 2600};
constexpr double time_step = 2e-5;
const double stiffness = stiff.young * radius;  // [N/m] of a contact with a wall
const double ball = sphere_mass(radius, stiff.density);
const double inertia = 0.4 * ball * radius * radius;

DrivenTranslation heavy(double mass, std::vector<std::string> free = {"x", "y", "z"}) {
  DrivenTranslation drive;
  drive.mass = mass;
  drive.free = std::move(free);
  return drive;
}

Scene scene_with_gravity(double friction = 0) {
  Scene scene = linear_scene(stiff, friction, time_step);
  scene.gravity = {0, 0, -standard_gravity};
  return scene;
}

TriangleMesh plate(double half, double height) {
  return parallelogram({-half, -half, height}, {2 * half, 0, 0}, {0, 2 * half, 0});
}

// Without contacts, leapfrog with a first kick of half a step gives a t^2/2 exactly, along the free axes only; and v0 t
// after the boundary is released. Tolerance 1e-12, the rounding of 5000 steps.
TEST(DrivenBoundaries, FallsFreely) {
  Scene scene = scene_with_gravity();
  add_sphere(scene, {5, 5, 5}, radius);
  add_mesh(scene, plate(0.1, 0));
  Drive drive;
  drive.translation = heavy(2, {"x", "z"});
  drive.translation->force = {3, 7, 0};
  drive.translation->velocity = {-0.5, 0, 0};
  drive.from = 0.02;
  scene.boundaries[0].drive = drive;
  const auto engine = start(scene);
  engine->advance(1000);
  EXPECT_EQ(engine->boundary_loads().at(0).shift, (Real3{0, 0, 0}));
  EXPECT_EQ(engine->boundary_loads().at(0).velocity, (Real3{0, 0, 0})) << "it is not released yet";
  EXPECT_EQ(engine->boundary_vertices(0).at(0), (Real3{-0.1, -0.1, 0}));
  engine->advance(4000);
  const double t = 0.08;
  const BoundaryLoad load = engine->boundary_loads().at(0);
  EXPECT_NEAR(load.shift[0], -0.5 * t + 0.5 * 1.5 * t * t, 1e-12);
  EXPECT_EQ(load.shift[1], 0);
  EXPECT_NEAR(load.shift[2], -0.5 * standard_gravity * t * t, 1e-12);
  EXPECT_NEAR(load.velocity[2], -standard_gravity * (t - 0.5 * time_step), 1e-12);
  EXPECT_NEAR(engine->boundary_vertices(0).at(2)[0], 0.1 + load.shift[0], 1e-15);
  EXPECT_NEAR(engine->boundary_vertices(0).at(2)[2], load.shift[2], 1e-15);
}

// A torque gives the angle T t^2 / (2 I) exactly; with resistance c the rate tends to T/c. A prescribed motion carries
// the axis along, and the mesh turns about it (closed forms).
TEST(DrivenBoundaries, TorqueTurns) {
  Scene scene = scene_with_gravity();
  add_sphere(scene, {5, 5, 5}, radius);
  add_mesh(scene, plate(0.1, 0), {{Translation{{0, 0.3, 0}}}});
  Drive drive;
  drive.rotation = DrivenRotation{.inertia = 0.02, .axis = {0, 0, 1}, .origin = {-0.1, -0.1, 0}, .torque = 0.5};
  scene.boundaries[0].drive = drive;
  {
    const auto engine = start(scene);
    engine->advance(5000);
    const double t = 0.1, angle = 0.5 * 0.5 / 0.02 * t * t;
    EXPECT_NEAR(engine->boundary_loads().at(0).angle, angle, 1e-12);
    EXPECT_LT(norm(engine->boundary_vertices(0).at(0) - Real3{-0.1, -0.1 + 0.3 * t, 0}), 1e-12);
    const Real3 corner{-0.1 + 0.2 * std::cos(angle), -0.1 + 0.3 * t + 0.2 * std::sin(angle), 0};
    EXPECT_LT(norm(engine->boundary_vertices(0).at(1) - corner), 1e-12);
  }
  scene.boundaries[0].drive->rotation->damping = 2;
  const auto engine = start(scene);
  engine->advance(1000);
  const double late = (1000 - 0.5) * time_step;
  EXPECT_NEAR(engine->boundary_loads().at(0).rate / (0.25 * (1 - std::exp(-2 / 0.02 * late))), 1, 1e-5);
}

// Piston: a force F presses a plate of mass M on a sphere on a floor. At rest the plate bears M g + F, the floor bears
// this and the weight of the sphere, and the overlaps follow in closed form. Cundall's damping acts on the plate as
// well.
void expect_piston(bool as_mesh) {
  constexpr double mass = 0.7, push = 20;
  Scene scene = scene_with_gravity(0.5);
  scene.integration.damping = 0.5;
  add_sphere(scene, {0, 0, radius}, radius);
  add_plane(scene, {0, 0, 0}, {0, 0, 1});
  if (as_mesh) {
    add_mesh(scene, plate(0.05, 2 * radius + 1e-4));
  } else {
    add_plane(scene, {0, 0, 2 * radius + 1e-4}, {0, 0, -1});
  }
  Drive drive;
  drive.translation = heavy(mass, {"z"});
  drive.translation->force = {0, 0, -push};
  scene.boundaries[1].drive = drive;
  const auto engine = start(scene);
  engine->advance(30000);
  const double load = mass * standard_gravity + push;
  const auto loads = engine->boundary_loads();
  EXPECT_NEAR(loads[1].force[2] / load, 1, 1e-9);
  EXPECT_NEAR(loads[0].force[2] / (load + ball * standard_gravity), -1, 1e-9);
  const double below = (load + ball * standard_gravity) / stiffness, above = load / stiffness;
  EXPECT_NEAR(read(*engine).position[2], radius - below, 1e-9 * radius);
  EXPECT_NEAR(loads[1].shift[2], -1e-4 - below - above, 1e-9 * radius);
  EXPECT_NEAR(loads[1].velocity[2], 0, 1e-9);
}
TEST(DrivenBoundaries, PistonPlaneBearsItsLoad) { expect_piston(false); }
TEST(DrivenBoundaries, PistonMeshBearsItsLoad) { expect_piston(true); }

// Elastic impact of a sphere on a free plate: momentum to rounding, velocities (m - M)/(m + M) v and 2 m/(m + M) v
// (closed form) to 1e-3, the error of the integration.
TEST(DrivenBoundaries, ImpactOnAFreePlate) {
  constexpr double speed = 0.4;
  const double mass = 3 * ball;
  Scene scene = linear_scene(stiff, 0, 5e-6);
  add_sphere(scene, {0, 0, 1.5 * radius}, radius, {0, 0, -speed});
  add_mesh(scene, plate(0.1, 0));
  scene.boundaries[0].drive = Drive{heavy(mass), {}, 0};
  const auto engine = start(scene);
  engine->advance(12000);
  ASSERT_EQ(engine->counts().boundary_contacts, 0U);
  const double sphere = read(*engine).velocity[2], wall = engine->boundary_loads().at(0).velocity[2];
  EXPECT_NEAR(ball * sphere + mass * wall, -ball * speed, 1e-12 * ball * speed);
  EXPECT_NEAR(sphere / speed, (mass - ball) / (mass + ball), 1e-3);
  EXPECT_NEAR(wall / speed, -2 * ball / (mass + ball), 1e-3);
}

// A sphere strikes a free paddle with friction. The angular momentum about the axis, with the spin, is conserved to
// rounding, since force and reaction act at one point.
TEST(DrivenBoundaries, ImpactOnAPaddle) {
  Scene scene = linear_scene(stiff, 0.4, time_step);
  const Real3 axis_point{0.3, -0.2, 0};
  add_sphere(scene, {0.38, -0.2 + 0.003, 1.5 * radius}, radius, {0.2, 0.1, -0.4}, {10, 30, 60});
  add_mesh(scene, parallelogram({0.3, -0.3, 0}, {0.1, 0, 0}, {0, 0.2, 0}));
  Drive drive;
  const double paddle = 3e-4;
  drive.rotation = DrivenRotation{.inertia = paddle, .axis = {0, 2, 0}, .origin = axis_point, .rate = 0.5};
  scene.boundaries[0].drive = drive;
  const auto engine = start(scene);
  const auto momentum = [&](double rate) {
    const Reading s = read(*engine);
    return paddle * rate + ball * cross(s.position - axis_point, s.velocity)[1] + inertia * s.spin[1];
  };
  const double before = momentum(0.5);
  engine->advance(3000);
  ASSERT_EQ(engine->counts().boundary_contacts, 0U);
  const double rate = engine->boundary_loads().at(0).rate;
  EXPECT_GT(std::fabs(rate - 0.5), 1);
  EXPECT_NEAR(momentum(rate) / before, 1, 1e-10);
}

// --- work ----------------------------------------------------------------------------------------------------------

// A wall of speed V strikes a sphere at rest. Its work is V times the momentum that the sphere gains, 2 m V^2: all of
// it becomes kinetic energy of the sphere, which leaves at 2 V (closed form). V times the momentum to rounding, the
// rest to 1e-3.
TEST(BoundaryWork, PushOfAMovingWall) {
  constexpr double speed = 0.5;
  for (const bool as_mesh : {false, true}) {
    Scene scene = linear_scene(stiff, 0, 5e-6);
    add_sphere(scene, {0, 0, 1.2 * radius}, radius);
    const std::vector<Motion> motion{{Translation{{0.1, 0, speed}}}};
    if (as_mesh) {
      add_mesh(scene, plate(0.1, 0), motion);
    } else {
      add_plane(scene, {0, 0, 0}, {0, 0, 1}, motion);
    }
    add_plane(scene, {0, 0, -1}, {0, 0, 1});
    const auto engine = start(scene);
    engine->advance(12000);
    ASSERT_EQ(engine->counts().boundary_contacts, 0U);
    const double given = read(*engine).velocity[2], work = engine->boundary_loads().at(0).work;
    EXPECT_NEAR(work / (speed * ball * given), 1, 1e-11);
    EXPECT_NEAR(work / (2 * ball * speed * speed), 1, 1e-3);
    EXPECT_EQ(engine->boundary_loads().at(1).work, 0);
  }
}

// The work of a turning paddle is its rate times the angular momentum that it gives; 1e-6 for the chords of the steps.
TEST(BoundaryWork, PushOfATurningPaddle) {
  constexpr double rate = 4;
  Scene scene = linear_scene(stiff, 0.3, time_step);
  add_sphere(scene, {0.08, 0, 1.5 * radius}, radius);
  add_mesh(scene, parallelogram({0, -0.1, 0}, {0.1, 0, 0}, {0, 0.2, 0}), {{Rotation{{0, -1, 0}, {0, 0, 0}, rate}}});
  const auto engine = start(scene);
  engine->advance(2500);
  ASSERT_EQ(engine->counts().boundary_contacts, 0U);
  const Reading s = read(*engine);
  const double given = -(ball * cross(s.position, s.velocity)[1] + inertia * s.spin[1]);
  EXPECT_GT(given, 0.05 * ball * 0.08);
  EXPECT_NEAR(engine->boundary_loads().at(0).work / (rate * given), 1, 1e-6);
}

// At any time, the work of an oscillating plate against gravity and inertia equals the kinetic, elastic and potential
// energy of the sphere. The trapezoidal rule and leapfrog are of second order: (omega dt)^2/12 = 3e-4 of the swing.
TEST(BoundaryWork, OscillatingPlateGivesItsEnergy) {
  Scene scene = scene_with_gravity();
  const double rest = radius - ball * standard_gravity / stiffness;
  add_sphere(scene, {0, 0, rest}, radius);
  Oscillation swing;
  swing.direction = Real3{0, 0, 1};
  swing.amplitude = 8e-5, swing.frequency = 30, swing.phase = -0.5 * pi;  // starts from rest; at most 0.3 g
  add_plane(scene, {0, 0, 0}, {0, 0, 1}, {{swing}});
  const auto engine = start(scene);
  const double ground = 0.5 * stiffness * (radius - rest) * (radius - rest) + ball * standard_gravity * rest;
  double most = 0, worst = 0;
  for (int k = 0; k < 400; ++k) {
    engine->advance(12);
    const double height_before = read(*engine).position[2], v_before = read(*engine).velocity[2];
    const double time = engine->time();
    engine->advance(1);
    const double v = 0.5 * (v_before + read(*engine).velocity[2]);
    const auto floor = [](double t) { return 8e-5 * (1 - std::cos(60 * pi * t)); };
    const double overlap = radius + floor(time) - height_before;
    ASSERT_GT(overlap, 0);
    const double energy =
        0.5 * ball * v * v + 0.5 * stiffness * overlap * overlap + ball * standard_gravity * height_before;
    // Half of the step that starts at `time` belongs to the time before.
    const double push = stiffness * overlap * (floor(time + time_step) - floor(time));
    const double work = engine->boundary_loads().at(0).work - 0.5 * push;
    most = std::fmax(most, std::fabs(energy - ground));
    worst = std::fmax(worst, std::fabs(work - (energy - ground)));
  }
  EXPECT_GT(most, 1e-5);
  EXPECT_LT(worst, 1e-3 * most);
}

// --- oscillation -----------------------------------------------------------------------------------------------------

// A sphere on a plate that moves by A sin(omega t) is a driven oscillator: x = A/(1 - q^2) (sin omega t - q sin omega_0
// t), q = omega/omega_0, from rest (closed form). Tolerance 1e-3 A for the phase error of leapfrog over 30 cycles of
// the sphere.
TEST(Oscillation, PlateDrivesASphere) {
  constexpr double amplitude = 1e-6, frequency = 120;
  Scene scene = scene_with_gravity();
  scene.time_step = 5e-6;
  const double rest = radius - ball * standard_gravity / stiffness;
  for (const bool as_mesh : {false, true}) {
    Scene swinging = scene;
    add_sphere(swinging, {0, 0, rest}, radius);
    Oscillation swing;
    swing.direction = Real3{0, 0, 3};
    swing.amplitude = amplitude, swing.frequency = frequency;
    const std::vector<Motion> motion{{swing}};
    if (as_mesh) {
      add_mesh(swinging, plate(0.1, 0), motion);
    } else {
      add_plane(swinging, {0, 0, 0}, {0, 0, 1}, motion);
    }
    const auto engine = start(swinging);
    const double own = std::sqrt(stiffness / ball), omega = 2 * pi * frequency, q = omega / own;
    double worst = 0;
    for (int k = 0; k < 200; ++k) {
      engine->advance(60);
      const double t = engine->time();
      const double expected = amplitude / (1 - q * q) * (std::sin(omega * t) - q * std::sin(own * t));
      worst = std::fmax(worst, std::fabs(read(*engine).position[2] - rest - expected));
    }
    EXPECT_LT(worst, 1e-3 * amplitude) << as_mesh;
  }
}

}  // namespace scree::physics::driven_boundaries_test
