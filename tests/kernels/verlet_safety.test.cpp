#include <functional>
#include <optional>

#include "support.hpp"

namespace scree::inline SCREE_BACKEND::verlet_safety_test {

using VerletSafety = BackendTest;

/// A closed box that its floor and one wall shake by successive translations.
Scene shaken_box(Precision precision, double verlet) {
  Scene scene = glass_scene(precision);
  scene.gravity = {0, 0, -9.81};
  scene.verlet_distance = verlet * bead;
  Random random(21);
  const double spacing = 2.05 * bead;
  add_lattice(scene, {5, 5, 5}, {0, 0, 0}, spacing, {0.5 * bead, bead}, 1.0, random);
  add_box_walls(scene, {5 * spacing, 5 * spacing, 0});
  add_plane(scene, {0, 0, 5 * spacing}, {0, 0, -1});
  for (int i = 0; i < 8; ++i) {
    const double from = 2e-4 * i, sign = i % 2 == 0 ? 1 : -1;
    scene.boundaries[0].motion.push_back({Translation{{0, 0, 2 * sign}}, from, from + 2e-4});
    scene.boundaries[1].motion.push_back({Translation{{3 * sign, 1, 0}}, from, from + 1e-4});
  }
  return scene;
}

/// Runs a scene step by step. In each step the touching pairs must be the same as by brute force.
template <class R>
std::vector<StateHash> hashes_of_checked_steps(const Scene& scene, int steps) {
  System<R> system(scene, 1);
  std::vector<StateHash> hashes;
  for (int step = 0; step < steps; ++step) {
    const Snapshot before = snapshot_of(system.run(), {});
    system.advance(1, nullptr);
    const bool all_found = touching_pairs(system) == overlapping_pairs(before);
    EXPECT_TRUE(all_found) << "a contact was missed or invented in step " << step;
    if (!all_found) { break; }
    hashes.push_back(hash_of(system.run()));
  }
  return hashes;
}

template <class R>
void expect_same_steps(const std::function<Scene(double)>& scene_with_verlet, int steps) {
  // The reference rebuilds its lists in every step.
  const std::vector<StateHash> measure = hashes_of_checked_steps<R>(scene_with_verlet(1e-6), steps);
  ASSERT_EQ(measure.size(), std::size_t(steps));
  for (const double verlet : {0.02, 0.1, 0.5, 2.0}) {
    const std::vector<StateHash> hashes = hashes_of_checked_steps<R>(scene_with_verlet(verlet), steps);
    ASSERT_EQ(hashes.size(), measure.size());
    for (int step = 0; step < steps; ++step) {
      ASSERT_TRUE(hashes[std::size_t(step)] == measure[std::size_t(step)])
          << "step " << step << ", Verlet distance " << verlet << " r";
    }
  }
  for (const double least : {0.02, 0.5}) {
    Scene grown_by_speed = scene_with_verlet(least);
    grown_by_speed.verlet_auto = true;
    ASSERT_TRUE(hashes_of_checked_steps<R>(grown_by_speed, steps) == measure)
        << "skins by speed, from " << least << " r";
  }
}

TEST_F(VerletSafety, AShakenBoxMissesNoContact) {
  expect_same_steps<float>([](double verlet) { return shaken_box(Precision::mixed, verlet); }, 400);
  expect_same_steps<double>([](double verlet) { return shaken_box(Precision::double_, verlet); }, 150);
}

/// A bullet that moves 0.9 of its radius per step along an oblique line and grazes bodies on its way.
Scene bullet(double radius, double verlet, std::uint64_t seed) {
  Scene scene = glass_scene(Precision::double_);
  scene.materials[0].young_modulus = 10;  // so soft that the bullet flies nearly straight on
  scene.verlet_distance = verlet * bead;
  Random random(seed);
  const Real3 d = random.direction();
  const double step = 0.9 * radius, speed = step / scene.time_step;
  add_body(scene, {0, 0, 0}, radius, {speed * d[0], speed * d[1], speed * d[2]});
  for (int i = 1; i < 40; ++i) {
    const Real3 e = random.direction();
    const double along = e[0] * d[0] + e[1] * d[1] + e[2] * d[2];
    const Real3 side{e[0] - along * d[0], e[1] - along * d[1], e[2] - along * d[2]};
    const double length = std::sqrt(side[0] * side[0] + side[1] * side[1] + side[2] * side[2]);
    const double far = (radius + bead) * random(0.8, 1.05) / length, at = 4 * bead * i;
    add_body(scene, {at * d[0] + far * side[0], at * d[1] + far * side[1], at * d[2] + far * side[2]});
  }
  return scene;
}

TEST_F(VerletSafety, AFastBodyIsNeverMissed) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    for (const double radius : {1.0, 0.3}) {
      std::optional<StateHash> measure;
      const int steps = static_cast<int>(160 / (0.9 * radius));
      for (const double verlet : {1e-3, 0.1, 1.0, 6.0}) {
        SCOPED_TRACE("seed " + std::to_string(seed) + ", radius " + std::to_string(radius) + ", Verlet distance " +
                     std::to_string(verlet));
        const Scene scene = bullet(radius * bead, verlet, seed);
        const std::vector<StateHash> hashes = hashes_of_checked_steps<double>(scene, steps);
        ASSERT_EQ(hashes.size(), std::size_t(steps));
        if (!measure) { measure = hashes.back(); }
        EXPECT_TRUE(hashes.back() == *measure);
        System<double> in_one_go(scene, 1);
        in_one_go.advance(std::uint64_t(steps), nullptr);
        EXPECT_TRUE(hash_of(in_one_go.run()) == *measure);
        const Snapshot after = snapshot_of(in_one_go.run(), {});
        int hit = 0;
        for (const Real3& v : after.velocity) { hit += v[0] != 0 ? 1 : 0; }
        EXPECT_GT(hit, 12) << "the bullet met too few bodies to test anything";
      }
    }
  }
}

