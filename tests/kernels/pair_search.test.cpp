#include "clouds.hpp"
#include "pair_lists.hpp"

namespace scree::inline SCREE_BACKEND::pair_search_test {

class PairSearchTest : public BackendTest, public ::testing::WithParamInterface<Cloud> {};

TEST_P(PairSearchTest, ListsThePairsOfBruteForceEachOnce) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    for (const double verlet : {0.02, 0.3, 2.0}) {
      SCOPED_TRACE("seed " + std::to_string(seed) + ", Verlet distance " + std::to_string(verlet) + " r");
      Random random(seed);
      Scene scene = glass_scene();
      scene.verlet_distance = verlet * bead;
      scene.time_step = 1e-9;
      GetParam().place(scene, random);
      expect_lists_of_brute_force<float>(scene, 1);
      if (seed == 1) {
        expect_lists_of_brute_force<double>(scene, 1);
        expect_lists_of_brute_force<float>(scene, 2);
      }
      // Skins grow with the speed of a body, so each body has its own.
      scene.verlet_auto = true;
      for (Real3& v : scene.particles.velocity) {
        const Real3 d = random.direction();
        const double speed = random(0, 0.02) * bead / scene.time_step;
        v = {speed * d[0], speed * d[1], speed * d[2]};
      }
      expect_lists_of_brute_force<float>(scene, 1);
    }
  }
}

std::string name_of(const ::testing::TestParamInfo<Cloud>& tested) { return tested.param.name; }
INSTANTIATE_TEST_SUITE_P(Clouds, PairSearchTest, ::testing::ValuesIn(clouds), name_of);

using PairSearch = BackendTest;

TEST_F(PairSearch, ThousandsOfBodiesOfAllSizes) {
  for (const double smallest : {1.0, 0.2, 0.05}) {
    Random random(77);
    Scene scene = glass_scene();
    scene.time_step = 1e-9;
    place_in_box(scene, random, 3000, smallest * bead, bead);
    expect_lists_of_brute_force<float>(scene, 2);
  }
}

TEST_F(PairSearch, BodiesOnARegularLatticeAreFoundInEveryDirection) {
  // Equal coordinates place whole rows of bodies exactly on the edges of columns.
  Scene scene = glass_scene();
  scene.time_step = 1e-9;
  for (int k = 0; k < 9; ++k) {
    for (int j = 0; j < 9; ++j) {
      for (int i = 0; i < 9; ++i) { add_body(scene, {2 * bead * i, 2 * bead * j, 2 * bead * k}); }
    }
  }
  for (const double verlet : {0.1, 0.2, 1.0}) {
    scene.verlet_distance = verlet * bead;
    expect_lists_of_brute_force<double>(scene, 1);
  }
}

TEST_F(PairSearch, NoBodiesAreNoPairs) {
  const Scene scene = glass_scene();
  System<float> system(scene, 1);
  EXPECT_EQ(system.advance(5, nullptr), 5u);
  EXPECT_EQ(counts_of(system.run()).candidates, 0u);
  EXPECT_EQ(counts_of(system.run()).particles, 0u);
}

TEST_F(PairSearch, TheListsStayThoseOfBruteForceAsBodiesMove) {
  Random random(5);
  Scene scene = glass_scene();
  scene.verlet_distance = 1e-6 * bead;  // so small that each step begins with a search
  add_lattice(scene, {5, 5, 5}, {0, 0, 0}, 2.3 * bead, {0.3 * bead, bead}, 3.0, random);
  System<float> system(scene, 1);
  Scene now = scene;
  for (int step = 0; step < 300; ++step) {
    const Snapshot state = snapshot_of(system.run(), {});
    now.particles.position = state.position;
    system.advance(1, nullptr);
    ASSERT_TRUE(listed_pairs(system) == brute_force<float>(now, skins_by_id(system))) << "step " << step;
    expect_ordered_incidence(system);
  }
  EXPECT_GE(counts_of(system.run()).searches, 290u);
}

}  // namespace scree::inline SCREE_BACKEND::pair_search_test
