#include <numeric>

#include "clouds.hpp"
#include "pair_lists.hpp"

namespace scree::inline SCREE_BACKEND::pair_search_random_test {

/// Whether a body would overlap another one too much for a contact.
bool is_buried(const ParticleSet& others, const Real3& x, double radius) {
  for (std::size_t i = 0; i < others.size(); ++i) {
    const Real3& y = others.position[i];
    const double dx = y[0] - x[0], dy = y[1] - x[1], dz = y[2] - x[2], smaller = std::min(radius, others.radius[i]);
    const double nearest = radius + others.radius[i] - 0.2 * smaller;
    if (dx * dx + dy * dy + dz * dz < nearest * nearest) { return true; }
  }
  return false;
}

/// Random radii between the smallest and `ratio` times the smallest; large ones are rarer if the distribution is steep.
std::vector<double> any_radii(Random& random, std::uint64_t n, double smallest, double ratio) {
  const double steepness = random(0.5, 3);
  std::vector<double> radii;
  for (std::uint64_t i = 0; i < n; ++i) {
    const double tail = 1 - random(0, 1) * (1 - std::pow(ratio, -steepness));
    radii.push_back(smallest * std::pow(tail, -1 / steepness));
  }
  std::sort(radii.rbegin(), radii.rend());
  return radii;
}

/// Sides of a random cube, needle or plate. The bodies fill a random share of it.
Real3 any_box(Random& random, const std::vector<double>& radii) {
  const std::uint64_t shape = random.whole(3), axis = random.whole(3);
  const double share = random(0.1, 0.5);
  double volume = 0;
  for (const double radius : radii) { volume += 4.2 * radius * radius * radius; }
  Real3 box{};
  for (double side = radii.front();; side *= 1.1) {
    double room = 1;
    for (std::size_t k = 0; k < 3; ++k) {
      const bool is_thin = shape != 0 && (k == axis) == (shape == 1);
      box[k] = is_thin ? 1e-3 * side : side;
      room *= box[k] + radii.front();
    }
    if (room * share > volume) { return box; }
  }
}

/// Gives the bodies two to four materials, of which some pairs reach farther than others.
void add_ranges(Scene& scene, Random& random) {
  const std::size_t n = 2 + random.whole(3);
  scene.materials.assign(n, scene.materials[0]);
  scene.pairs.assign(n * n, scene.pairs[0]);
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t b = a; b < n; ++b) {
      const double range = random.whole(2) == 0 ? 1 : random(1, 2);
      scene.pairs[a * n + b].range = scene.pairs[b * n + a].range = range;
      scene.interaction_range = std::max(scene.interaction_range, range);
    }
  }
  for (std::uint32_t& material : scene.particles.material) { material = static_cast<std::uint32_t>(random.whole(n)); }
}

/// A random scene: few or many bodies, of equal or different size, in a cube, a needle or a plate, slow or fast, with
/// random settings of the search; in half of the scenes the range of contacts depends on the materials.
Scene any_scene(std::uint64_t seed) {
  Random random(seed);
  Scene scene = glass_scene(random.whole(3) == 0 ? Precision::double_ : Precision::mixed);
  const double ratio = std::pow(100.0, random(0, 1)), smallest = bead / ratio;
  scene.time_step /= ratio;
  const std::vector<double> radii = any_radii(random, 50 + random.whole(351), smallest, ratio);
  const Real3 box = any_box(random, radii), corner = random.point({-1, -1, -1}, {1, 1, 1});
  const Real3 far{corner[0] + box[0], corner[1] + box[1], corner[2] + box[2]};
  const double fastest = std::pow(10.0, random(-4, -1.3)) * smallest / scene.time_step;
  for (const double radius : radii) {  // the largest first, so that small ones fit in between
    for (int attempt = 0; attempt < 30; ++attempt) {
      const Real3 x = random.point(corner, far), d = random.direction();
      if (is_buried(scene.particles, x, radius)) { continue; }
      const double speed = fastest * std::pow(random(0, 1), 4);
      add_body(scene, x, radius, {speed * d[0], speed * d[1], speed * d[2]});
      break;
    }
  }
  scene.verlet_distance = std::pow(10.0, random(-2.5, 0.3)) * smallest;
  scene.verlet_auto = random.whole(2) == 0;
  scene.target_interval = random.whole(2) == 0 ? 0 : std::pow(10.0, random(0, 3));
  if (random.whole(2) == 0) { add_ranges(scene, random); }
  return scene;
}

template <class R>
void expect_pairs_of_brute_force(const Scene& scene, int threads) {
  System<R> system(scene, threads);
  static_cast<void>(system.search_neighbours());
  EXPECT_TRUE(listed_pairs(system) == brute_force<R>(scene, skins_by_id(system)));
  expect_ordered_incidence(system);
  for (int step = 0; step < 20; ++step) {
    const Snapshot before = snapshot_of(system.run(), {});
    system.advance(1, nullptr);
    ASSERT_TRUE(touching_pairs(system) == overlapping_pairs(before)) << "step " << step;
  }
  Scene now = scene;
  now.particles.position = snapshot_of(system.run(), {}).position;
  static_cast<void>(system.search_neighbours());
  EXPECT_TRUE(listed_pairs(system) == brute_force<R>(now, skins_by_id(system))) << "after some steps";
  expect_ordered_incidence(system);
}

using PairSearchRandom = BackendTest;

