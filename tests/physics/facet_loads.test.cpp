#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "scenes.hpp"

// Sums over the facets of meshes: pressure, sliding, impacts. Without another reason tolerances are those of rounding.
namespace scree::physics::facet_loads_test {

constexpr double radius = 0.01, time_step = 1e-5, friction = 0.2;
constexpr Substance glass{1e7, 0.3, 2600};

double mass() { return sphere_mass(radius, glass.density); }

/// A sphere that moves with `velocity`, `gap` [m] above a floor of two facets, which reports on them.
Scene above_floor(double gap, const Real3& velocity, double friction_of_floor = 0, double gravity = 0) {
  Scene scene = hertz_scene(glass, {friction_of_floor, 0}, time_step);
  scene.gravity = {0, 0, -gravity};
  add_sphere(scene, {0.1, 0.05, radius + gap}, radius, velocity);
  add_mesh(scene, parallelogram({-1, -1, 0}, {2, 0, 0}, {0, 2, 0}));
  scene.boundaries.back().facet_loads = FacetOutput{};
  return scene;
}

double total(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

/// [m] overlap with which a sphere rests on the floor
double overlap_at_rest() {
  const double modulus = glass.young / (1 - glass.poisson * glass.poisson), weight = mass() * standard_gravity;
  return std::pow(weight / (4.0 / 3.0 * modulus * std::sqrt(radius)), 2.0 / 3.0);
}

// The impulse of the floor is the momentum that the sphere has gained, and that which gravity took: leapfrog keeps this
// exactly. Velocities are those half a step ago, so gravity has acted half a step less since the start. A frictionless
// floor has no other impulse.
TEST(FacetLoads, TheNormalImpulseIsThatOfTheSphere) {
  const auto engine = start(above_floor(1e-3, {0, 0, -0.5}, 0, standard_gravity));
  const double before = read(*engine).velocity[2];
  engine->advance(2000);
  const FacetLoads loads = engine->facet_loads(true).at(0);
  const double time = engine->time(), middle = read(*engine).velocity[2];
  const double expected = mass() * (middle - before + standard_gravity * (time - 0.5 * time_step));
  EXPECT_NEAR(total(loads.normal_impulse) / expected, 1, 1e-10);
  EXPECT_NEAR(total(loads.shear_impulse), 0, 1e-12 * expected);
  EXPECT_EQ(loads.since, 0);
  EXPECT_EQ(engine->facet_loads(true).at(0).normal_impulse, loads.normal_impulse) << "no step was made since then";
  // The next interval begins where this one ended. The flight to the second impact takes 0.11 s.
  engine->advance(13000);
  const FacetLoads later = engine->facet_loads(false).at(0);
  EXPECT_EQ(later.since, time);
  const double more = mass() * (read(*engine).velocity[2] - middle + standard_gravity * (engine->time() - time));
  EXPECT_NEAR(total(later.normal_impulse), more, 1e-10 * expected);
  EXPECT_GT(total(later.impact_energy), 1.9 * total(loads.impact_energy));
}

// A state that is saved where an interval ends still has its sums, and the next one begins there.
TEST(FacetLoads, ARestoredRunReadsTheSameIntervals) {
  const Scene scene = above_floor(1e-3, {0, 0, -0.5}, 0, standard_gravity);
  const auto engine = start(scene), restored = start(scene), later = start(scene);
  engine->advance(400);
  const FacetLoads loads = engine->facet_loads(true).at(0);
  EXPECT_GT(total(loads.normal_impulse), 0);
  restored->restore(engine->save());
  engine->advance(100);
  later->restore(engine->save());
  engine->advance(100);
  EXPECT_EQ(restored->facet_loads(true).at(0).normal_impulse, loads.normal_impulse);
  EXPECT_EQ(restored->facet_loads(true).at(0).since, 0);
  restored->advance(200);
  later->advance(100);
  const FacetLoads expected = engine->facet_loads(true).at(0);
  EXPECT_EQ(expected.since, 400 * time_step);
  for (Engine* each : {restored.get(), later.get()}) {
    const FacetLoads found = each->facet_loads(true).at(0);
    EXPECT_EQ(found.since, expected.since);
    EXPECT_EQ(found.normal_impulse, expected.normal_impulse);
  }
}

// The same with a step that follows the contacts: a force counts for as long as it acts on the sphere.
TEST(FacetLoads, TheImpulseIsThatOfStepsThatAdapt) {
  Scene scene = above_floor(1e-3, {0, 0, -0.5});
  scene.adaptive = AdaptiveStep{.safety = 0.05, .every = 1, .free_limit = 2e-3};
  scene.time_step = 1e-4;
  const auto engine = start(scene);
  engine->advance(100000, nullptr, 0.02);
  const FacetLoads loads = engine->facet_loads(false).at(0);
  EXPECT_NEAR(total(loads.normal_impulse) / (mass() * (read(*engine).velocity[2] + 0.5)), 1, 1e-10);
  EXPECT_GT(read(*engine).velocity[2], 0.45);
}

// Until a sphere thrown flat over a floor rolls, at 2/7 v / (mu g) = 0.044 s, it slides with v - 7/2 mu g t. The shear
// spring takes up 3e-6 m of the way, 5e-4 of it.
TEST(FacetLoads, SlidingIsWhatFrictionTakes) {
  constexpr double speed = 0.3, time = 0.04, tolerance = 2e-3;
  const double weight = mass() * standard_gravity;
  Scene scene = above_floor(-overlap_at_rest(), {speed, 0, 0}, friction, standard_gravity);
  const auto engine = start(scene);
  engine->advance(static_cast<std::uint64_t>(time / time_step + 0.5));
  const FacetLoads loads = engine->facet_loads(false).at(0);
  const double way = speed * time - 7.0 / 4.0 * friction * standard_gravity * time * time;
  EXPECT_NEAR(total(loads.friction_work) / (friction * weight * way), 1, tolerance);
  EXPECT_NEAR(total(loads.sliding) / (weight * way), 1, tolerance);
  EXPECT_NEAR(total(loads.shear_impulse) / (friction * weight * time), 1, tolerance);
}

// Finnie's function at several angles of impact, by its two branches written with the angle (Wear 3, 1960).
TEST(FacetLoads, AnImpactCutsAsFinnieSays) {
  constexpr double pi = 3.14159265358979323846, speed = 2;
  for (const double degrees : {5.0, 15.0, 18.4, 18.5, 45.0, 80.0, 90.0}) {
    const double a = degrees / 180 * pi;
    const auto engine = start(above_floor(1e-4, {speed * std::cos(a), 0, -speed * std::sin(a)}));
    engine->advance(3000);
    const FacetLoads loads = engine->facet_loads(false).at(0);
    const double energy = mass() * speed * speed, s = std::sin(a), c = std::cos(a);
    const double finnie = std::tan(a) <= 1.0 / 3.0 ? std::sin(2 * a) - 3 * s * s : c * c / 3;
    EXPECT_EQ(loads.impacts[0] + loads.impacts[1], 1U);
    EXPECT_NEAR(total(loads.impact_energy), 0.5 * energy * s * s, 1e-12 * energy);
    EXPECT_NEAR(total(loads.cutting), energy * finnie, 1e-12 * energy) << degrees;
  }
}

// A sphere that goes on over the edge between two facets does not hit the mesh again. Both facets are loaded. The push
// downwards at the start moves it by a fifteenth of its overlap, so it never takes off.
TEST(FacetLoads, ASphereThatCrossesAnEdgeHitsOnce) {
  Scene scene = hertz_scene(glass, {0, 0}, time_step);
  scene.gravity = {0, 0, -standard_gravity};
  add_sphere(scene, {-0.05, 0.05, radius - overlap_at_rest()}, radius, {1, 0, -1e-3});
  add_mesh(scene, parallelogram({-1, -1, 0}, {2, 0, 0}, {0, 2, 0}));  // its inner edge is y = x
  scene.boundaries.back().facet_loads = FacetOutput{};
  const auto engine = start(scene);
  engine->advance(20000);
  const FacetLoads loads = engine->facet_loads(false).at(0);
  EXPECT_EQ(loads.impacts[0] + loads.impacts[1], 1U);
  const double impulse = mass() * standard_gravity * engine->time();
  EXPECT_GT(loads.normal_impulse[0], 0.2 * impulse);
  EXPECT_GT(loads.normal_impulse[1], 0.2 * impulse);
}

// What moves with the mesh does not slide on it, and a mesh that runs away is hit more softly.
TEST(FacetLoads, VelocitiesAreRelativeToTheMesh) {
  Scene scene = above_floor(1e-4, {1, 0, -2}, friction);
  scene.boundaries.back().motion = {{Translation{{1, 0, -1}}}};
  const auto engine = start(scene);
  engine->advance(2000);
  const FacetLoads loads = engine->facet_loads(false).at(0);
  EXPECT_NEAR(total(loads.impact_energy) / (0.5 * mass()), 1, 1e-12);
  EXPECT_NEAR(total(loads.sliding), 0, 1e-12 * mass());
}

}  // namespace scree::physics::facet_loads_test
