#include <algorithm>
#include <functional>

#include "support.hpp"

namespace scree::inline SCREE_BACKEND {
namespace {

/// A way to place bodies that could trouble the search.
struct Cloud {
  const char* name;
  std::function<void(Scene&, Random&)> place;
};

void PrintTo(const Cloud& cloud, std::ostream* out) { *out << cloud.name; }

/// Bodies in a box whose volume leaves room for about a third of it to be solid.
void place_in_box(Scene& scene, Random& random, std::uint64_t n, double smallest, double largest,
                  const Real3& corner = {}) {
  double volume = 0;
  std::vector<double> radii;
  for (std::uint64_t i = 0; i < n; ++i) {
    // As many volumes of each size as a sieve would give: mostly small ones.
    const double u = random(0, 1), ratio = smallest / largest;
    radii.push_back(largest * ratio / std::cbrt(1 - u * (1 - ratio * ratio * ratio)));
    volume += radii.back() * radii.back() * radii.back();
  }
  const double side = std::cbrt(12 * volume);
  const Real3 far{corner[0] + side, corner[1] + side, corner[2] + side};
  for (const double radius : radii) { add_body(scene, random.point(corner, far), radius); }
}

void place_clusters(Scene& scene, Random& random) {
  for (int cluster = 0; cluster < 8; ++cluster) {
    const Real3 centre = random.point({-1, -1, -1}, {1, 1, 1});
    const double spread = random(2, 20) * bead;
    for (int i = 0; i < 80; ++i) {
      const Real3 d = random.direction();
      const double distance = spread * random(0, 1);
      add_body(scene, {centre[0] + distance * d[0], centre[1] + distance * d[1], centre[2] + distance * d[2]},
               random(0.7, 1) * bead);
    }
  }
}

/// All centres on a line along one axis, or on a plane across one.
std::function<void(Scene&, Random&)> flat_cloud(std::array<bool, 3> filled, double extent) {
  return [filled, extent](Scene& scene, Random& random) {
    for (int i = 0; i < 600; ++i) {
      Real3 x = random.point({0, 0, 0}, {extent, extent, extent});
      for (std::size_t k = 0; k < 3; ++k) {
        if (!filled[k]) { x[k] = 0.25; }
      }
      add_body(scene, x, random(0.5, 1) * bead);
    }
  };
}

const std::vector<Cloud> clouds{
    {"uniform", [](Scene& s, Random& random) { place_in_box(s, random, 400 + random.whole(300), bead, bead); }},
    {"ratio_5", [](Scene& s, Random& random) { place_in_box(s, random, 400 + random.whole(300), 0.2 * bead, bead); }},
    {"ratio_20", [](Scene& s, Random& random) { place_in_box(s, random, 400 + random.whole(600), 0.05 * bead, bead); }},
    {"clusters", place_clusters},
    {"line_x", flat_cloud({true, false, false}, 0.3)},
    {"line_y", flat_cloud({false, true, false}, 0.3)},
    {"line_z", flat_cloud({false, false, true}, 0.3)},
    {"plane_across_x", flat_cloud({false, true, true}, 0.03)},
    {"plane_across_y", flat_cloud({true, false, true}, 0.03)},
    {"plane_across_z", flat_cloud({true, true, false}, 0.03)},
    {"nearly_coincident",
     [](Scene& s, Random& random) {
       for (int i = 0; i < 200; ++i) {
         add_body(s, random.point({0, 0, 0}, {1e-6, 1e-6, 1e-6}), random(0.5, 1) * bead);
       }
     }},
    {"all_at_one_point",
     [](Scene& s, Random&) {
       for (int i = 0; i < 60; ++i) { add_body(s, {1, 2, 3}); }
     }},
    {"one_body",
     [](Scene& s, Random& random) {
       add_body(s, random.point({-1, -1, -1}, {1, 1, 1}));
     }},
    {"two_far_apart",
     [](Scene& s, Random& random) {
       const Real3 d = random.direction();
       add_body(s, {0, 0, 0});
       add_body(s, {1e6 * bead * d[0], 1e6 * bead * d[1], 1e6 * bead * d[2]});
     }},
    {"two_near_and_one_far",
     [](Scene& s, Random& random) {
       const Real3 d = random.direction();
       add_body(s, {0, 0, 0});
       add_body(s, {1e6 * bead * d[0], 1e6 * bead * d[1], 1e6 * bead * d[2]});
       add_body(s, {2.1 * bead * d[2], 2.1 * bead * d[0], 2.1 * bead * d[1]});
     }},
    {"one_large_among_small",
     [](Scene& s, Random& random) {
       place_in_box(s, random, 500, 0.1 * bead, 0.12 * bead);
       add_body(s, {0, 0, 0}, 5 * bead);
     }},
    {"far_from_the_origin",
     [](Scene& s, Random& random) {
       place_in_box(s, random, 500, 0.5 * bead, bead, {1e5, -2e5, 3e5});
     }},
    {"negative_coordinates",
     [](Scene& s, Random& random) {
       place_in_box(s, random, 500, 0.5 * bead, bead, {-10, -20, -30});
     }},
};

/// Pairs whose gap is at most the sum of their skins [by id], by comparing all with all in the arithmetic of the
/// engine.
template <class R>
std::vector<IdPair> brute_force(const Scene& scene, const std::vector<R>& skin) {
  std::vector<IdPair> pairs;
  const auto& p = scene.particles;
  for (std::uint32_t i = 0; i < p.size(); ++i) {
    for (std::uint32_t j = i + 1; j < p.size(); ++j) {
      const Vec3d branch{p.position[j][0] - p.position[i][0], p.position[j][1] - p.position[i][1],
                         p.position[j][2] - p.position[i][2]};
      const double reach = (double(static_cast<R>(p.radius[i])) + double(skin[i])) +
                           (double(static_cast<R>(p.radius[j])) + double(skin[j]));
      if (dot(branch, branch) <= reach * reach) { pairs.push_back({i, j}); }
    }
  }
  return pairs;
}

/// Makes the first lists of a scene. Clouds of overlapping bodies end in a fault, after their lists were made.
template <class R>
void make_lists(System<R>& system) {
  try {
    system.advance(1, nullptr);
  } catch (const KernelFault&) {}
}

template <class R>
std::vector<R> skins_by_id(System<R>& system) {
  const auto id = SystemProbe::bodies(system).id.to_vector();
  const auto skin = SystemProbe::bodies(system).skin.to_vector();
  std::vector<R> result(id.size());
  for (std::size_t i = 0; i < id.size(); ++i) { result[id[i]] = skin[i]; }
  return result;
}

template <class R>
std::vector<IdPair> listed_pairs(System<R>& system) {
  const auto id = SystemProbe::bodies(system).id.to_vector();
  std::vector<IdPair> listed;
  for (const BodyPair pair : SystemProbe::pairs(system).bodies.to_vector()) {
    listed.push_back({id[pair.first], id[pair.second]});
  }
  std::sort(listed.begin(), listed.end());
  return listed;
}

/// Every slot stands once with each of its bodies, in ascending order of the other body's id.
template <class R>
void expect_ordered_incidence(System<R>& system) {
  const auto id = SystemProbe::bodies(system).id.to_vector();
  const auto pairs = SystemProbe::pairs(system).bodies.to_vector();
  const auto start = SystemProbe::pairs(system).incident_start.to_vector();
  const auto incident = SystemProbe::pairs(system).incident.to_vector();
  ASSERT_EQ(start.size(), id.size() + 1);
  ASSERT_EQ(start.front(), 0u);
  ASSERT_EQ(start.back(), 2 * pairs.size());
  std::vector<int> as_first(pairs.size()), as_second(pairs.size());
  for (std::size_t body = 0; body < id.size(); ++body) {
    for (offset_t k = start[body]; k < start[body + 1]; ++k) {
      const std::size_t slot = incident[k] >> 1;
      const bool second = (incident[k] & 1u) != 0;
      ASSERT_EQ(second ? pairs[slot].second : pairs[slot].first, body);
      ++(second ? as_second : as_first)[slot];
      if (k == start[body]) { continue; }
      const auto other_id = [&](std::uint32_t entry) {
        return id[(entry & 1u) != 0 ? pairs[entry >> 1].first : pairs[entry >> 1].second];
      };
      ASSERT_LT(other_id(incident[k - 1]), other_id(incident[k]));
    }
  }
  EXPECT_TRUE(std::all_of(as_first.begin(), as_first.end(), [](int n) { return n == 1; }));
  EXPECT_TRUE(std::all_of(as_second.begin(), as_second.end(), [](int n) { return n == 1; }));
}

template <class R>
void expect_lists_of_brute_force(const Scene& scene, int threads) {
  System<R> system(scene, threads);
  make_lists(system);
  const std::vector<R> skins = skins_by_id(system);
  for (const R skin : skins) { ASSERT_GE(skin, static_cast<R>(0.5 * scene.verlet_distance)); }
  const std::vector<IdPair> expected = brute_force<R>(scene, skins);
  const std::vector<IdPair> listed = listed_pairs(system);
  EXPECT_EQ(listed.size(), expected.size());
  ASSERT_TRUE(listed == expected) << "the lists differ from comparing all with all";
  expect_ordered_incidence(system);
}

class PairSearchTest : public KernelTest, public ::testing::WithParamInterface<Cloud> {};

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
      // Skins that grow with the speed of a body: each has its own.
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

using PairSearch = KernelTest;

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
  // Rows of exactly equal coordinates put bodies on the edges of columns.
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
  EXPECT_EQ(system.counts().candidates, 0u);
  EXPECT_EQ(system.counts().particles, 0u);
}

TEST_F(PairSearch, TheListsStayThoseOfBruteForceAsBodiesMove) {
  Random random(5);
  Scene scene = glass_scene();
  scene.verlet_distance = 1e-6 * bead;  // a new list in every step
  add_lattice(scene, {5, 5, 5}, {0, 0, 0}, 2.3 * bead, {0.3 * bead, bead}, 3.0, random);
  System<float> system(scene, 1);
  Scene now = scene;
  for (int step = 0; step < 300; ++step) {
    const Snapshot state = system.snapshot({});
    now.particles.position = state.position;
    system.advance(1, nullptr);
    ASSERT_TRUE(listed_pairs(system) == brute_force<float>(now, skins_by_id(system))) << "step " << step;
    expect_ordered_incidence(system);
  }
  EXPECT_GE(system.counts().rebuilds, 290u);
}

}  // namespace
}  // namespace scree::inline SCREE_BACKEND
