#include <algorithm>
#include <cmath>

#include "busy_scene.hpp"

/// Load histories of a run in their pool: every page belongs to one contact or is free, whatever happens to contacts, and where pages are changes no bit.
namespace scree::inline SCREE_BACKEND {
namespace {

using LoadHistories = KernelTest;

/// All of a pool, copied.
template <class R>
struct PoolImage {
  std::vector<SegmentPage<R>> pages;
  std::vector<std::uint32_t> free_pages;

  explicit PoolImage(StackStore<R>& store) {
    const SegmentPool<R> pool = store.view();
    for (const SegmentPage<R>* chunk : copy_of(pool.chunk)) {
      const std::size_t n = std::size_t(1) << SegmentPool<R>::chunk_bits, before = pages.size();
      pages.resize(before + n);
      copy_from_backend(pages.data() + before, chunk, n * sizeof(SegmentPage<R>));
    }
    const auto ring = copy_of(pool.ring);
    PoolCounters counters;
    copy_from_backend(&counters, pool.counters, sizeof(counters));
    for (std::uint64_t k = counters.taken; k < counters.given; ++k) { free_pages.push_back(ring[k & (ring.size() - 1)]); }
  }
};

struct Use {
  std::uint64_t pages = 0, of_boundaries = 0;
  std::uint32_t longest = 0;
};

/// Each page is in one stack or free; stacks are of contacts that touch; each segment ends above the one below it.
template <class R>
Use expect_every_page_accounted_for(System<R>& system, const std::string& where) {
  StackStore<R>& store = SystemProbe::stacks(system);
  const PoolImage<R> pool(store);
  EXPECT_EQ(pool.pages.size(), store.pages()) << where;
  std::vector<int> owners(pool.pages.size());
  for (const std::uint32_t page : pool.free_pages) { ++owners.at(page); }
  Use use;
  const auto add = [&](StackEnd<R> end, bool touching) {
    EXPECT_TRUE(touching || end.count == 0) << where;
    EXPECT_LE(end.held, std::min(end.count, segments_held)) << where;
    use.longest = std::max(use.longest, end.count);
    double above = 1e300;
    const auto next = [&](double at) {
      EXPECT_LT(std::abs(at), above) << where;
      above = std::abs(at);
    };
    std::uint32_t n = end.count;
    for (std::uint32_t k = end.held; k-- > 0; --n) { next(end.end[k]); }
    for (; n > 0; ++use.pages) {
      const SegmentPage<R>& page = pool.pages.at(end.page);
      ++owners.at(end.page);
      const std::uint32_t first = (n - 1) / segments_per_page * segments_per_page;
      for (; n > first; --n) { next(page.segment[n - 1 - first].signed_end); }
      end.page = page.below;
    }
    EXPECT_TRUE(end.count == 0 || above > 0) << where;
  };
  const auto touching = SystemProbe::pairs(system).touching.to_vector();
  const auto stack = SystemProbe::pairs(system).stack.to_vector();
  for (std::size_t slot = 0; slot < stack.size(); ++slot) { add(stack[slot], touching[slot] != 0); }
  use.of_boundaries = use.pages;
  const auto slots = SystemProbe::near_boundary(system).slot.to_vector();
  const auto of_slots = SystemProbe::near_boundary(system).stack.to_vector();
  for (std::size_t k = 0; k < of_slots.size(); ++k) { add(of_slots[k], slots[k].touching != 0); }
  use.of_boundaries = use.pages - use.of_boundaries;
  EXPECT_EQ(store.pages_in_use(), use.pages) << where;
  EXPECT_TRUE(std::all_of(owners.begin(), owners.end(), [](int n) { return n == 1; })) << where;
  return use;
}

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

// With bodies that come and go, two outlets, contacts that part, facets that hand contacts on, and lists made anew all the time.
template <class R>
void expect_nothing_leaks(Precision precision) {
  Scene scene = busy_scene(precision, LawKind::jaeger, 0.1);
  System<R> system(scene, 1);
  Use most;
  for (int look = 0; look < 60; ++look) {
    system.advance(look < 5 ? 1 : 17, nullptr);
    if (look == 20 || look == 30) { system.insert(late_bodies(look == 30 ? 1 : 0)); }
    const Use now = expect_every_page_accounted_for(system, "look " + std::to_string(look));
    most = {std::max(most.pages, now.pages), std::max(most.of_boundaries, now.of_boundaries), std::max(most.longest, now.longest)};
  }
  const EngineCounts counts = system.counts();
  EXPECT_GT(most.pages, 200u);
  EXPECT_GT(most.of_boundaries, 100u);
  EXPECT_GT(most.longest, 40u);
  EXPECT_GT(counts.removed[0], 0u);
  EXPECT_GT(counts.removed[1], 0u);
  EXPECT_GT(counts.rebuilds, 20u);
  EXPECT_EQ(counts.inserted, 4u);
  std::printf("at most %llu pages, %llu of boundaries, %u segments in one\n", (unsigned long long)most.pages, (unsigned long long)most.of_boundaries,
              most.longest);
}

TEST_F(LoadHistories, EveryPageIsOfAContactThatTouches) {
  expect_nothing_leaks<float>(Precision::mixed);
  expect_nothing_leaks<double>(Precision::double_);
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

// They leave through outlets: nothing is in use at the end.
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
  for (int look = 0; look < 400 && (look < 100 || system.counts().contacts > 0); ++look) {
    system.advance(25, nullptr);
    most = std::max(most, expect_every_page_accounted_for(system, "look " + std::to_string(look)).pages);
  }
  EXPECT_GT(most, 200u);
  EXPECT_EQ(system.counts().contacts, 0u);
  EXPECT_EQ(system.counts().segments, 0u);
  system.advance(1, nullptr);  // what left in the last step is cleared in the next
  EXPECT_EQ(SystemProbe::stacks(system).pages_in_use(), 0u);
}

// A pool that is large from the start, one that grows, and one whose pages were dealt out in another order give the same bits.
template <class R>
void expect_same_bits_of_any_pool(Precision precision) {
  const Scene scene = packet(11, precision);
  System<R> grows(scene, 1), roomy(scene, 1), restored(scene, 1);
  SystemProbe::stacks(roomy).reserve(SystemProbe::exec(roomy), 200000);
  grows.advance(1, nullptr);
  const std::uint64_t pages = SystemProbe::stacks(grows).pages();
  grows.advance(199, nullptr);
  restored.restore(grows.save());
  expect_every_page_accounted_for(restored, "restored");
  grows.advance(150, nullptr);
  roomy.advance(350, nullptr);
  for (int k = 0; k < 75; ++k) { restored.advance(2, nullptr); }
  EXPECT_GT(SystemProbe::stacks(grows).pages(), pages) << "it did not grow";
  EXPECT_GE(SystemProbe::stacks(roomy).pages(), 200000u);
  EXPECT_TRUE(roomy.hash() == grows.hash());
  EXPECT_TRUE(restored.hash() == grows.hash());
  EXPECT_TRUE(roomy.save() == grows.save());
  EXPECT_TRUE(restored.save() == grows.save());
  EXPECT_GT(grows.counts().longest_history, 2 * segments_per_page);
  expect_every_page_accounted_for(grows, "grown");
  expect_every_page_accounted_for(restored, "restored, later");
}

TEST_F(LoadHistories, WherePagesAreChangesNoBit) {
  expect_same_bits_of_any_pool<float>(Precision::mixed);
  expect_same_bits_of_any_pool<double>(Precision::double_);
}

/// A sphere too large for the tube that it is in touches both of its sides, and crosses the axis to and fro while it is shaken along it.
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
    const Snapshot a = tube.snapshot({true, true}), b = planes.snapshot({true, true});
    ASSERT_EQ(a.coordination[0], 2u) << k;
    for (std::size_t c = 0; c < 3; ++c) { ASSERT_NEAR(a.position[0][c], b.position[0][c], 1e-9 * bead) << k; }
    ASSERT_EQ(tube.counts().segments, planes.counts().segments) << k;
    crossings += a.position[0][0] * last < 0 ? 1 : 0;
    last = a.position[0][0];
    if (k % 100 == 0) { expect_every_page_accounted_for(tube, "step " + std::to_string(k)); }
  }
  EXPECT_GT(crossings, 5);
  std::printf("%d crossings, %d segments\n", crossings, int(tube.counts().segments));
}

}  // namespace
}  // namespace scree::inline SCREE_BACKEND
