#include <cmath>
#include <numeric>

#include "busy_scene.hpp"
#include "piles.hpp"

namespace scree::inline SCREE_BACKEND::insertion_test {

using Insertion = BackendTest;

ParticleSet one_body(const Real3& position, double radius = bead, const Real3& velocity = {}) {
  Scene scene;
  add_body(scene, position, radius, velocity);
  return scene.particles;
}

/// Adds an inlet that never inserts, so that the largest radius of the case includes `radius`.
void announce(Scene& scene, double radius) {
  SceneInlet inlet;
  inlet.smallest_radius = inlet.median_radius = inlet.largest_radius = radius;
  scene.inlets.push_back(inlet);
}

void expect_same_state(const Snapshot& a, const Snapshot& b, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    ASSERT_EQ(a.id[i], b.id[i]);
    EXPECT_EQ(a.position[i], b.position[i]) << i;
    EXPECT_EQ(a.velocity[i], b.velocity[i]) << i;
    EXPECT_EQ(a.angular_velocity[i], b.angular_velocity[i]) << i;
    EXPECT_EQ(a.force[i], b.force[i]) << i;
  }
}

TEST_F(Insertion, ABedKeepsItsHistoriesBitForBit) {
  for (const Precision precision : {Precision::mixed, Precision::double_}) {
    for (const double verlet : {0.05, 0.6}) {
      const Scene scene = pyramid(precision, LawKind::hertz_mindlin, verlet);
      const auto alone = make_backend_engine(scene), joined = make_backend_engine(scene);
      for (int k = 0; k < 20; ++k) {
        alone->advance(37);
        joined->advance(37);
        joined->insert(one_body({2 * bead, 2 * bead, (40 + 3.0 * k) * bead}, (0.5 + 0.02 * k) * bead, {0, 0, 0.01}));
        if (k == 0) { EXPECT_EQ(joined->snapshot({true, true}).force.back(), (Real3{0, 0, 0})); }
      }
      alone->advance(60);
      joined->advance(60);
      const Snapshot a = alone->snapshot({true, true}), b = joined->snapshot({true, true});
      ASSERT_EQ(b.id.size(), a.id.size() + 20);
      expect_same_state(a, b, a.id.size());
      EXPECT_EQ(alone->counts().contacts, joined->counts().contacts);
      EXPECT_EQ(joined->counts().particles, a.id.size() + 20);
      EXPECT_EQ(joined->counts().inserted, 20u);
      EXPECT_EQ(b.id.back(), a.id.size() + 19);
      EXPECT_GT(joined->counts().searches, alone->counts().searches);
    }
  }
}

TEST_F(Insertion, ABedAtRestStaysAtRest) {
  const Scene scene = pyramid(Precision::mixed, LawKind::hertz_mindlin, 0.2);
  const auto engine = make_backend_engine(scene);
  engine->advance(6000);
  const Snapshot before = engine->snapshot();
  for (int k = 0; k < 10; ++k) {
    engine->insert(one_body({2 * bead, 2 * bead, (200 + 3.0 * k) * bead}));
    engine->advance(100);  // too short a time to fall down
  }
  const Snapshot after = engine->snapshot();
  double farthest = 0;
  for (std::size_t i = 0; i < before.id.size(); ++i) {
    for (std::size_t c = 0; c < 3; ++c) {
      farthest = std::max(farthest, std::abs(after.position[i][c] - before.position[i][c]));
    }
  }
  EXPECT_LT(farthest, 1e-6 * bead) << "without its tangential history the pile would give way";
}

TEST_F(Insertion, AnInsertedBodyCollides) {
  Scene scene = glass_scene(Precision::double_);
  add_body(scene, {0, 0, 0});
  const auto engine = make_backend_engine(scene);
  engine->advance(10);
  engine->insert(one_body({2.01 * bead, 0, 0}, bead, {-1, 0, 0}));
  EXPECT_EQ(engine->snapshot().velocity[1][0], -1) << "as that of the middle of the last step";
  engine->advance(40);
  EXPECT_GT(engine->counts().contacts, 0u);
  engine->advance(200);
  const Snapshot state = engine->snapshot();
  EXPECT_NEAR(state.velocity[0][0] + state.velocity[1][0], -1, 1e-12) << "momentum";
  EXPECT_LT(state.velocity[0][0], -0.5);
}

