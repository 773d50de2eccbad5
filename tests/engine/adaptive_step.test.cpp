#include <cmath>

#include "busy_scene.hpp"

// An adaptive time step gives the same bits with any number of threads, with any lists and after a restart, and the
// times of events are exact.
namespace scree::inline SCREE_BACKEND::adaptive_step_test {

class AdaptiveRun : public BackendTest, public ::testing::WithParamInterface<Precision> {
 protected:
  Scene scene(double verlet) const {
    Scene scene = busy_scene(GetParam(), LawKind::hertz_mindlin, verlet);
    scene.adaptive = AdaptiveStep{};
    scene.adaptive->safety = 0.3;
    scene.adaptive->every = 7;
    scene.adaptive->impact_limit = 2e-4;
    scene.adaptive->impact_limit_at_unit_speed = 3e-5;
    scene.adaptive->free_limit = 2e-5;
    return scene;
  }
};

TEST_P(AdaptiveRun, HasTheSameBitsWithAnyListsAndThreads) {
  const auto engine = make_backend_engine(scene(0.2), 1), other = make_backend_engine(scene(1.0), 2);
  engine->advance(500);
  other->advance(500);
  EXPECT_EQ(engine->time(), other->time());
  EXPECT_NE(engine->time(), 500 * scene(0.2).time_step);
  EXPECT_TRUE(engine->hash() == other->hash());
  EXPECT_TRUE(engine->save() == other->save());
  EXPECT_EQ(engine->critical_step().value, other->critical_step().value);
  EXPECT_EQ(engine->critical_step().particle, other->critical_step().particle);
}

// The step takes account of how fast boundaries move where bodies are. A long drum moves faster far away, so the step
// would be another one if the place counted up to which lists look.
TEST_P(AdaptiveRun, OfALongDrumHasTheSameStepsWithAnyListsAndAfterARestart) {
  const auto drum = [&](double verlet) {
    Scene scene = this->scene(verlet);
    scene.boundaries[0].motion = {{Rotation{{1, 0, 0}, {0, 0, 0}, 5}}};
    scene.adaptive->impact_limit = 1;
    return scene;
  };
  const auto engine = make_backend_engine(drum(0.2), 1), other = make_backend_engine(drum(1.0), 2),
             resumed = make_backend_engine(drum(0.1));
  engine->advance(25), other->advance(25);
  EXPECT_EQ(engine->time(), other->time());
  resumed->restore(engine->save());
  engine->advance(100), other->advance(100), resumed->advance(100);
  EXPECT_EQ(engine->time(), other->time());
  EXPECT_EQ(engine->time(), resumed->time());
  EXPECT_TRUE(engine->hash() == other->hash());
  EXPECT_TRUE(engine->hash() == resumed->hash());
}

TEST_P(AdaptiveRun, GoesOnAfterARestart) {
  const auto whole = make_backend_engine(scene(0.2));
  whole->advance(205);  // not a multiple of the interval at which contacts are checked
  const auto resumed = make_backend_engine(scene(0.05), 2);
  resumed->restore(whole->save());
  EXPECT_EQ(resumed->time(), whole->time());
  EXPECT_EQ(resumed->previous_time(), whole->previous_time());
  whole->advance(300);
  resumed->advance(300);
  EXPECT_TRUE(resumed->save() == whole->save());
  EXPECT_TRUE(resumed->hash() == whole->hash());
}

TEST_P(AdaptiveRun, EndsAtTheFirstStepThatReachesATime) {
  const auto engine = make_backend_engine(scene(0.2));
  engine->advance(1000000, nullptr, 1e-3);
  EXPECT_GE(engine->time(), 1e-3);
  EXPECT_LT(engine->previous_time(), 1e-3);
}

/// The position of a boundary depends on the time only, not on the steps taken.
TEST_P(AdaptiveRun, PutsBoundariesWhereTheyBelong) {
  const auto engine = make_backend_engine(scene(0.2));
  const Real3 start = engine->boundary_vertices(1).at(0);
  engine->advance(1000000, nullptr, 6e-4);
  const Real3 now = engine->boundary_vertices(1).at(0);
  EXPECT_NEAR(now[0] - start[0], 0.3 * (engine->time() - 2e-4), 1e-15);
}

// A search drops bodies that were removed, and when it comes depends on the lists. The steps of an empty run must not.
TEST_P(AdaptiveRun, AnEmptyRunGoesOnWithTheSameSteps) {
  const auto emptied = [&](double verlet) {
    Scene scene = this->scene(verlet);
    SceneDeletion everything;
    everything.region = BoxRegion{{-1, -1, -1}, {1, 1, 1}};
    everything.from = 1e-3;
    everything.until = 1.01e-3;
    everything.counter = static_cast<std::uint32_t>(scene.outlet_names.size());
    scene.deletions.push_back(everything);
    scene.outlet_names.push_back("everything");
    return scene;
  };
  const auto engine = make_backend_engine(emptied(0.2)), other = make_backend_engine(emptied(1.0), 2);
  engine->advance(100000, nullptr, 2e-3), other->advance(100000, nullptr, 2e-3);
  ASSERT_EQ(engine->counts().particles, 0u);
  const auto resumed = make_backend_engine(emptied(0.02));
  resumed->restore(engine->save());
  for (Engine* each : {engine.get(), other.get(), resumed.get()}) { each->advance(500); }
  EXPECT_EQ(engine->time(), other->time());
  EXPECT_EQ(engine->time(), resumed->time());
  EXPECT_TRUE(engine->hash() == other->hash());
  EXPECT_TRUE(engine->hash() == resumed->hash());
}

TEST_P(AdaptiveRun, DeletionRegionsActInTheirTime) {
  Scene scene = glass_scene(GetParam());
  scene.adaptive = AdaptiveStep{};
  scene.adaptive->free_limit = 1e-5;
  for (int k = 0; k < 10; ++k) { add_body(scene, {3 * bead * k, 0, 0}, bead, {1, 0, 0}); }
  SceneDeletion region;  // bodies move at 1 m/s; those from 27, 24 and 21 mm reach the region before 20 ms
  region.region = BoxRegion{{0.0405, -1, -1}, {1, 1, 1}};
  region.from = 0.015;
  region.until = 0.02;
  scene.deletions.push_back(region);
  scene.outlet_names.push_back("box");
  const auto engine = make_backend_engine(scene);
  const auto removed_by = [&](double time) {
    engine->advance(1000000, nullptr, time);
    return engine->counts().removed[0];
  };
  EXPECT_EQ(removed_by(0.01495), 0u) << "one is inside since 13.5 ms";
  EXPECT_EQ(removed_by(0.0151), 1u);
  EXPECT_EQ(removed_by(0.0199), 3u);
  EXPECT_EQ(removed_by(0.03), 3u) << "two more have come since";
}

/// Bodies of a rotating group stay on their circles although the length of the steps varies.
TEST_P(AdaptiveRun, GroupsTurnAtTheirRate) {
  Scene scene = this->scene(0.2);
  SceneGroup plain, wheel;
  wheel.fixed = fixed_translation | fixed_rotation;
  wheel.rotation = Rotation{{0, 0, 1}, {0, 0, 0}, 40};
  scene.groups = {plain, wheel};
  scene.particles.group.assign(scene.particles.size(), 0);
  add_body(scene, {-40 * bead, 0, 5 * bead}, bead);
  scene.particles.group.push_back(1);
  const auto engine = make_backend_engine(scene);
  engine->advance(300);
  const Snapshot now = engine->snapshot();
  const double angle = 40 * engine->time();
  const double tolerance = GetParam() == Precision::double_ ? 1e-12 : 3e-7;  // [m]; the circle has a radius of 40 mm
  EXPECT_NEAR(now.position.back()[0], -0.04 * std::cos(angle), tolerance);
  EXPECT_NEAR(now.position.back()[1], -0.04 * std::sin(angle), tolerance);
}

INSTANTIATE_TEST_SUITE_P(Precisions, AdaptiveRun, ::testing::Values(Precision::mixed, Precision::double_),
                         [](const auto& tested) {
                           return std::string(tested.param == Precision::mixed ? "mixed" : "double");
                         });

}  // namespace scree::inline SCREE_BACKEND::adaptive_step_test
