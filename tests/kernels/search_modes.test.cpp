#include "../engine/busy_scene.hpp"
#include "../engine/piles.hpp"
#include "support.hpp"

namespace scree::inline SCREE_BACKEND::search_modes_test {

/// A combination of settings of the search.
struct Mode {
  const char* name;
  double verlet;  ///< [bead]
  bool by_speed;
  double target_interval;  ///< [steps]
};

const std::vector<Mode> modes{{"fixed", 0.5, false, 0},
                              {"fixed_for_1", 0.2, false, 1},
                              {"fixed_for_30", 0.2, false, 30},
                              {"fixed_for_a_billion", 0.2, false, 1e9},
                              {"fixed_for_ever", 0.2, false, 1e300},
                              {"by_speed", 0.1, true, 0},
                              {"by_speed_for_1", 0.1, true, 1},
                              {"by_speed_for_30", 0.1, true, 30},
                              {"by_speed_for_a_million", 0.1, true, 1e6},
                              {"by_speed_for_ever", 0.02, true, 1e300}};

Scene in_mode(Scene scene, const Mode& mode) {
  scene.verlet_distance = mode.verlet * bead;
  scene.verlet_auto = mode.by_speed;
  scene.target_interval = mode.target_interval;
  return scene;
}

/// A scene without moving boundaries: on a GPU its steps are launched in batches.
Scene without_motion(Scene scene) {
  for (SceneBoundary& boundary : scene.boundaries) { boundary.motion.clear(); }
  return scene;
}

template <class R>
void expect_skins_make_sense(System<R>& system) {
  for (const R skin : SystemProbe::bodies(system).skin().to_vector()) {
    ASSERT_TRUE(std::isfinite(skin));
    ASSERT_GT(skin, R(0));
  }
}

template <class R>
void expect_same_bits_in_all_modes(const Scene& scene, std::uint64_t steps) {
  System<R> measure(scene, 1);
  measure.advance(steps, nullptr);
  for (const Mode& mode : modes) {
    System<R> system(in_mode(scene, mode), 1);
    system.advance(steps, nullptr);
    EXPECT_TRUE(hash_of(system.run()) == hash_of(measure.run())) << mode.name;
    EXPECT_EQ(counts_of(system.run()).contacts, counts_of(measure.run()).contacts) << mode.name;
    EXPECT_EQ(counts_of(system.run()).removed, counts_of(measure.run()).removed) << mode.name;
    expect_skins_make_sense(system);
  }
}

using SearchModes = BackendTest;

TEST_F(SearchModes, GiveTheSameBits) {
  const Scene mixed = busy_scene(Precision::mixed, LawKind::hertz_mindlin, 0.2);
  const Scene precise = busy_scene(Precision::double_, LawKind::cundall_strack, 0.2);
  expect_same_bits_in_all_modes<float>(mixed, 300);
  expect_same_bits_in_all_modes<float>(without_motion(mixed), 300);
  expect_same_bits_in_all_modes<double>(precise, 120);
}

TEST_F(SearchModes, BearBodiesThatStandStill) {
  // Without speeds, intervals are unlimited and shares have no finite size.
  for (const Mode& mode : modes) {
    SCOPED_TRACE(mode.name);
    Scene scene = glass_scene();
    for (int i = 0; i < 20; ++i) { add_body(scene, {2.05 * bead * i, 0, 0}); }
    scene.gravity = {};
    System<float> system(in_mode(scene, mode), 1);
    system.advance(50, nullptr);
    expect_skins_make_sense(system);
    EXPECT_EQ(counts_of(system.run()).searches, 1u);
    // One of the bodies starts to move. The others must find it.
    scene.particles.velocity[0] = {2, 0, 0};
    System<float> moving(in_mode(scene, mode), 1), measure(scene, 1);
    moving.advance(300, nullptr);
    measure.advance(300, nullptr);
    expect_skins_make_sense(moving);
    EXPECT_TRUE(hash_of(moving.run()) == hash_of(measure.run()));
    EXPECT_NE(snapshot_of(moving.run(), {}).velocity[3][0], 0) << "nothing was hit";
  }
}

/// Runs parts of a run with additional searches in between, and compares everything readable after each part.
template <class R>
void expect_searches_change_nothing(const Scene& scene, int settling, int parts) {
  System<R> calm(scene, 1), restless(scene, 1);
  calm.advance(std::uint64_t(settling), nullptr);
  restless.advance(std::uint64_t(settling), nullptr);
  for (int part = 0; part < parts; ++part) {
    for (int i = 0; i < 100 / parts; ++i) { static_cast<void>(restless.search_neighbours()); }
    EXPECT_TRUE(hash_of(restless.run()) == hash_of(calm.run())) << "before the next step";
    EXPECT_EQ(counts_of(restless.run()).contacts, counts_of(calm.run()).contacts);
    EXPECT_EQ(counts_of(restless.run()).boundary_contacts, counts_of(calm.run()).boundary_contacts);
    calm.advance(1, nullptr);
    restless.advance(1, nullptr);
    const Snapshot a = snapshot_of(calm.run(), {true, true}), b = snapshot_of(restless.run(), {true, true});
    EXPECT_EQ(a.id, b.id);
    EXPECT_EQ(a.position, b.position);
    EXPECT_EQ(a.velocity, b.velocity);
    EXPECT_EQ(a.angular_velocity, b.angular_velocity);
    EXPECT_EQ(a.force, b.force);
    EXPECT_EQ(a.coordination, b.coordination);
    EXPECT_TRUE(hash_of(restless.run()) == hash_of(calm.run())) << "after a step, part " << part;
  }
  EXPECT_GT(counts_of(calm.run()).contacts, 20u);
  EXPECT_GT(counts_of(calm.run()).boundary_contacts, 3u);
  EXPECT_GE(counts_of(restless.run()).searches, 100u);
}

TEST_F(SearchModes, SearchesBetweenStepsChangeNothing) {
  expect_searches_change_nothing<float>(pyramid(Precision::mixed, LawKind::hertz_mindlin, 0.2), 1500, 5);
  expect_searches_change_nothing<double>(pyramid(Precision::double_, LawKind::cundall_strack, 0.2), 1500, 50);
  Scene busy = busy_scene(Precision::mixed, LawKind::hertz_mindlin, 0.2);  // bodies leave, boundaries move
  expect_searches_change_nothing<float>(busy, 200, 20);
  busy.verlet_auto = true;
  expect_searches_change_nothing<float>(busy, 200, 4);
}

/// How far a turning boundary moves depends on where bodies are. The first search knows that as well as the next one.
TEST_F(SearchModes, TheFirstSearchKnowsHowFarATurningBoundaryMoves) {
  Scene scene = glass_scene();
  add_body(scene, {50 * bead, 0, 2 * bead});
  add_plane(scene, {0, 0, 0}, {0, 0, 1}).motion = {Motion{Rotation{{0, 0, 1}, {0, 0, 0}, 10}}};
  System<float> system(scene, 1);
  static_cast<void>(system.search_neighbours());
  const double first = system.run().lists.boundary_skin;
  static_cast<void>(system.search_neighbours());
  EXPECT_EQ(first, system.run().lists.boundary_skin);
}

}  // namespace scree::inline SCREE_BACKEND::search_modes_test