TEST_F(Insertion, IntoAnEmptyRun) {
  Scene scene = glass_scene();
  scene.gravity = {0, 0, -9.81};
  announce(scene, bead);
  add_plane(scene, {0, 0, 0}, {0, 0, 1});
  const auto engine = make_backend_engine(scene);
  engine->advance(10);
  EXPECT_EQ(engine->counts().particles, 0u);
  engine->insert(one_body({0, 0, 1.001 * bead}));
  engine->advance(1000);
  const Snapshot state = engine->snapshot();
  ASSERT_EQ(state.id.size(), 1u);
  EXPECT_NEAR(state.position[0][2], bead, 0.02 * bead);
}

TEST_F(Insertion, CountsOfThoseThatCameAndLeft) {
  Scene scene = glass_scene();
  for (int i = 0; i < 3; ++i) { add_body(scene, {0, 3 * bead * i, 0}, bead, {10, 0, 0}); }
  add_outlet(scene, "right", {20 * bead, 0, 0}, {1, 0, 0});
  announce(scene, bead);
  const auto engine = make_backend_engine(scene);
  const double mass = 4.0 / 3.0 * std::acos(-1.0) * bead * bead * bead * 2500;
  for (int k = 0; k < 5; ++k) {
    engine->advance(101);  // 4e-5 m per step
    engine->insert(one_body({0, (30.0 + 3 * k) * bead, 0}, bead, {10, 0, 0}));
  }
  const EngineCounts now = engine->counts();
  EXPECT_EQ(now.inserted, 5u);
  EXPECT_EQ(now.removed[0], 3u);
  EXPECT_EQ(now.particles, 5u);
  EXPECT_EQ(engine->snapshot().id, (std::vector<std::uint32_t>{3, 4, 5, 6, 7}));
  engine->advance(2000);
  EXPECT_EQ(engine->counts().removed[0], 8u);
  EXPECT_EQ(engine->counts().particles, 0u);
  EXPECT_NEAR(engine->counts().removed_mass[0] / (8 * mass), 1, 1e-6);
}

TEST_F(Insertion, OfALargeBodyAmongSmallOnes) {
  // The contacts of a large body are summed in parts, also if no body is large at the start.
  Scene scene = glass_scene(Precision::double_);
  scene.gravity = {0, 0, -9.81};
  Random random(5);
  add_lattice(scene, {12, 12, 2}, {-6 * 2.1 * bead, -6 * 2.1 * bead, 0.1 * bead}, 2.1 * bead, {0.9 * bead, bead}, 0,
              random);
  add_plane(scene, {0, 0, 0}, {0, 0, 1});
  const auto engine = make_backend_engine(scene), other = make_backend_engine(scene, 2);
  for (Engine* e : {engine.get(), other.get()}) {
    e->advance(50);
    e->insert(one_body({0, 0, 24.5 * bead}, 20 * bead, {0, 0, -0.3}));
    e->insert(one_body({50 * bead, 0, 3 * bead}));
    EXPECT_EQ(e->snapshot({true, false}).force.back(), (Real3{0, 0, 0}));
    e->advance(500);
  }
  EXPECT_TRUE(engine->hash() == other->hash());
  EXPECT_GT(engine->snapshot({false, true}).coordination[288], 3u);
}

// --- queries of inlets ------------------------------------------------------------------------------------------

TEST_F(Insertion, KnowsWhoReachesIntoABox) {
  Scene scene = glass_scene(Precision::double_);
  add_body(scene, {0, 0, 0});
  add_body(scene, {5 * bead, 0, 0}, bead, {100, 0, 0});
  add_body(scene, {-3 * bead, 0, 0}, 2.5 * bead);
  add_outlet(scene, "right", {5.1 * bead, 0, 0}, {1, 0, 0});
  const auto engine = make_backend_engine(scene);
  EXPECT_EQ(engine->particles_in({0.9 * bead, -bead, -bead}, {9 * bead, bead, bead}).radius.size(), 2u);
  EXPECT_EQ(engine->particles_in({-0.6 * bead, -bead, -bead}, {0, bead, bead}).radius,
            (std::vector<double>{bead, 2.5 * bead}));
  EXPECT_TRUE(engine->particles_in({1.1 * bead, -bead, -bead}, {3 * bead, bead, bead}).radius.empty());
  engine->advance(1);
  EXPECT_EQ(engine->particles_in({0.9 * bead, -bead, -bead}, {9 * bead, bead, bead}).radius.size(), 1u)
      << "one has left";
}

