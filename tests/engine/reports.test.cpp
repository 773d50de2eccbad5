#include <atomic>
#include <set>

#include "engine_kit.hpp"

namespace scree::inline SCREE_BACKEND::reports_test {

using Reports = BackendTest;

Scene settling_bodies(int n_side) {
  Scene scene = glass_scene();
  scene.gravity = {0, 0, -9.81};
  Random random(81);
  add_lattice(scene, {n_side, n_side, n_side}, {0, 0, 0}, 2.05 * bead, {0.9 * bead, bead}, 0.5, random);
  add_box_walls(scene, {n_side * 2.05 * bead, n_side * 2.05 * bead, 0});
  return scene;
}

std::uint64_t total_bytes(const std::vector<MemoryItem>& items) {
  std::uint64_t total = 0;
  for (const MemoryItem& item : items) { total += item.bytes; }
  return total;
}

TEST_F(Reports, MemoryIsListedByWhatItHolds) {
  const Scene scene = settling_bodies(10);
  const auto engine = make_backend_engine(scene);
  engine->advance(10);
  std::set<std::string> names;
  std::uint64_t bodies = 0;
  for (const MemoryItem& item : engine->memory()) {
    EXPECT_FALSE(item.name.empty());
    EXPECT_TRUE(names.insert(item.name).second) << item.name << " stands twice";
    if (item.name == "bodies") { bodies = item.bytes; }
  }
  // A position in double, three vectors and three scalars in float, an id and a material.
  EXPECT_GE(bodies, 1000u * (3 * 8 + 12 * 4 + 2 * 4));
  EXPECT_LT(bodies, 2 * 1000u * (3 * 8 + 12 * 4 + 2 * 4));
  EXPECT_GE(total_bytes(engine->memory()), bodies + engine->counts().candidates * 2 * 4);
}

// Memory that does not grow with the bodies: scratch of the radix sort, and on a GPU memory for the threads of kernels.
TEST_F(Reports, MemoryGrowsInProportionToTheBodies) {
  const auto bytes_of = [](int bodies_per_edge) {
    const auto engine = make_backend_engine(settling_bodies(bodies_per_edge));
    engine->advance(2);
    return double(total_bytes(engine->memory()));
  };
  const double few = bytes_of(8), more = bytes_of(12), many = bytes_of(16);
  const double first = (more - few) / (12 * 12 * 12 - 8 * 8 * 8),
               second = (many - more) / (16 * 16 * 16 - 12 * 12 * 12);
  EXPECT_GT(first, 100);  // [bytes per body]; the fields of a body alone take 80
  EXPECT_GT(second / first, 0.5);
  EXPECT_LT(second / first, 2);
}

TEST_F(Reports, CountsAgreeWithTheCoordinationNumbers) {
  Scene scene = settling_bodies(8);
  scene.gravity = {0, 0, -2000};
  const auto engine = make_backend_engine(scene);
  engine->advance(300);
  const EngineCounts counts = engine->counts();
  EXPECT_EQ(counts.particles, 512u);
  EXPECT_GT(counts.contacts, 50u);
  EXPECT_GT(counts.boundary_contacts, 20u);
  EXPECT_GE(counts.candidates, counts.contacts);
  EXPECT_GE(counts.searches, 1u);
  EXPECT_TRUE(counts.removed.empty());
  std::uint64_t touches = 0;
  for (const std::uint32_t n : engine->snapshot({false, true}).coordination) { touches += n; }
  EXPECT_EQ(touches, 2 * counts.contacts + counts.boundary_contacts);
}

TEST_F(Reports, ForcesOfBodiesAndBoundariesBalance) {
  // Forces between bodies cancel in the sum over all bodies. The rest is opposite to the loads on the boundaries.
  Scene scene = settling_bodies(6);
  scene.precision = Precision::double_;
  scene.gravity = {0, 0, -2000};
  const auto engine = make_backend_engine(scene);
  engine->advance(300);
  Real3 bodies{}, boundaries{};
  double scale = 0;
  for (const Real3& f : engine->snapshot({true, false}).force) {
    for (std::size_t k = 0; k < 3; ++k) {
      bodies[k] += f[k];
      scale += std::abs(f[k]);
    }
  }
  for (const BoundaryLoad& load : engine->boundary_loads()) {
    for (std::size_t k = 0; k < 3; ++k) { boundaries[k] += load.force[k]; }
  }
  EXPECT_GT(scale, 0);
  EXPECT_LT(boundaries[2], 0) << "the floor is pressed down";
  for (std::size_t k = 0; k < 3; ++k) { EXPECT_NEAR(bodies[k], -boundaries[k], 1e-12 * scale); }
}

TEST_F(Reports, ASnapshotBeforeTheFirstStepIsTheStart) {
  const Scene scene = settling_bodies(4);
  const auto engine = make_backend_engine(scene);
  const Snapshot state = engine->snapshot({true, true});
  EXPECT_EQ(state.step, 0u);
  EXPECT_EQ(state.time, 0);
  EXPECT_EQ(state.position, scene.particles.position);
  EXPECT_EQ(state.material, scene.particles.material);
  for (std::size_t i = 0; i < state.id.size(); ++i) {
    EXPECT_EQ(state.id[i], i);
    EXPECT_EQ(state.force[i], Real3{});
    EXPECT_EQ(state.coordination[i], 0u);
    EXPECT_NEAR(state.radius[i], scene.particles.radius[i], 1e-7 * bead);
    EXPECT_NEAR(state.velocity[i][0], scene.particles.velocity[i][0], 1e-7);
  }
  EXPECT_EQ(engine->counts().searches, 0u);
  for (const BoundaryLoad& load : engine->boundary_loads()) { EXPECT_EQ(load.force, Real3{}); }
}

TEST_F(Reports, WhatIsNotAskedForIsLeftEmpty) {
  const auto engine = make_backend_engine(settling_bodies(3));
  engine->advance(1);
  EXPECT_TRUE(engine->snapshot().force.empty());
  EXPECT_TRUE(engine->snapshot().coordination.empty());
  EXPECT_EQ(engine->snapshot({true, false}).force.size(), 27u);
}

TEST_F(Reports, TimeAndStagesAdvanceWithTheSteps) {
  const Scene scene = settling_bodies(4);
  const auto engine = make_backend_engine(scene);
  EXPECT_EQ(engine->advance(37), 37u);
  EXPECT_EQ(engine->step(), 37u);
  EXPECT_DOUBLE_EQ(engine->time(), 37 * scene.time_step);
  EXPECT_FALSE(engine->launch_times().empty());
  std::uint64_t calls = 0;
  for (const LaunchTime& launch : engine->launch_times()) {
    EXPECT_GE(launch.seconds, 0);
    calls = std::max(calls, launch.calls);
  }
  EXPECT_GE(calls, 37u);
  EXPECT_FALSE(engine->backend().empty());
}

TEST_F(Reports, AStopIsHeededBeforeTheNextStep) {
  const auto engine = make_backend_engine(settling_bodies(4));
  std::atomic<bool> stop = true;
  EXPECT_EQ(engine->advance(100, &stop), 0u);
  stop = false;
  EXPECT_EQ(engine->advance(100, &stop), 100u);
  EXPECT_EQ(engine->step(), 100u);
}

}  // namespace scree::inline SCREE_BACKEND::reports_test
