#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "scenes.hpp"

// Boundaries with prescribed motion: the velocity of their surface, and their positions.
namespace scree::physics::moving_boundaries_test {

constexpr double radius = 0.01;
constexpr Substance stiff{1e7, 0.3, 2600};
constexpr double time_step = 2e-5;

double rest_overlap() { return sphere_mass(radius, stiff.density) * standard_gravity / (stiff.young * radius); }

/// A sphere at rest on z = 0, above (x, 0), under gravity.
Scene resting_sphere(double friction, double x, const Real3& velocity = {}, const Real3& spin = {}) {
  Scene scene = linear_scene(stiff, friction, time_step);
  scene.gravity = {0, 0, -standard_gravity};
  add_sphere(scene, {x, 0, radius - rest_overlap()}, radius, velocity, spin);
  return scene;
}

// --- conveyor ------------------------------------------------------------------------------------------------------

// B04: sliding ends at t = 2 v_w/(7 mu g) with v = 2/7 v_w (closed form). 0.5 % as in the catalogue.
void expect_conveyor(Scene scene) {
  constexpr double belt = 0.3, friction = 0.2;
  const auto engine = start(scene);
  const double limit = friction * sphere_mass(radius, stiff.density) * standard_gravity;
  bool slid = false, rolls = false;
  while (!rolls && engine->time() < 0.2) {
    engine->advance(1);
    const double force = read(*engine).force[0];
    rolls = slid && force < 0.999 * limit;
    slid = slid || force >= 0.999 * limit;
  }
  EXPECT_NEAR(engine->time() / 0.0436872, 1, 5e-3);
  const Reading rolling = read(*engine);
  EXPECT_NEAR(rolling.velocity[0] / (2.0 / 7.0 * belt), 1, 5e-3);
  engine->advance(2000);  // the shear spring still oscillates, hence the mean velocity
  const double way = read(*engine).position[0] - rolling.position[0];
  EXPECT_NEAR(way / (2000 * time_step) / (2.0 / 7.0 * belt), 1, 5e-3);
}

const std::vector<Motion> belt_motion{{Translation{{0.3, 0, 0}}}};

TEST(MovingBoundaries, B04ConveyorPlane) {
  Scene scene = resting_sphere(0.2, 0);
  add_plane(scene, {0, 0, 0}, {0, 0, 1}, belt_motion);
  expect_conveyor(scene);
}
TEST(MovingBoundaries, B04ConveyorMesh) {
  Scene scene = resting_sphere(0.2, 0);
  add_mesh(scene, parallelogram({-0.5, -0.1, 0}, {1, 0, 0}, {0, 0.2, 0}), belt_motion);
  expect_conveyor(scene);
}

// --- turntable -----------------------------------------------------------------------------------------------------

constexpr double table_rate = 5, distance = 0.1;
const std::vector<Motion> table_motion{{Rotation{{0, 0, 2}, {0, 0, 0}, table_rate}}};

TriangleMesh disc(double size, std::uint32_t segments) {
  TriangleMesh mesh;
  mesh.vertices.push_back({0, 0, 0});
  for (std::uint32_t k = 0; k < segments; ++k) {
    mesh.vertices.push_back({size * std::cos(2 * pi * k / segments), size * std::sin(2 * pi * k / segments), 0});
    mesh.triangles.push_back({0, k + 1, (k + 1) % segments + 1});
  }
  return mesh;
}

void add_turntable(Scene& scene, bool mesh) {
  if (mesh) {
    add_mesh(scene, disc(0.3, 48), table_motion);
  } else {
    add_plane(scene, {0, 0, 0}, {0, 0, 1}, table_motion);
  }
}

// A sphere placed on a turntable is accelerated by mu g along the motion of the surface while it slides (closed form; 1
// %, as the direction turns by 5 * 0.01 rad). In the end its contact point moves with the table.
TEST(MovingBoundaries, TurntableSpeedsASphereUp) {
  for (const bool mesh : {false, true}) {
    constexpr double friction = 0.2;
    Scene scene = resting_sphere(friction, distance);
    add_turntable(scene, mesh);
    const auto engine = start(scene);
    engine->advance(500);  // 0.01 s
    const Real3 early = read(*engine).velocity;
    EXPECT_NEAR(early[1] / (friction * standard_gravity * 0.01), 1, 0.01);
    EXPECT_NEAR(early[0], 0, 0.03 * early[1]);
    engine->advance(9500);
    const Reading late = read(*engine);
    const Real3 surface = cross({0, 0, table_rate}, late.position);
    const Real3 contact_velocity = late.velocity + cross(late.spin, {0, 0, -radius});
    EXPECT_LT(norm(contact_velocity - surface), 0.01 * norm(surface));
    EXPECT_GT(norm(late.velocity), 0.1);
  }
}

// A sphere that rolls on a turntable circles at 2/7 of the table's rate (closed form: Earnshaw 1844, Weltner 1979).
// Tolerance 1e-3 of the distance after 0.7 rad, as the shear springs start without load.
TEST(MovingBoundaries, TurntableOrbit) {
  for (const bool mesh : {false, true}) {
    const double orbit = 2.0 / 7.0 * table_rate;
    Scene scene =
        resting_sphere(0.5, distance, {0, orbit * distance, 0}, {5.0 / 7.0 * table_rate * distance / radius, 0, 0});
    add_turntable(scene, mesh);
    const auto engine = start(scene);
    engine->advance(25000);
    const double angle = orbit * engine->time();
    const Real3 at = read(*engine).position;
    EXPECT_NEAR(at[0], distance * std::cos(angle), 1e-3 * distance) << mesh;
    EXPECT_NEAR(at[1], distance * std::sin(angle), 1e-3 * distance) << mesh;
  }
}

// --- gate ----------------------------------------------------------------------------------------------------------

// A gate slides away without friction. The sphere rests until its support ends, then falls with g (closed form).
TEST(MovingBoundaries, GateOpens) {
  constexpr double opens = 0.1, speed = 5, half_width = 0.02;
  Scene scene = resting_sphere(0, 0);
  add_mesh(scene, parallelogram({-half_width, -half_width, 0}, {2 * half_width, 0, 0}, {0, 2 * half_width, 0}),
           {{Translation{{speed, 0, 0}}, opens, opens + 0.02}});
  const auto engine = start(scene);
  const double rest = scene.particles.position[0][2];
  engine->advance(4999);
  EXPECT_NEAR(read(*engine).position[2], rest, 1e-12);
  EXPECT_EQ(engine->boundary_vertices(0).at(0), (Real3{-half_width, -half_width, 0}));
  EXPECT_NEAR(engine->boundary_loads().at(0).force[2], -sphere_mass(radius, stiff.density) * standard_gravity, 1e-9);

  // The support ends when the rear edge has passed the centre; the sphere is free a little later.
  engine->advance(1000);
  EXPECT_EQ(engine->counts().boundary_contacts, 0U);
  const double free_since = opens + half_width / speed;
  const Reading first = read(*engine);
  const double t = engine->time() - free_since;
  EXPECT_NEAR(first.position[2], rest - 0.5 * standard_gravity * t * t, 0.01 * standard_gravity * t * t);
  engine->advance(2000);
  const Reading second = read(*engine);
  EXPECT_NEAR((second.velocity[2] - first.velocity[2]) / (2000 * time_step), -standard_gravity, 1e-9);

  // The gate stopped after 0.02 s.
  EXPECT_NEAR(engine->boundary_vertices(0).at(0)[0], -half_width + 0.02 * speed, 1e-12);
  EXPECT_EQ(norm(engine->boundary_loads().at(0).force), 0);
}

// A slowly rising floor carries the sphere along. The elastic contact oscillates by v sqrt(m/k) after start and stop.
TEST(MovingBoundaries, LiftCarriesASphere) {
  constexpr double speed = 1e-3, from = 0.02, until = 0.12;
  Scene scene = resting_sphere(0.3, 0);
  add_plane(scene, {0, 0, 0}, {0, 0, 1}, {{Translation{{0, 0, speed}}, from, until}});
  const double swing = speed * std::sqrt(sphere_mass(radius, stiff.density) / (stiff.young * radius));
  const double rest = scene.particles.position[0][2];
  const auto engine = start(scene);
  engine->advance(1000);
  EXPECT_NEAR(read(*engine).position[2], rest, 1e-12);
  engine->advance(2500);
  EXPECT_NEAR(read(*engine).position[2], rest + speed * 0.05, 1.1 * swing);
  engine->advance(4000);
  EXPECT_NEAR(read(*engine).position[2], rest + speed * (until - from), 2.2 * swing);
}

}  // namespace scree::physics::moving_boundaries_test