TEST_F(Insertion, KnowsWhereBoundariesStand) {
  Scene scene = glass_scene(Precision::double_);
  scene.time_step = 1e-3;
  add_plane(scene, {0, 0, 0}, {0, 0, 1}).motion = {{Translation{{0, 0, 1}}}};
  add_mesh(scene, sheet({-1, -1, 1}, {2, 0, 0}, {0, 2, 0}, 5));
  add_cylinder(scene, {0, 0, -1}, {0, 0, 1}, 0.5);
  const auto engine = make_backend_engine(scene);
  const SphereList spheres{{{0, 0, 0.3}, {0, 0, 0.05}, {0, 0, -0.3}, {0, 0, 0.85}, {0.45, 0, 0.3}},
                           {0.1, 0.1, 0.1, 0.2, 0.1}};
  EXPECT_EQ(engine->clear_of_boundaries(spheres), (std::vector<std::uint8_t>{1, 0, 0, 0, 0}));
  engine->advance(250);  // the floor has risen to 0.25
  EXPECT_EQ(engine->clear_of_boundaries(spheres), (std::vector<std::uint8_t>{0, 0, 0, 0, 0}));
}

// --- deletion regions -------------------------------------------------------------------------------------------

TEST_F(Insertion, DeletionRegionsCountWhoseCentreIsInside) {
  Scene scene = glass_scene(Precision::double_);
  const double mass = 4.0 / 3.0 * std::acos(-1.0) * bead * bead * bead * 2500;
  scene.deletions = {{BoxRegion{{0, 0, 0}, {1, 1, 1}}, 0, ~std::uint64_t(0), 0},
                     {CylinderRegion{{10, 0, 0}, {10, 0, 2}, 0.5, 0.25}, 0, ~std::uint64_t(0), 1},
                     {SphereRegion{{20, 0, 0}, 0.5}, 0, ~std::uint64_t(0), 2}};
  scene.outlet_names = {"box", "cylinder", "sphere"};
  for (const Real3& inside :
       {Real3{0.5, 0.5, 0.999}, {0.01, 0.01, 0.01}, {10.4, 0, 0.1}, {10, 0.3, 1.99}, {20.3, 0.3, 0.2}}) {
    add_body(scene, inside);
  }
  for (const Real3& outside : {Real3{0.5, 0.5, 1.0001},
                               {-0.0001, 0.5, 0.5},
                               {10.4, 0.4, 1},
                               {10.4, 0, 2.001},
                               {10.4, 0, -0.001},
                               {10.2, 0, 1},
                               {20.3, 0.3, 0.3}}) {
    add_body(scene, outside);
  }
  const auto engine = make_backend_engine(scene);
  engine->advance(1);
  EXPECT_EQ(engine->counts().removed, (std::vector<std::uint64_t>{2, 2, 1}));
  EXPECT_EQ(engine->counts().particles, 7u);
  EXPECT_NEAR(engine->counts().removed_mass[1] / (2 * mass), 1, 1e-9);
  EXPECT_EQ(engine->snapshot().id, (std::vector<std::uint32_t>{5, 6, 7, 8, 9, 10, 11}));
}

TEST_F(Insertion, DeletionRegionsActInTheirStepsOnly) {
  Scene scene = glass_scene(Precision::double_);
  scene.deletions = {{SphereRegion{{0, 0, 0}, 1}, 10, 13, 0}};
  scene.outlet_names = {"ball"};
  add_body(scene, {0, 0, 0});
  add_body(scene, {1 + 11.5 * 4e-6 * 100, 0, 0}, bead, {-100, 0, 0});       // inside after 12 steps
  add_body(scene, {1 + 12.5 * 4e-6 * 100, 1e-9, 0.1}, bead, {-100, 0, 0});  // inside one step later
  const auto engine = make_backend_engine(scene);
  engine->advance(9);
  EXPECT_EQ(engine->counts().removed[0], 0u);
  engine->advance(1);
  EXPECT_EQ(engine->counts().removed[0], 1u);
  engine->advance(1);
  EXPECT_EQ(engine->counts().removed[0], 1u);
  engine->advance(1);
  EXPECT_EQ(engine->counts().removed[0], 2u);
  engine->advance(100);
  EXPECT_EQ(engine->counts().removed[0], 2u);
}

