#include "clouds.hpp"
#include "pair_lists.hpp"

namespace scree::inline SCREE_BACKEND::pair_rows_test {

using PairRows = BackendTest;

/// The number of pairs that the sweep found for each body: pairs in which the body comes first in memory.
template <class R>
std::vector<std::size_t> pairs_found(System<R>& system) {
  std::vector<std::size_t> found(system.run().count.bodies);
  for (const BodyPair pair : SystemProbe::pairs(system).bodies.to_vector()) {
    ++found[std::min(pair.first, pair.second)];
  }
  return found;
}

TEST_F(PairRows, EveryNumberOfBodiesInOnePlace) {
  // The host tests bodies in groups. Any number of bodies may remain for the last group; here all bodies are
  // neighbours.
  for (std::uint64_t n = 1; n <= 70; ++n) {
    SCOPED_TRACE(n);
    Random random(n);
    Scene scene = glass_scene();
    scene.time_step = 1e-9;
    for (std::uint64_t i = 0; i < n; ++i) {
      const double radius = random(0.9, 1) * bead;
      add_body(scene, random.point({0, 0, 0}, {bead, 0.5 * bead, 0.5 * bead}), radius);
    }
    expect_lists_of_brute_force<float>(scene, 1);
    System<float> system(scene, 1);
    EXPECT_EQ(system.search_neighbours().pairs, n * (n - 1) / 2);
  }
}

TEST_F(PairRows, MorePairsThanABodyKeepsFromCountingToListing) {
  // A body with more pairs than the sweep keeps is swept a second time; a body with exactly as many is not.
  Scene scene = glass_scene();
  scene.time_step = 1e-9;
  Random random(51);
  for (int i = 0; i < 700; ++i) {
    const double radius = random(0.5, 1) * bead;
    add_body(scene, random.point({0, 0, 0}, {12 * bead, 12 * bead, 12 * bead}), radius);
  }
  std::set<std::size_t> lengths;
  for (const double verlet : {0.05, 0.5, 1.0, 3.0}) {
    scene.verlet_distance = verlet * bead;
    scene.verlet_auto = false;
    expect_lists_of_brute_force<float>(scene, 1);
    expect_lists_of_brute_force<double>(scene, 2);
    System<float> system(scene, 1);
    static_cast<void>(system.search_neighbours());
    for (const std::size_t length : pairs_found(system)) { lengths.insert(length); }
    scene.verlet_auto = true;
    add_speeds(scene, random);
    expect_lists_of_brute_force<float>(scene, 1);
  }
  for (const std::size_t length : {0u, 1u, 11u, 12u, 13u, 14u, 24u, 25u, 40u}) {
    EXPECT_EQ(lengths.count(length), 1u) << "no body found " << length << " pairs: nothing is tested";
  }
}

TEST_F(PairRows, HundredsOfNeighboursOfOneBodyStandInOrder) {
  // Rows are sorted in one of four ways, depending on their length and on the size of the body.
  for (const double ratio : {3.0, 6.0, 12.0, 15.0, 17.0, 30.0}) {
    SCOPED_TRACE("ratio " + std::to_string(ratio));
    Random random(52);
    Scene scene = glass_scene();
    scene.time_step = 1e-9;
    const double small = bead / ratio;
    place_giant(scene, random, 2500, small, ratio);
    scene.verlet_distance = 0.3 * small;
    expect_lists_of_brute_force<float>(scene, 1);
    expect_lists_of_brute_force<double>(scene, 2);

    System<float> system(scene, 1);
    static_cast<void>(system.search_neighbours());
    const auto start = SystemProbe::pairs(system).incident_start.to_vector();
    const auto radius = SystemProbe::bodies(system).radius().to_vector();
    std::size_t of_giant = 0;
    for (std::size_t body = 0; body < radius.size(); ++body) {
      if (double(radius[body]) > 0.99 * bead) {
        of_giant = std::max<std::size_t>(of_giant, start[body + 1] - start[body]);
      }
    }
    EXPECT_GT(of_giant, 1000u);
  }
}

TEST_F(PairRows, ManyLargeBodiesShareOneSort) {
  // Large bodies that are neighbours, with small bodies between them.
  Random random(53);
  Scene scene = glass_scene();
  scene.time_step = 1e-9;
  const double small = 0.05 * bead;
  for (int i = 0; i < 8; ++i) {
    const int x = i % 2, y = i / 2 % 2, z = i / 4;
    add_body(scene, {2 * bead * x, 2 * bead * y, 2 * bead * z}, bead * random(0.85, 1.05));
  }
  for (int i = 0; i < 2500; ++i) {
    const Real3& centre = scene.particles.position[random.whole(8)];
    const Real3 d = random.direction();
    const double far = (bead + small) * random(0.99, 1.1);
    add_body(scene, {centre[0] + far * d[0], centre[1] + far * d[1], centre[2] + far * d[2]}, small);
  }
  for (const double verlet : {0.02, 1.0, 10.0}) {
    scene.verlet_distance = verlet * small;
    expect_lists_of_brute_force<float>(scene, 1);
    expect_lists_of_brute_force<double>(scene, 2);
  }
}

}  // namespace scree::inline SCREE_BACKEND::pair_rows_test
