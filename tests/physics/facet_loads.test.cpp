#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "scenes.hpp"

// Sums over the facets of meshes: pressure, sliding, impacts. Without another reason tolerances are those of rounding.
namespace scree::physics {
namespace {

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

// The impulse of the floor is the momentum that the sphere has gained, and that which gravity took: leapfrog keeps this
// exactly. A frictionless floor has no other impulse.
TEST(FacetLoads, TheNormalImpulseIsThatOfTheSphere) {
  const auto engine = start(above_floor(1e-3, {0, 0, -0.5}, 0, standard_gravity));
  const double before = read(*engine).velocity[2];
  engine->advance(2000);
  const FacetLoads loads = engine->facet_loads(true).at(0);
  const double expected = mass() * (read(*engine).velocity[2] - before + standard_gravity * engine->time());
  EXPECT_NEAR(total(loads.normal_impulse) / expected, 1, 1e-10);
  EXPECT_EQ(total(loads.shear_impulse), 0);
  EXPECT_EQ(loads.since, 0);
  // The next interval begins where this one ended.
  const double middle = read(*engine).velocity[2], time = engine->time();
  engine->advance(3000);
  const FacetLoads later = engine->facet_loads(false).at(0);
  EXPECT_EQ(later.since, time);
  const double more = mass() * (read(*engine).velocity[2] - middle + standard_gravity * (engine->time() - time));
  EXPECT_NEAR(total(later.normal_impulse), more, 1e-10 * expected);
  EXPECT_GT(total(later.impact_energy), total(loads.impact_energy));  // it has bounced again
}

// A sphere thrown flat over a floor slides until it rolls with 5/7 of its speed: friction takes 1/7 of m v^2, and the
// way of sliding times the normal force is that over the coefficient of friction. The shear spring oscillates when
// sliding ends: 0.5 %, as in the tests of belts.
TEST(FacetLoads, SlidingIsWhatFrictionTakes) {
  constexpr double speed = 0.3;
  Scene scene = hertz_scene(glass, {friction, 0}, time_step);
  const double modulus = glass.young / (1 - glass.poisson * glass.poisson), weight = mass() * standard_gravity;
  const double overlap = std::pow(weight / (4.0 / 3.0 * modulus * std::sqrt(radius)), 2.0 / 3.0);
  scene.gravity = {0, 0, -standard_gravity};
  add_sphere(scene, {-0.5, 0.05, radius - overlap}, radius, {speed, 0, 0});
  add_mesh(scene, parallelogram({-1, -1, 0}, {2, 0, 0}, {0, 2, 0}));
  scene.boundaries.back().facet_loads = FacetOutput{};
  const auto engine = start(scene);
  engine->advance(static_cast<std::uint64_t>(0.2 / time_step));
  const FacetLoads loads = engine->facet_loads(false).at(0);
  const double lost = mass() * speed * speed / 7;
  EXPECT_NEAR(total(loads.friction_work) / lost, 1, 5e-3);
  EXPECT_NEAR(total(loads.sliding) * friction / lost, 1, 5e-3);
  EXPECT_NEAR(total(loads.shear_impulse) / (mass() * speed * 2 / 7), 1, 5e-3);
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

// A sphere that goes on over the edge between two facets does not hit the mesh again. Both facets are loaded.
TEST(FacetLoads, ASphereThatCrossesAnEdgeHitsOnce) {
  const auto engine = start(above_floor(1e-5, {1, 0, 0}, 0, standard_gravity));
  engine->advance(20000);
  const FacetLoads loads = engine->facet_loads(false).at(0);
  const std::uint64_t hits = loads.impacts[0] + loads.impacts[1];
  EXPECT_GT(loads.normal_impulse[0] * loads.normal_impulse[1], 0);
  // It falls 1e-5 m and bounces without loss: in flight as long as free fall says, in touch for a contact time.
  const double fall = std::sqrt(2e-5 / standard_gravity);
  EXPECT_LT(static_cast<double>(hits), 0.2 / (2 * fall));
  EXPECT_GT(hits, 3U);
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

}  // namespace
}  // namespace scree::physics