TEST_F(Insertion, AFixedBodyIsRemovedWithItsMass) {
  Scene scene = glass_scene(Precision::double_);
  scene.groups.resize(2);
  scene.groups[1].fixed = fixed_translation | fixed_rotation;
  add_body(scene, {0, 0, 0}, bead, {1, 0, 0});
  scene.particles.group = {1};
  add_outlet(scene, "right", {1e-5, 0, 0}, {1, 0, 0});
  const auto engine = make_backend_engine(scene);
  engine->advance(10);
  const double mass = 4.0 / 3.0 * std::acos(-1.0) * bead * bead * bead * 2500;
  EXPECT_EQ(engine->counts().removed[0], 1u);
  EXPECT_NEAR(engine->counts().removed_mass[0] / mass, 1, 1e-12);
}

// --- groups: same bits ------------------------------------------------------------------------------------------

/// The busy scene with groups and rules for some of its bodies.
Scene grouped_scene(Precision precision, double verlet) {
  Scene scene = busy_scene(precision, LawKind::hertz_mindlin, verlet);
  scene.integration.viscous_damping = 5;
  scene.groups.resize(4);
  scene.groups[0].damping = scene.integration.damping;
  scene.groups[1].fixed = fixed_translation | 8;
  scene.groups[2].damping = 0.6;
  scene.groups[2].force = {1e-4, 0, 0};
  scene.groups[3].fixed = fixed_translation | fixed_rotation;
  scene.groups[3].rotation = Rotation{{0, 0, 1}, {0, 0, 0}, 20};
  for (std::size_t i = 0; i < scene.particles.size(); ++i) {
    const Real3& x = scene.particles.position[i];
    const bool free_of_paddle = std::abs(x[1]) > 5 * bead && x[2] > 5 * bead;
    scene.particles.group.push_back(i % 5 == 0 ? 2u : i % 17 == 3 && free_of_paddle ? (i % 2 == 0 ? 1u : 3u) : 0u);
  }
  return scene;
}

TEST_F(Insertion, AGroupWithoutSettingsChangesNoBit) {
  for (const Precision precision : {Precision::mixed, Precision::double_}) {
    Scene scene = busy_scene(precision, LawKind::hertz_mindlin, 0.2);
    const auto plain = make_backend_engine(scene);
    scene.groups.resize(2);
    for (SceneGroup& group : scene.groups) { group.damping = scene.integration.damping; }
    for (std::size_t i = 0; i < scene.particles.size(); ++i) {
      scene.particles.group.push_back(static_cast<std::uint32_t>(i % 2));
    }
    const auto grouped = make_backend_engine(scene);
    plain->advance(200);
    grouped->advance(200);
    EXPECT_TRUE(plain->hash() == grouped->hash());
  }
}

TEST_F(Insertion, SameBitsWithGroupsAndInsertions) {
  for (const Precision precision : {Precision::mixed, Precision::double_}) {
    const auto run = [&](double verlet, int threads) {
      const auto engine = make_backend_engine(grouped_scene(precision, verlet), threads);
      for (int k = 0; k < 3; ++k) {
        engine->advance(30);
        ParticleSet late = one_body({(2.5 * k - 3) * bead, 12.5 * bead, 10 * bead}, 0.7 * bead, {0, 0, -5});
        late.group = {k == 1 ? 1u : 2u};
        engine->insert(late);
      }
      engine->advance(30);
      return engine->hash();
    };
    const StateHash first = run(0.2, 1);
    EXPECT_TRUE(run(0.2, 2) == first);
    EXPECT_TRUE(run(0.02, 1) == first);
    EXPECT_TRUE(run(1.0, 1) == first);
  }
}

}  // namespace scree::inline SCREE_BACKEND::insertion_test
