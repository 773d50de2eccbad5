#include "clouds.hpp"
#include "pair_lists.hpp"

namespace scree::inline SCREE_BACKEND::pair_search_extremes_test {

/// Pairs of bodies along a line. The distance between two pairs is hundreds of thousands of radii.
std::function<void(Scene&, Random&)> stretched_line(const Real3& along) {
  return [along](Scene& scene, Random& random) {
    for (int i = 0; i < 150; ++i) {
      const double at = 4e5 * bead * (i + random(0, 0.5));
      const Real3 x{at * along[0], at * along[1], at * along[2]}, d = random.direction();
      const double apart = 2 * bead * random(0.9, 1.3);
      add_body(scene, x);
      add_body(scene, {x[0] + apart * d[0], x[1] + apart * d[1], x[2] + apart * d[2]});
    }
  };
}

/// Adds bodies that are far from all others; one of them has a neighbour.
void add_escaped(Scene& scene, Random& random, int n) {
  for (int i = 0; i < n; ++i) {
    const Real3 d = random.direction();
    const double far = bead * std::pow(10.0, random(4, 8));
    add_body(scene, {far * d[0], far * d[1], far * d[2]});
    if (i > 0) { continue; }
    const Real3 e = random.direction();
    add_body(scene, {far * d[0] + 1.9 * bead * e[0], far * d[1] + 1.9 * bead * e[1], far * d[2] + 1.9 * bead * e[2]});
  }
}

/// Adds a dense crowd that fills a box.
void add_crowd(Scene& scene, Random& random, int n, const Real3& shape) {
  const double volume = shape[0] * shape[1] * shape[2], scale = bead * std::cbrt(4.5 * n / volume);
  const Real3 far{scale * shape[0], scale * shape[1], scale * shape[2]};
  for (int i = 0; i < n; ++i) {
    const double radius = random(0.7, 1) * bead;
    add_body(scene, random.point({0, 0, 0}, far), radius);
  }
}

const std::vector<Cloud> extremes{
    {"ratio_50", [](Scene& s, Random& random) { place_all_sizes(s, random, 700, 0.02 * bead, 50); }, 0.1 * bead},
    {"ratio_100", [](Scene& s, Random& random) { place_all_sizes(s, random, 900, 0.01 * bead, 100); }, 0.1 * bead},
    {"giant_of_50", [](Scene& s, Random& random) { place_giant(s, random, 3000, 0.02 * bead, 50); }, 0.02 * bead},
    {"giant_of_12", [](Scene& s, Random& random) { place_giant(s, random, 1000, 0.1 * bead, 12); }, 0.1 * bead},
    {"specks_among_beads",
     [](Scene& s, Random& random) {
       place_in_box(s, random, 400, 0.5 * bead, bead);
       const std::vector<Real3> beads = s.particles.position;
       for (const Real3& x : beads) {  // places at the surface of each bead
         const Real3 d = random.direction();
         add_body(s, {x[0] + bead * d[0], x[1] + bead * d[1], x[2] + bead * d[2]}, 1e-12);
       }
     }},
    {"specks_and_short_skins",
     [](Scene& s, Random& random) {
       for (int i = 0; i < 300; ++i) {
         const Real3 x = random.point({0, 0, 0}, {bead, bead, bead}), d = random.direction();
         const double apart = random(1e-12, 6e-12);
         add_body(s, x, 1e-12);
         add_body(s, {x[0] + apart * d[0], x[1] + apart * d[1], x[2] + apart * d[2]}, 1e-12);
       }
       add_body(s, {0, 0, 0}, 0.5 * bead);
     },
     1e-12},
    {"line_along_x", stretched_line({1, 0, 0})},
    {"line_along_y", stretched_line({0, 1, 0})},
    {"line_along_z", stretched_line({0, 0, 1})},
    {"line_askew", stretched_line({0.48, -0.6, 0.64})},
    {"a_million_kilometres_away",
     [](Scene& s, Random& random) {
       place_in_box(s, random, 500, 0.5 * bead, bead, {1e9, -1e9, 1e9});
     }},
    {"crowd_and_one_escaped",
     [](Scene& s, Random& random) {
       add_crowd(s, random, 1500, {1, 1, 1});
       add_escaped(s, random, 1);
     }},
    {"crowd_and_ten_escaped",
     [](Scene& s, Random& random) {
       add_crowd(s, random, 1500, {3, 1, 2});
       add_escaped(s, random, 10);
     }},
    {"more_escaped_than_a_crowd",
     [](Scene& s, Random& random) {
       add_crowd(s, random, 100, {1, 1, 1});
       add_escaped(s, random, 60);
     }},
    {"two_crowds_far_apart",
     [](Scene& s, Random& random) {
       const Real3 d = random.direction();
       add_crowd(s, random, 400, {1, 1, 1});
       for (std::size_t i = 0; i < 200; ++i) {
         for (std::size_t k = 0; k < 3; ++k) { s.particles.position[i][k] += 1e5 * bead * d[k]; }
       }
     }},
};

class PairSearchExtremes : public BackendTest, public ::testing::WithParamInterface<Cloud> {};

TEST_P(PairSearchExtremes, ListsThePairsOfBruteForceEachOnce) {
  for (const double verlet : {0.02, 0.3, 2.0}) {
    SCOPED_TRACE("Verlet distance " + std::to_string(verlet));
    Random random(41);
    Scene scene = glass_scene();
    scene.verlet_distance = verlet * GetParam().unit;
    scene.time_step = 1e-9;
    GetParam().place(scene, random);
    expect_lists_of_brute_force<float>(scene, 1);
    if (verlet == 0.3) {
      expect_lists_of_brute_force<double>(scene, 1);
      expect_lists_of_brute_force<float>(scene, 2);
    }
    scene.verlet_auto = true;
    add_speeds(scene, random);
    expect_lists_of_brute_force<float>(scene, 1);
  }
}

std::string name_of(const ::testing::TestParamInfo<Cloud>& tested) { return tested.param.name; }
INSTANTIATE_TEST_SUITE_P(Clouds, PairSearchExtremes, ::testing::ValuesIn(extremes), name_of);

using PairSearchCosts = BackendTest;

TEST_F(PairSearchCosts, SpeedsGiveSkinsOfUpToFourRadii) {
  // The tests of skins by speed rely on this.
  Random random(42);
  Scene scene = glass_scene();
  scene.time_step = 1e-9;
  scene.verlet_auto = true;
  scene.verlet_distance = 0.02 * bead;
  add_crowd(scene, random, 1000, {1, 1, 1});
  add_speeds(scene, random);
  System<float> system(scene, 1);
  static_cast<void>(system.search_neighbours());
  const std::vector<float> skins = skins_by_id(system);
  double longest = 0, mean = 0;
  for (std::size_t i = 0; i < skins.size(); ++i) {
    const double skin = double(skins[i]) / scene.particles.radius[i];
    longest = std::max(longest, skin);
    mean += skin / double(skins.size());
  }
  EXPECT_NEAR(longest, 4, 1e-5);
  EXPECT_LT(mean, 1);
  EXPECT_GT(mean, 0.05);
}

TEST_F(PairSearchCosts, EscapedBodiesDoNotSpoilTheGridOfACrowd) {
  const auto tests_per_body = [](const Real3& shape, int escaped, std::uint64_t seed) {
    Random random(43);
    Scene scene = glass_scene();
    scene.time_step = 1e-9;
    add_crowd(scene, random, 3000, shape);
    Random far(seed);
    add_escaped(scene, far, escaped);
    System<float> system(scene, 1);
    const SearchReport report = system.search_neighbours();
    EXPECT_EQ(report.particles, scene.particles.size());
    EXPECT_TRUE(listed_pairs(system) == brute_force<float>(scene, skins_by_id(system))) << escaped << " escaped";
    return double(report.tests) / double(report.particles);
  };
  for (const Real3& shape : {Real3{1, 1, 1}, Real3{1, 20, 20}, Real3{20, 1, 1}, Real3{1, 20, 1}}) {
    const double alone = tests_per_body(shape, 0, 1);
    for (const int escaped : {1, 3, 10}) {
      EXPECT_LT(tests_per_body(shape, escaped, 100 + std::uint64_t(escaped)), 1.5 * alone)
          << escaped << " escaped from a box of " << shape[0] << " x " << shape[1] << " x " << shape[2];
    }
  }
}

}  // namespace scree::inline SCREE_BACKEND::pair_search_extremes_test