TEST_F(PairSearchRandom, AnySceneHasTheListsAndContactsOfBruteForce) {
  std::size_t touching = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Scene scene = any_scene(seed);
    const int threads = seed % 8 == 0 ? 2 : 1;
    if (scene.precision == Precision::double_) {
      expect_pairs_of_brute_force<double>(scene, threads);
    } else {
      expect_pairs_of_brute_force<float>(scene, threads);
    }
    const auto engine = make_backend_engine(scene);
    engine->advance(20);
    touching += engine->counts().contacts;
  }
  EXPECT_GT(touching, 1500u) << "hardly any contacts: nothing is tested";
}

/// The pairs of a scene, with bodies called by `name` instead of their ids.
std::vector<IdPair> named_pairs(const Scene& scene, const std::vector<std::uint32_t>& name) {
  System<double> system(scene, 1);
  static_cast<void>(system.search_neighbours());
  std::vector<IdPair> pairs = listed_pairs(system);
  for (IdPair& pair : pairs) {
    pair = {name[pair.first], name[pair.second]};
    if (pair.second < pair.first) { std::swap(pair.first, pair.second); }
  }
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

/// Small and large bodies in a box and a few far outside. Coordinates are multiples of 2^-40 m, so that a shift by some
/// metres does not round them.
Scene scene_on_a_grid(std::uint64_t seed) {
  Random random(seed);
  Scene scene = glass_scene(Precision::double_);
  scene.verlet_distance = 0.2 * bead;
  place_all_sizes(scene, random, 600, 0.02 * bead, 50);
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t k = 0; k < 3; ++k) { scene.particles.position[50 * i][k] += random(-3, 3); }
  }
  for (Real3& x : scene.particles.position) {
    for (double& c : x) { c = std::ldexp(std::round(std::ldexp(c, 40)), -40); }
  }
  return scene;
}

TEST_F(PairSearchRandom, OrderAndPlaceOfBodiesChangeNoPair) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const Scene scene = scene_on_a_grid(seed);
    std::vector<std::uint32_t> name(scene.particles.size());
    std::iota(name.begin(), name.end(), 0u);
    const std::vector<IdPair> pairs = named_pairs(scene, name);
    EXPECT_GT(pairs.size(), 500u);

    for (const Real3& shift : {Real3{8, 0, 0}, Real3{0, -16, 0}, Real3{4, 4, -32}, Real3{1024, -512, 256}}) {
      Scene moved = scene;
      for (Real3& x : moved.particles.position) {
        for (std::size_t k = 0; k < 3; ++k) {
          const double before = x[k];
          x[k] += shift[k];
          ASSERT_EQ(x[k] - shift[k], before) << "the shift rounds";
        }
      }
      EXPECT_TRUE(named_pairs(moved, name) == pairs) << "moved by " << shift[0] << ", " << shift[1] << ", " << shift[2];
    }

    Scene turned = scene;
    for (Real3& x : turned.particles.position) { x = {x[1], x[2], x[0]}; }
    EXPECT_TRUE(named_pairs(turned, name) == pairs) << "axes changed round";
    for (Real3& x : turned.particles.position) { x = {-x[1], x[0], -x[2]}; }
    EXPECT_TRUE(named_pairs(turned, name) == pairs) << "axes changed round, and mirrored";

    Random random(seed);
    for (std::size_t i = name.size() - 1; i > 0; --i) { std::swap(name[i], name[random.whole(i + 1)]); }
    Scene renamed = scene;
    renamed.particles = {};
    for (const std::uint32_t i : name) { add_body(renamed, scene.particles.position[i], scene.particles.radius[i]); }
    EXPECT_TRUE(named_pairs(renamed, name) == pairs) << "in another order";
  }
}

TEST_F(PairSearchRandom, ARunElsewhereIsTheSameButForTheRoundingOfPositions) {
  // A shift by eight metres is exact at the start. Then positions of the shifted scene are rounded to 2^-50 m and those
  // of the other to 2^-57 m, so every step adds at most 2^-51 m per coordinate. A collision makes such a difference a
  // few times as large, and no body has more than a few collisions in 100 steps: a hundredfold growth is enough.
  Scene scene = glass_scene(Precision::double_);
  Random random(61);
  add_lattice(scene, {6, 6, 6}, {0, 0, 0}, 2.02 * bead, {0.9 * bead, bead}, 4.0, random);
  for (std::size_t i = 0; i < scene.particles.size(); i += 6) { scene.particles.radius[i] *= 0.5; }
  for (Real3& x : scene.particles.position) {
    for (double& c : x) { c = std::ldexp(std::round(std::ldexp(c, 40)), -40); }
  }
  Scene moved = scene;
  for (Real3& x : moved.particles.position) { x = {x[0] + 8, x[1] - 8, x[2] + 8}; }
  System<double> here(scene, 1), there(moved, 1);
  double farthest = 0;
  for (int part = 0; part < 4; ++part) {
    here.advance(25, nullptr);
    there.advance(25, nullptr);
    EXPECT_TRUE(touching_pairs(here) == touching_pairs(there));
    const Snapshot a = snapshot_of(here.run(), {}), b = snapshot_of(there.run(), {});
    for (std::size_t i = 0; i < a.position.size(); ++i) {
      const Real3 &x = a.position[i], &y = b.position[i];
      farthest = std::max({farthest, std::abs(y[0] - 8 - x[0]), std::abs(y[1] + 8 - x[1]), std::abs(y[2] - 8 - x[2])});
    }
  }
  EXPECT_GT(counts_of(here.run()).contacts, 50u) << "hardly any contacts: nothing is tested";
  EXPECT_GT(counts_of(here.run()).searches, 5u);
  EXPECT_LT(farthest, 100 * 100 * 0x1p-51);
}

}  // namespace scree::inline SCREE_BACKEND::pair_search_random_test
