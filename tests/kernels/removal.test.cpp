#include <algorithm>
#include <cmath>
#include <numeric>

#include "support.hpp"

namespace scree::inline SCREE_BACKEND::removal_test {

using Removal = BackendTest;

double mass_of(const Scene& scene, std::size_t i) {
  const double r = scene.particles.radius[i];
  return 4.0 / 3.0 * 3.14159265358979323846 * r * r * r * scene.materials[0].density;
}

/// A cloud that flies apart through six outlets, two of which share a counter.
Scene bursting_cloud(Precision precision) {
  Scene scene = glass_scene(precision);
  Random random(41);
  add_lattice(scene, {9, 9, 9}, {-9 * bead, -9 * bead, -9 * bead}, 2.02 * bead, {0.2 * bead, bead}, 5.0, random);
  for (std::size_t i = 0; i < scene.particles.size(); ++i) {
    for (std::size_t k = 0; k < 3; ++k) { scene.particles.velocity[i][k] += 300 * scene.particles.position[i][k]; }
  }
  const double edge = 11 * bead;
  add_outlet(scene, "left", {-edge, 0, 0}, {-1, 0, 0});
  add_outlet(scene, "right", {edge, 0, 0}, {1, 0, 0});
  add_outlet(scene, "front", {0, -edge, 0}, {0, -1, 0});
  add_outlet(scene, "back", {0, edge, 0}, {0, 1, 0});
  add_outlet(scene, "ends", {0, 0, -edge}, {0, 0, -1});
  scene.outlets.push_back({{0, 0, edge}, {0, 0, 1}, 4});
  return scene;
}

void expect_every_body_accounted_for(Precision precision, double tolerance) {
  const Scene scene = bursting_cloud(precision);
  const auto engine = make_backend_engine(scene);
  std::uint64_t removed = 0;
  for (int look = 0; look < 25; ++look) {
    engine->advance(20);
    const EngineCounts counts = engine->counts();
    const Snapshot state = engine->snapshot();
    removed = std::accumulate(counts.removed.begin(), counts.removed.end(), std::uint64_t(0));
    ASSERT_EQ(counts.particles, state.id.size());
    ASSERT_EQ(counts.particles + removed, scene.particles.size());
    ASSERT_TRUE(std::is_sorted(state.id.begin(), state.id.end()));

    std::vector<bool> here(scene.particles.size());
    for (const std::uint32_t id : state.id) { here[id] = true; }
    double mass = 0;
    for (std::size_t i = 0; i < here.size(); ++i) { mass += here[i] ? 0 : mass_of(scene, i); }
    const double counted = std::accumulate(counts.removed_mass.begin(), counts.removed_mass.end(), 0.0);
    ASSERT_NEAR(counted, mass, tolerance * mass);
    for (const Real3& x : state.position) {
      for (const double c : x) { ASSERT_LE(std::abs(c), 11 * bead) << "a body beyond an outlet is still in the run"; }
    }
  }
  EXPECT_GT(removed, 300u);
  EXPECT_LT(removed, scene.particles.size());
  for (const std::uint64_t count : engine->counts().removed) { EXPECT_GT(count, 0u); }
}

TEST_F(Removal, EveryBodyIsInTheRunOrCounted) {
  expect_every_body_accounted_for(Precision::double_, 1e-12);
  expect_every_body_accounted_for(Precision::mixed, 1e-7);  // masses are stored in float
}

TEST_F(Removal, EachOutletCountsItsOwnBodies) {
  Scene scene = glass_scene(Precision::double_);
  add_body(scene, {0, 0, 0}, bead, {-2, 0, 0});
  add_body(scene, {0, 5 * bead, 0}, 0.5 * bead, {2, 0, 0});
  add_body(scene, {0, 10 * bead, 0}, 0.25 * bead, {3, 0, 0});
  add_body(scene, {0, 15 * bead, 0}, bead, {0, 1, 0});
  add_outlet(scene, "left", {-bead, 0, 0}, {-1, 0, 0});
  add_outlet(scene, "right", {bead, 0, 0}, {1, 0, 0});
  const auto engine = make_backend_engine(scene);
  engine->advance(400);
  const EngineCounts counts = engine->counts();
  EXPECT_EQ(counts.removed, (std::vector<std::uint64_t>{1, 2}));
  EXPECT_NEAR(counts.removed_mass[0], mass_of(scene, 0), 1e-12 * mass_of(scene, 0));
  EXPECT_NEAR(counts.removed_mass[1], mass_of(scene, 1) + mass_of(scene, 2), 1e-12 * mass_of(scene, 1));
  EXPECT_EQ(engine->snapshot().id, (std::vector<std::uint32_t>{3}));
}

TEST_F(Removal, ABodyBeyondTwoOutletsIsCountedOnce) {
  Scene scene = glass_scene();
  add_body(scene, {0.999 * bead, 0.999 * bead, 0}, bead, {10, 10, 0});
  add_outlet(scene, "right", {bead, 0, 0}, {1, 0, 0});
  add_outlet(scene, "back", {0, bead, 0}, {0, 1, 0});
  const auto engine = make_backend_engine(scene);
  engine->advance(3);
  EXPECT_EQ(engine->counts().removed, (std::vector<std::uint64_t>{1, 0}));
}

TEST_F(Removal, TheStepInWhichABodyLeavesIsThatOfItsCentre) {
  Scene scene = glass_scene(Precision::double_);
  add_body(scene, {0, 0, 0}, bead, {1, 0, 0});  // 4e-6 m per step
  add_outlet(scene, "right", {9.5 * 4e-6, 0, 0}, {1, 0, 0});
  const auto engine = make_backend_engine(scene);
  engine->advance(9);
  EXPECT_EQ(engine->counts().particles, 1u);
  EXPECT_EQ(engine->snapshot().id.size(), 1u);
  engine->advance(1);
  EXPECT_EQ(engine->counts().particles, 0u);
  EXPECT_TRUE(engine->snapshot().id.empty());
}

TEST_F(Removal, NeighboursThatLeaveTogetherDoNotDisturbEachOther) {
  // The bodies stay in each other's lists until the next search.
  Scene scene = glass_scene();
  scene.verlet_distance = bead;
  for (int i = 0; i < 6; ++i) { add_body(scene, {0, 2.001 * bead * i, 0}, bead, {20, 0, 0}); }
  add_body(scene, {-5 * bead, 0, 0});
  add_outlet(scene, "right", {1e-5, 0, 0}, {1, 0, 0});
  const auto engine = make_backend_engine(scene);
  EXPECT_NO_THROW(engine->advance(500));
  EXPECT_EQ(engine->counts().removed[0], 6u);
  EXPECT_EQ(engine->counts().particles, 1u);
}

TEST_F(Removal, ARemovedBodyPushesNobody) {
  Scene scene = glass_scene(Precision::double_, LawKind::cundall_strack);
  scene.verlet_distance = bead;
  add_body(scene, {0, 0, 0}, bead, {5, 0, 0});
  add_body(scene, {-1.99 * bead, 0, 0});  // touches the first
  add_outlet(scene, "right", {1e-6, 0, 0}, {1, 0, 0});
  const auto engine = make_backend_engine(scene);
  engine->advance(1);
  ASSERT_EQ(engine->counts().particles, 1u);
  const double pushed = engine->snapshot().velocity[0][0];
  EXPECT_LT(pushed, 0);
  engine->advance(100);
  const Snapshot later = engine->snapshot({true, true});
  EXPECT_EQ(later.velocity[0][0], pushed);
  EXPECT_EQ(later.force[0][0], 0);
  EXPECT_EQ(later.coordination[0], 0u);
  EXPECT_EQ(engine->counts().contacts, 0u);
}

TEST_F(Removal, AnEmptyRunGoesOn) {
  Scene scene = glass_scene();
  scene.gravity = {0, 0, -9.81};
  add_body(scene, {0, 0, 0}, bead, {10, 0, 0});
  add_body(scene, {0, 5 * bead, 0}, bead, {10, 0, 0});
  add_plane(scene, {0, 0, -1}, {0, 0, 1}).motion = {{Translation{{0, 0, 1}}}};
  add_outlet(scene, "right", {bead, 0, 0}, {1, 0, 0});
  const auto engine = make_backend_engine(scene);
  EXPECT_EQ(engine->advance(1000), 1000u);
  EXPECT_EQ(engine->counts().particles, 0u);
  EXPECT_TRUE(engine->snapshot({true, true}).id.empty());
}

TEST_F(Removal, TheSearchStaysFineAfterBodiesHaveLeft) {
  // A removed body is parked far away until the next search. The grid must not extend to it.
  Scene scene = glass_scene();
  scene.verlet_distance = 0.1 * bead;
  Random random(43);
  add_lattice(scene, {8, 8, 8}, {0, 0, 0}, 2.5 * bead, {0.9 * bead, bead}, 1.0, random);
  add_outlet(scene, "right", {19 * bead, 0, 0}, {1, 0, 0});
  System<float> system(scene, 1);
  std::uint64_t searches_with_loss = 0, removed_before = 0, searches_before = 0;
  for (int step = 0; step < 300; ++step) {
    system.advance(1, nullptr);
    const EngineCounts counts = counts_of(system.run());
    const ColumnGrid grid = SystemProbe::grid(system);
    ASSERT_GE(grid.n_columns, 16u) << "step " << step;
    ASSERT_LE(1 / grid.sweep_scale, 1e-6 * bead) << "step " << step;
    if (counts.searches > searches_before && counts.removed[0] > removed_before) { ++searches_with_loss; }
    if (counts.searches > searches_before) { removed_before = counts.removed[0]; }
    searches_before = counts.searches;
  }
  EXPECT_GT(searches_with_loss, 2u);
}

}  // namespace scree::inline SCREE_BACKEND::removal_test