TEST_F(VerletSafety, BodiesHeadOnMeetInTime) {
  // Both bodies use up their whole shares of the Verlet distance. They start just beyond it.
  for (const double gap : {1.0001, 1.01, 1.2, 1.9}) {
    for (const double share : {0.0, 0.45, 0.5, 0.9}) {
      Scene scene = glass_scene(Precision::double_);
      const double closing = 2e-4 * bead / scene.time_step;
      add_body(scene, {0, 0, 0}, bead, {closing * share, 0, 0});
      add_body(scene, {(2 + 0.1 * gap) * bead, 0, 0}, bead, {-closing * (1 - share), 0, 0});
      scene.verlet_distance = 0.1 * bead;
      const int steps = static_cast<int>(500 * gap) + 20;
      ASSERT_EQ(hashes_of_checked_steps<double>(scene, steps).size(), std::size_t(steps))
          << "gap " << gap << ", share " << share;
    }
  }
}

/// A body and a boundary that approach each other. The body has the part `share` of the speed.
Scene closing_in(int kind, double gap, double share, double verlet) {
  Scene scene = glass_scene(Precision::double_);
  scene.verlet_distance = verlet * bead;
  const double closing = 2e-4 * bead / scene.time_step;
  add_body(scene, {0, 0, (1 + 0.1 * gap) * bead}, bead, {0, 0, -closing * share});
  const double speed = closing * (1 - share), arm = 50 * bead;
  const TriangleMesh facets = sheet({-3 * bead, -2 * bead, 0}, {6 * bead, 0, 0}, {0, 5 * bead, 0}, 2);
  const Motion rise{Translation{{0, 0, speed}}}, swing{Rotation{{0, -1, 0}, {-arm, 0, 0}, speed / arm}};
  switch (kind) {
    case 0: add_plane(scene, {0, 0, 0}, {0, 0, 1}).motion = {rise}; break;
    case 1: add_plane(scene, {0, 0, 0}, {0, 0, 1}).motion = {swing}; break;
    case 2: add_mesh(scene, facets).motion = {rise}; break;
    case 3: add_mesh(scene, facets).motion = {swing}; break;
    default: add_cylinder(scene, {-9 * bead, 0, -5 * bead}, {9 * bead, 0, -5 * bead}, 5 * bead).motion = {swing};
  }
  return scene;
}

TEST_F(VerletSafety, BodiesAndBoundariesMeetInTime) {
  for (int kind = 0; kind < 5; ++kind) {
    for (const double gap : {1.0001, 1.2, 1.9}) {
      for (const double share : {0.0, 0.45, 0.55, 1.0}) {
        SCOPED_TRACE("boundary " + std::to_string(kind) + ", gap " + std::to_string(gap) + ", share " +
                     std::to_string(share));
        const int steps = static_cast<int>(500 * gap) + 20;
        System<double> measure(closing_in(kind, gap, share, 1e-6), 1), system(closing_in(kind, gap, share, 0.1), 1);
        for (int step = 0; step < steps; ++step) {
          measure.advance(1, nullptr);
          system.advance(1, nullptr);
          ASSERT_TRUE(hash_of(system.run()) == hash_of(measure.run())) << "step " << step;
        }
        EXPECT_EQ(counts_of(measure.run()).boundary_contacts, 1u) << "they never met: nothing is tested";
      }
    }
  }
}

TEST_F(VerletSafety, ListsGrowFromNothingWithoutLoss) {
  // A thin cloud contracts: no pairs at first, hundreds later.
  const auto cloud = [](double verlet) {
    Scene scene = glass_scene();
    scene.verlet_distance = verlet * bead;
    Random random(31);
    add_lattice(scene, {6, 6, 6}, {-9 * bead, -9 * bead, -9 * bead}, 3 * bead, {0.9 * bead, bead}, 0, random);
    for (std::size_t i = 0; i < scene.particles.size(); ++i) {
      for (std::size_t k = 0; k < 3; ++k) { scene.particles.velocity[i][k] = -400 * scene.particles.position[i][k]; }
    }
    return scene;
  };
  System<float> system(cloud(0.05), 1);
  system.advance(1, nullptr);
  EXPECT_LT(counts_of(system.run()).candidates, 20u);
  system.advance(250, nullptr);
  EXPECT_GT(counts_of(system.run()).candidates, 300u);
  expect_same_steps<float>(cloud, 250);
}

TEST_F(VerletSafety, SlowBodiesCannotCreepOutOfTheirLists) {
  // The travel of a body since the last search is summed in float. Moves below its resolution are lost, so a search
  // must come before the lost moves make up more than the reserve, although the sum says that nothing moved.
  Scene scene = glass_scene();
  add_body(scene, {0, 0, 0}, bead, {1e-12, 0, 0});
  add_body(scene, {2.1 * bead, 0, 0});
  System<float> system(scene, 1);
  system.advance(50000, nullptr);
  EXPECT_GE(counts_of(system.run()).searches, 3u);
  EXPECT_LE(counts_of(system.run()).searches, 10u);
}

}  // namespace scree::inline SCREE_BACKEND::verlet_safety_test
