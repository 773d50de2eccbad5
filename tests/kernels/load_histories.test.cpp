#include <algorithm>

#include "../engine/busy_scene.hpp"
#include "segment_pages.hpp"
#include "support.hpp"

/// Load histories of a run in their pool: every page belongs to one contact or is free, whatever happens to contacts,
/// and the place of a page changes no bit.
namespace scree::inline SCREE_BACKEND::load_histories_test {

using LoadHistories = BackendTest;

ParticleSet late_bodies(int wave) {
  ParticleSet set;
  for (const double x : {-3.0, 3.0}) {
    set.position.push_back({x * bead, (0.5 + 3 * wave) * bead, 30 * bead});
    set.velocity.push_back({0, 0, -2});
    set.angular_velocity.push_back({100, 0, 0});
    set.radius.push_back(bead);
    set.material.push_back(0);
  }
  return set;
}

// A run with inserted bodies, two outlets, contacts that part, facets that hand contacts over, and frequent searches.
template <class R>
void expect_nothing_leaks(Precision precision) {
  Scene scene = busy_scene(precision, LawKind::jaeger, 0.1);
  System<R> system(scene, 1);
  Use most;
  for (int look = 0; look < 60; ++look) {
    system.advance(look < 5 ? 1 : 17, nullptr);
    if (look == 20 || look == 30) { system.insert(late_bodies(look == 30 ? 1 : 0)); }
    const Use now = expect_every_page_accounted_for(system, "look " + std::to_string(look));
    EXPECT_EQ(counts_of(system.run()).history_bytes, now.pages * sizeof(SegmentPage<R>));
    most = {std::max(most.pages, now.pages), std::max(most.of_boundaries, now.of_boundaries),
            std::max(most.longest, now.longest)};
  }
  const EngineCounts counts = counts_of(system.run());
  EXPECT_GT(most.pages, 100u);
  EXPECT_GT(most.of_boundaries, 50u);
  EXPECT_GT(most.longest, 40u);
  EXPECT_GT(counts.removed[0], 0u);
  EXPECT_GT(counts.removed[1], 0u);
  EXPECT_GT(counts.searches, 20u);
  EXPECT_EQ(counts.inserted, 4u);
  EXPECT_GE(counts.most_history_bytes, counts.history_bytes);
  EXPECT_GT(counts.contacts_in_part_slipping, 0u);
  EXPECT_LE(counts.contacts_in_part_slipping + counts.contacts_sliding, counts.contacts + counts.boundary_contacts);
  std::printf("at most %llu pages, %llu of boundaries, %u segments in one\n", (unsigned long long)most.pages,
              (unsigned long long)most.of_boundaries, most.longest);
}

TEST_F(LoadHistories, EveryPageIsOfAContactThatTouches) {
  expect_nothing_leaks<float>(Precision::mixed);
  expect_nothing_leaks<double>(Precision::double_);
}

// A layer is carried through an outlet. A search happens between the step in which a body leaves and the next step,
// which clears its contacts. The pages of its contacts must be given back at once.
TEST_F(LoadHistories, BodiesThatLeaveGiveTheirPagesBack) {
  Scene scene = glass_scene(Precision::mixed, LawKind::jaeger);
  scene.gravity = {0, 0, -300};
  Random random(7);
  add_lattice(scene, {8, 4, 2}, {0, 0, 0}, 1.995 * bead, {0.99 * bead, bead}, 0, random);
  for (Real3& velocity : scene.particles.velocity) { velocity = {3, random(-0.05, 0.05), 0}; }
  SceneBoundary& floor = add_plane(scene, {0, 0, 0}, {0, 0, 1});
  floor.motion = {{Translation{{3, 0, 0}}}};
  add_outlet(scene, "right", {17 * bead, 0, 0}, {1, 0, 0});
  System<float> system(scene, 1);
  system.advance(100, nullptr);
  std::uint64_t left = 0, with_pages = 0, on_boundaries = 0;
  for (int k = 0; k < 1400; ++k) {
    const Use before = expect_every_page_accounted_for(system, "before step " + std::to_string(k));
    system.advance(1, nullptr);
    if (k % 4 == 3) { continue; }
    static_cast<void>(system.search_neighbours());
    const Use after = expect_every_page_accounted_for(system, "step " + std::to_string(k));
    const std::uint64_t removed = counts_of(system.run()).removed[0];
    if (removed > left && after.pages + 2 < before.pages) { ++with_pages; }
    if (removed > left && after.of_boundaries < before.of_boundaries) { ++on_boundaries; }
    left = removed;
  }
  std::printf("%d left, %d times with pages, %d with those of boundaries\n", int(left), int(with_pages),
              int(on_boundaries));
  EXPECT_GT(left, 30u);
  EXPECT_GT(with_pages, 10u);
  EXPECT_GT(on_boundaries, 5u);
}

/// n^3 spheres that fly together and apart again.
Scene packet(int n, Precision precision) {
  Scene scene = glass_scene(precision, LawKind::jaeger);
  scene.verlet_distance = 0.02 * bead;
  Random random(41);
  add_lattice(scene, {n, n, n}, {-n * bead, -n * bead, -n * bead}, 2.02 * bead, {0.9 * bead, bead}, 0.5, random);
  for (std::size_t i = 0; i < scene.particles.size(); ++i) {
    for (std::size_t k = 0; k < 3; ++k) { scene.particles.velocity[i][k] -= 150 * scene.particles.position[i][k]; }
  }
  return scene;
}

// All bodies leave through outlets. At the end no page is in use.
TEST_F(LoadHistories, NothingIsLeftWhenAllHaveParted) {
  Scene scene = packet(6, Precision::mixed);
  for (int k = 0; k < 3; ++k) {
    for (const double side : {-1.0, 1.0}) {
      Real3 normal{};
      normal[std::size_t(k)] = side;
      add_outlet(scene, "side", {8 * bead * normal[0], 8 * bead * normal[1], 8 * bead * normal[2]}, normal);
    }
  }
  System<float> system(scene, 1);
  std::uint64_t most = 0;
  for (int look = 0; look < 400 && (look < 100 || counts_of(system.run()).contacts > 0); ++look) {
    system.advance(25, nullptr);
    most = std::max(most, expect_every_page_accounted_for(system, "look " + std::to_string(look)).pages);
  }
  EXPECT_GT(most, 30u);
  EXPECT_EQ(counts_of(system.run()).contacts, 0u);
  EXPECT_EQ(counts_of(system.run()).segments, 0u);
  system.advance(1, nullptr);  // contacts of bodies that left in the last step are cleared in the next
  EXPECT_EQ(SystemProbe::stacks(system).pages_in_use(), 0u);
}

// A pool that is large from the start, one that grows, and one whose pages were given out in another order all give the
// same bits.
template <class R>
void expect_same_bits_of_any_pool(Precision precision) {
  const Scene scene = packet(11, precision);
  System<R> grows(scene, 1), roomy(scene, 1), restored(scene, 1);
  SystemProbe::stacks(roomy).reserve(SystemProbe::exec(roomy), 200000);
  grows.advance(1, nullptr);
  const std::uint64_t pages = SystemProbe::stacks(grows).pages();
  grows.advance(199, nullptr);
  restored.advance(120, nullptr);  // restore() must overwrite all of this
  restored.restore(grows.save());
  expect_every_page_accounted_for(restored, "restored");
  grows.advance(150, nullptr);
  roomy.advance(350, nullptr);
  for (int k = 0; k < 75; ++k) { restored.advance(2, nullptr); }
  EXPECT_GT(SystemProbe::stacks(grows).pages(), pages) << "it did not grow";
  EXPECT_GE(SystemProbe::stacks(roomy).pages(), 200000u);
  EXPECT_TRUE(hash_of(roomy.run()) == hash_of(grows.run()));
  EXPECT_TRUE(hash_of(restored.run()) == hash_of(grows.run()));
  EXPECT_TRUE(roomy.save() == grows.save());
  EXPECT_TRUE(restored.save() == grows.save());
  EXPECT_GT(counts_of(grows.run()).longest_history, 2 * rows_per_page);
  expect_every_page_accounted_for(grows, "grown");
  expect_every_page_accounted_for(restored, "restored, later");
}

TEST_F(LoadHistories, WherePagesAreChangesNoBit) {
  expect_same_bits_of_any_pool<float>(Precision::mixed);
  expect_same_bits_of_any_pool<double>(Precision::double_);
}

TEST_F(LoadHistories, TheHashSeesEachOfTheirNumbers) {
  for (const Precision precision : {Precision::mixed, Precision::double_}) {
    const Scene scene = busy_scene(precision, LawKind::jaeger, 0.2);
    const auto engine = make_backend_engine(scene), other = make_backend_engine(scene);
    engine->advance(150);
    const EngineState state = engine->save();
    for (const char* group : {"pair_segments", "boundary_segments"}) {
      for (const char* name : {"/end", "/slope_1", "/slope_2"}) {
        EngineState changed = state;
        for (StateArray& array : changed.arrays) {
          if (array.name != std::string(group) + name) { continue; }
          ASSERT_GT(array.rows(), 20u) << array.name;
          array.bytes[array.rows() / 2 * array.row_bytes()] ^= std::byte{1};
        }
        EXPECT_FALSE(changed == state);
        other->restore(changed);
        EXPECT_FALSE(other->hash() == engine->hash()) << group << name;
      }
    }
    other->restore(state);
    EXPECT_TRUE(other->hash() == engine->hash());
  }
}

// With a ledger, each step walks the whole history. Without one, it works on the upper end of the history as long as
// this is enough. Both give the same bits, with any option.
TEST_F(LoadHistories, WholeOrByTheirEndsTheyHaveTheSameBits) {
  for (const Precision precision : {Precision::mixed, Precision::double_}) {
    std::vector<StateHash> seen;
    for (const LoadHistorySettings& settings :
         {LoadHistorySettings{}, LoadHistorySettings{.merging = 0.3}, LoadHistorySettings{.most_segments = 4},
          LoadHistorySettings{.exact_sliding = true}, LoadHistorySettings{0.1, 12, true}}) {
      Scene scene = busy_scene(precision, LawKind::jaeger, 0.2);
      scene.pairs[0].jaeger = settings;
      const auto by_ends = make_backend_engine(scene);
      scene.energies = true;
      const auto whole = make_backend_engine(scene);
      by_ends->advance(300);
      whole->advance(300);
      EXPECT_TRUE(by_ends->hash() == whole->hash());
      EXPECT_TRUE(std::find(seen.begin(), seen.end(), by_ends->hash()) == seen.end()) << "the option changes nothing";
      seen.push_back(by_ends->hash());
      if (settings.most_segments) { EXPECT_EQ(by_ends->counts().longest_history, *settings.most_segments); }
    }
  }
}

// Two materials and three laws. No law touches the history of another law, with a ledger and without.
TEST_F(LoadHistories, BesideOtherLaws) {
  for (const Precision precision : {Precision::mixed, Precision::double_}) {
    const auto run = [&](double verlet, bool energies, std::uint64_t restored_at) {
      Scene scene = busy_scene(precision, LawKind::hertz_mindlin, verlet);
      scene.materials.assign(2, scene.materials[0]);
      scene.pairs.assign(4, scene.pairs[0]);
      scene.pairs[0].law = LawKind::jaeger;
      scene.pairs[3].law = LawKind::mindlin_reversal;
      scene.energies = energies;
      for (std::size_t i = 0; i < scene.particles.size(); ++i) { scene.particles.material[i] = i % 3 == 0 ? 1 : 0; }
      auto engine = make_backend_engine(scene);
      engine->advance(restored_at);
      if (restored_at > 0) {
        const EngineState state = engine->save();
        engine = make_backend_engine(scene);
        engine->restore(state);
      }
      engine->advance(400 - restored_at);
      return engine;
    };
    const auto plain = run(0.2, false, 0);
    EXPECT_GT(plain->counts().longest_history, 2 * rows_per_page);
    EXPECT_GT(plain->counts().segments, 200u);
    EXPECT_TRUE(run(0.05, false, 0)->hash() == plain->hash());
    EXPECT_TRUE(run(0.3, true, 0)->hash() == plain->hash());
    EXPECT_TRUE(run(0.2, false, 150)->hash() == plain->hash());
    EXPECT_TRUE(run(0.1, true, 230)->hash() == plain->hash());
  }
}

/// A sphere that is too large for its tube touches both of its sides. Shaken along the tube, it crosses the axis to and
/// fro.
Scene squeezed(bool tube) {
  Scene scene = glass_scene(Precision::double_, LawKind::jaeger);
  scene.pairs[0].damping_ratio = 0;
  scene.gravity = {0, 0, -2000};
  add_body(scene, {0.004 * bead, 0, 0}, bead, {0.05, 0, 1});
  const double inner = 0.97 * bead;
  if (tube) {
    add_cylinder(scene, {0, 0, -200 * bead}, {0, 0, 200 * bead}, inner);
  } else {
    add_plane(scene, {inner, 0, 0}, {-1, 0, 0});
    add_plane(scene, {-inner, 0, 0}, {1, 0, 0});
  }
  return scene;
}

TEST_F(LoadHistories, GoWithTheSidesOfATube) {
  System<double> tube(squeezed(true), 1), planes(squeezed(false), 1);
  int crossings = 0;
  double last = 1;
  for (int k = 0; k < 2000; ++k) {
    tube.advance(1, nullptr);
    planes.advance(1, nullptr);
    const Snapshot a = snapshot_of(tube.run(), {true, true}), b = snapshot_of(planes.run(), {true, true});
    ASSERT_EQ(a.coordination[0], 2u) << k;
    for (std::size_t c = 0; c < 3; ++c) { ASSERT_NEAR(a.position[0][c], b.position[0][c], 1e-9 * bead) << k; }
    ASSERT_EQ(counts_of(tube.run()).segments, counts_of(planes.run()).segments) << k;
    crossings += a.position[0][0] * last < 0 ? 1 : 0;
    last = a.position[0][0];
    if (k % 100 == 0) { expect_every_page_accounted_for(tube, "step " + std::to_string(k)); }
  }
  EXPECT_GT(crossings, 5);
  std::printf("%d crossings, %d segments\n", crossings, int(counts_of(tube.run()).segments));
}

}  // namespace scree::inline SCREE_BACKEND::load_histories_test
