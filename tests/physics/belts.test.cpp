#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "scenes.hpp"

// Boundaries whose surface moves while they stay where they are: belts, turntables, rollers. All tolerances without
// another reason are those of the moving boundaries of the catalogue (B04), 0.5 %: the shear spring starts without load
// and oscillates when sliding ends.
namespace scree::physics::belts_test {

constexpr double radius = 0.01;
constexpr Substance stiff{1e7, 0.3, 2600};
constexpr double time_step = 2e-5, friction = 0.2;

enum class Springs { linear, hertz };

/// A sphere at rest on a floor through the origin, above (x, 0), whose normal leans by `slope` [rad] from z to -x.
/// Without dashpots; the sphere begins with the overlap of rest.
Scene resting_sphere(Springs springs, double slope = 0, double x = 0) {
  Scene scene = springs == Springs::linear ? linear_scene(stiff, friction, time_step)
                                           : hertz_scene(stiff, {friction, 0}, time_step);
  scene.gravity = {0, 0, -standard_gravity};
  const double weight = sphere_mass(radius, stiff.density) * standard_gravity * std::cos(slope);
  const double modulus = stiff.young / (1 - stiff.poisson * stiff.poisson);
  const double overlap = springs == Springs::linear
                             ? weight / (stiff.young * radius)
                             : std::pow(weight / (4.0 / 3.0 * modulus * std::sqrt(radius)), 2.0 / 3.0);
  const Real3 up{-std::sin(slope), 0, std::cos(slope)}, along{std::cos(slope), 0, std::sin(slope)};
  add_sphere(scene, x * along + (radius - overlap) * up, radius);
  return scene;
}

/// A belt from x = -0.5 to 0.5 that leans by `slope`.
void add_belt(Scene& scene, std::vector<Motion> surface_motion, double slope = 0) {
  const Real3 along{std::cos(slope), 0, std::sin(slope)};
  add_mesh(scene, parallelogram(-0.5 * along - Real3{0, 0.1, 0}, along, {0, 0.2, 0}));
  scene.boundaries.back().surface_motion = std::move(surface_motion);
}

/// Steps until the sphere no longer slides, by its friction. Returns the time.
double end_of_sliding(Engine& engine, const Real3& along, double limit) {
  bool slid = false;
  while (engine.time() < 0.3) {
    engine.advance(1);
    const double force = dot(read(engine).force, along);
    if (slid && force < 0.999 * limit) { break; }
    slid = slid || force >= 0.999 * limit;
  }
  return engine.time();
}

/// [m/s] mean velocity in the next `steps`; the shear spring oscillates.
Real3 mean_velocity(Engine& engine, int steps) {
  const Real3 before = read(engine).position;
  engine.advance(static_cast<std::uint64_t>(steps));
  return (1 / (steps * time_step)) * (read(engine).position - before);
}

// A sphere put on a belt of speed v slides with the acceleration mu g, while its spin grows by 5/2 mu g/r. It rolls
// when v = v_s + w r, at t = 2 v/(7 mu g), with v_s = 2/7 v (closed form). The belt has done the work mu m g v t, which
// is 2/7 m v^2. Half of it is lost; 2/49 m v^2 are translation and 5/49 m v^2 rotation.
TEST(Belts, ASphereSlidesUntilItRolls) {
  constexpr double belt = 0.3;
  for (const Springs springs : {Springs::linear, Springs::hertz}) {
    Scene scene = resting_sphere(springs);
    scene.energies = true;
    add_belt(scene, {{Translation{{belt, 0, 0}}}});
    const auto engine = start(scene);
    const double mass = sphere_mass(radius, stiff.density), limit = friction * mass * standard_gravity;
    const double expected = 2 * belt / (7 * friction * standard_gravity);
    engine->advance(static_cast<std::uint64_t>(0.5 * expected / time_step));
    // The spring takes 0.2 ms to reach the limit, of 22 ms.
    EXPECT_NEAR(read(*engine).velocity[0] / (friction * standard_gravity * engine->time()), 1, 0.01);
    EXPECT_NEAR(end_of_sliding(*engine, {1, 0, 0}, limit) / expected, 1, 5e-3);
    EXPECT_NEAR(read(*engine).velocity[0] / (2.0 / 7.0 * belt), 1, 5e-3);
    const EnergyLedger e = engine->energies();
    const double work = 2.0 / 7.0 * mass * belt * belt;
    EXPECT_NEAR(e.boundaries / work, 1, 0.01);
    EXPECT_NEAR(e.friction / (0.5 * work), 1, 0.015);
    EXPECT_NEAR(e.kinetic_translation / (mass * belt * belt * 2 / 49), 1, 0.015);
    EXPECT_LT(std::abs(e.error), 1e-4 * work);                                 // sliding begins and ends within a step
    EXPECT_NEAR(engine->boundary_loads().at(0).work / e.boundaries, 1, 1e-3);  // half a step of it is missing
    EXPECT_NEAR(mean_velocity(*engine, 2000)[0] / (2.0 / 7.0 * belt), 1, 5e-3);
    EXPECT_EQ(engine->boundary_vertices(0).at(0), scene.boundaries[0].mesh.vertices[0]);
  }
}

// On an incline of angle a with mu > tan a, the sphere is taken up: it slides with (mu cos a - sin a) g until it rolls
// at t = v/((7/2 mu cos a - sin a) g), and then has -5/7 g sin a (closed form). A velocity that leans out of the belt
// counts by its part along it.
TEST(Belts, AnInclinedBeltTakesASphereUp) {
  constexpr double belt = 0.3, slope = 0.1;
  const Real3 along{std::cos(slope), 0, std::sin(slope)}, up{-std::sin(slope), 0, std::cos(slope)};
  for (const Springs springs : {Springs::linear, Springs::hertz}) {
    for (const bool leans : {false, true}) {
      Scene scene = resting_sphere(springs, slope);
      add_belt(scene, {{Translation{leans ? belt * along + 0.1 * up : belt * along}}}, slope);
      const auto engine = start(scene);
      const double push = friction * standard_gravity * std::cos(slope), drag = standard_gravity * std::sin(slope);
      const double until = belt / (3.5 * push - drag);
      EXPECT_NEAR(end_of_sliding(*engine, along, sphere_mass(radius, stiff.density) * push) / until, 1, 5e-3);
      EXPECT_NEAR(dot(read(*engine).velocity, along) / ((push - drag) * until), 1, 5e-3);
      const double fast = dot(mean_velocity(*engine, 1000), along), slow = dot(mean_velocity(*engine, 1000), along);
      EXPECT_NEAR((slow - fast) / (1000 * time_step) / (-5.0 / 7.0 * drag), 1, 0.02);  // a difference of velocities
      EXPECT_LT(std::abs(dot(read(*engine).velocity, up)), 1e-6);
    }
  }
}

// A sphere that rolls on a turntable circles at 2/7 of the table's rate (closed form: Earnshaw 1844, Weltner 1979).
// Tolerance 1e-3 of the distance after 0.7 rad, as the shear springs start without load.
TEST(Belts, ASphereCirclesOnATurntableThatStandsStill) {
  constexpr double rate = 5, distance = 0.1, orbit = 2.0 / 7.0 * rate;
  for (const bool mesh : {false, true}) {
    Scene scene = resting_sphere(Springs::linear, 0, distance);
    for (MaterialPair& pair : scene.pairs) { pair.friction = 0.5; }
    scene.particles.velocity[0] = {0, orbit * distance, 0};
    scene.particles.angular_velocity[0] = {5.0 / 7.0 * rate * distance / radius, 0, 0};
    if (mesh) {
      add_belt(scene, {});
    } else {
      add_plane(scene, {0, 0, 0}, {0, 0, 1});
    }
    scene.boundaries[0].surface_motion = {{Rotation{{0, 0, 2}, {0, 0, 0}, rate}}};
    if (mesh) { scene.boundaries[0].mesh = parallelogram({-0.3, -0.3, 0}, {0.6, 0, 0}, {0, 0.6, 0}); }
    const auto engine = start(scene);
    engine->advance(25000);
    const double angle = orbit * engine->time();
    const Real3 at = read(*engine).position;
    EXPECT_NEAR(at[0], distance * std::cos(angle), 1e-3 * distance) << mesh;
    EXPECT_NEAR(at[1], distance * std::sin(angle), 1e-3 * distance) << mesh;
  }
}

/// A roller along y through (x, z): a prism of 12 facets, one of which faces a point at `lean` [rad] from z to +x.
void add_roller(Scene& scene, double x, double apothem, double lean, double rate) {
  TriangleMesh mesh;
  constexpr std::uint32_t n = 12;
  const double corner = apothem / std::cos(pi / n);
  for (std::uint32_t k = 0; k < n; ++k) {
    const double angle = lean + (2 * k + 1) * pi / n;
    for (const double y : {-0.1, 0.1}) {
      mesh.vertices.push_back({x + corner * std::sin(angle), y, corner * std::cos(angle)});
    }
    const std::uint32_t a = 2 * k, b = 2 * ((k + 1) % n);
    mesh.triangles.push_back({a, a + 1, b + 1});
    mesh.triangles.push_back({a, b + 1, b});
  }
  add_mesh(scene, std::move(mesh));
  scene.boundaries.back().surface_motion = {{Rotation{{0, 1, 0}, {x, 0, 0}, rate}}};
}

// A sphere in the valley between two rollers that turn alike is geared to them: its spin becomes -rate R/r (closed
// form), while it stays where it is. R is the distance of the facets from the axis: the velocity at a facet is the part
// along it. The rollers do not move, so the corners of the prisms do not pass by.
TEST(Belts, RollersTurnASphere) {
  constexpr double rate = 20, lean = 0.5, apothem = 0.03;
  Scene scene = empty_scene(LawKind::linear_spring_dashpot, stiff, stiff, {0.15, 0.3}, time_step);
  for (MaterialPair& pair : scene.pairs) {
    pair.springs.from_moduli = false;
    pair.springs.stiffness = 1e5, pair.springs.shear_stiffness = 5e4;
    pair.springs.damping_ratio = pair.springs.shear_damping_ratio = 0.3;
  }
  scene.gravity = {0, 0, -standard_gravity};
  scene.energies = true;
  const double across = (apothem + radius) * std::sin(lean);
  add_sphere(scene, {0, 0, (apothem + radius) * std::cos(lean)}, radius);
  add_roller(scene, -across, apothem, lean, rate);
  add_roller(scene, across, apothem, -lean, rate);
  const auto engine = start(scene);
  engine->advance(50000);  // 1 s
  const Reading late = read(*engine);
  EXPECT_NEAR(late.spin[1] / (-rate * apothem / radius), 1, 2e-3);  // the sphere presses 0.1 % of its radius in
  EXPECT_LT(norm(late.velocity), 1e-6);
  EXPECT_LT(std::abs(late.position[0]), 1e-4 * radius);
  // The work of both went into rotation and heat.
  const EnergyLedger e = engine->energies();
  const double rotation = 0.2 * sphere_mass(radius, stiff.density) * std::pow(rate * apothem, 2);
  EXPECT_NEAR(e.kinetic_rotation / rotation, 1, 5e-3);
  EXPECT_GT(e.boundaries, 2 * rotation);
  EXPECT_LT(std::abs(e.error), 1e-3 * e.boundaries);
  EXPECT_NEAR((engine->boundary_loads().at(0).work + engine->boundary_loads().at(1).work) / e.boundaries, 1, 1e-3);
}

// The surface turns with its boundary. A floor that moves one way while its surface moves the other way is at rest
// where it touches. One that has turned by a right angle moves a sphere along y, by a surface that moves along x in its
// own frame.
TEST(Belts, ASurfaceMovesRelativeToItsBoundary) {
  Scene balanced = resting_sphere(Springs::linear);
  add_belt(balanced, {{Translation{{-0.3, 0.1, 0}}}});
  balanced.boundaries[0].motion = {{Translation{{0.3, -0.1, 0}}}};
  Scene turning = resting_sphere(Springs::linear);
  add_belt(turning, {{Rotation{{0, 0, 1}, {0.02, 0, 0}, -4}}});
  turning.boundaries[0].motion = {{Rotation{{0, 0, 1}, {0.02, 0, 0}, 4}}};
  for (const Scene& scene : {balanced, turning}) {
    const auto engine = start(scene);
    engine->advance(2000);
    EXPECT_LT(norm(read(*engine).velocity), 1e-12);
    EXPECT_LT(norm(read(*engine).spin), 1e-10);
    EXPECT_GT(norm(engine->boundary_vertices(0).at(0) - scene.boundaries[0].mesh.vertices[0]), 0.01);
    EXPECT_NEAR(engine->boundary_loads().at(0).work, 0, 1e-15);
  }

  Scene turned = resting_sphere(Springs::linear);
  add_belt(turned, {{Translation{{0.3, 0, 0}}, 0.06}});
  turned.boundaries[0].motion = {{Rotation{{0, 0, 1}, {0, 0, 0}, 0.5 * pi / 0.05}, 0, 0.05}};
  const auto engine = start(turned);
  engine->advance(3000);
  const Real3 before = read(*engine).velocity;
  EXPECT_LT(norm(before), 1e-9);
  engine->advance(500);
  EXPECT_NEAR((read(*engine).velocity[1] - before[1]) / (friction * standard_gravity * 0.01), 1, 0.02);
  EXPECT_LT(std::abs(read(*engine).velocity[0]), 1e-9);
}

// A belt that is started by a table takes a sphere along without sliding, if it starts gently: v_s = 2/7 v at all times
// (closed form). Then it stops, and so does the sphere.
TEST(Belts, ABeltStartsByATable) {
  Scene scene = resting_sphere(Springs::linear);
  add_belt(scene, {{TableMotion{.direction = Real3{1, 0, 0}, .velocity = TimeTable{{0, 0}, {0.1, 0.1}, {0.3, 0.1}}}}});
  const auto engine = start(scene);
  engine->advance(10000);
  EXPECT_NEAR(mean_velocity(*engine, 4000)[0] / (2.0 / 7.0 * 0.1), 1, 5e-3);
  engine->advance(10000);
  EXPECT_LT(std::abs(mean_velocity(*engine, 4000)[0]), 2e-2 * 0.1);
}

}  // namespace scree::physics::belts_test
