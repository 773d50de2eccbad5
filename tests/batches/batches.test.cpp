#include <algorithm>
#include <cmath>
#include <functional>

#include "../engine/cells.hpp"
#include "../engine/grain_kit.hpp"

/// Steps launched ahead must end in the same state as single steps: everything that the driver does between two steps
/// happens between the same two steps.
namespace scree::inline SCREE_BACKEND {
namespace {

struct Outcome {
  StateHash hash;
  std::uint64_t step, rebuilds;
  EnergyLedger energies;
  bool operator==(const Outcome& o) const {
    return hash == o.hash && step == o.step && rebuilds == o.rebuilds && energies.cell == o.energies.cell &&
           energies.friction == o.energies.friction && energies.error == o.energies.error;
  }
};

/// The outcome of a scene that runs in batches of `length` steps.
Outcome run_in_batches(const Scene& scene, std::uint64_t length, const std::function<void(Engine&)>& drive) {
  const std::uint64_t before = emulated_batch();
  emulated_batch() = length;
  const auto engine = make_backend_engine(scene, 1);
  drive(*engine);
  emulated_batch() = before;
  return {engine->hash(), engine->step(), engine->counts().rebuilds,
          scene.energies ? engine->energies() : EnergyLedger{}};
}

/// Checks that every length of a batch gives the same outcome, with the same number of searches.
Outcome expect_same(const Scene& scene, const std::function<void(Engine&)>& drive) {
  const Outcome single = run_in_batches(scene, 1, drive);
  for (const std::uint64_t length : {2, 7, 16, 1000}) {
    const Outcome other = run_in_batches(scene, length, drive);
    EXPECT_TRUE(other.hash == single.hash) << "the state differs with batches of " << length;
    EXPECT_EQ(other.step, single.step) << length;
    EXPECT_EQ(other.rebuilds, single.rebuilds) << length;
    EXPECT_EQ(other.energies.cell, single.energies.cell) << length;
    EXPECT_EQ(other.energies.friction, single.energies.friction) << length;
    EXPECT_EQ(other.energies.error, single.energies.error) << length;
  }
  return single;
}

std::function<void(Engine&)> steps(std::uint64_t n) {
  return [n](Engine& engine) { engine.advance(n); };
}

/// Beads in a sheared cell with a wall below and a wall above.
Scene sheared_between_walls(double rate) {
  Scene scene = dense_cell(5);
  const Real3 size{scene.cell->edges[0][0], scene.cell->edges[1][1], scene.cell->edges[2][2]};
  scene.cell->periodic = {true, true, false};
  scene.cell->velocity_gradient = {{{0, rate, 0}, {0, 0, 0}, {0, 0, 0}}};
  add_plane(scene, {0, 0, 0}, {0, 0, 1});
  add_plane(scene, {0, 0, size[2]}, {0, 0, -1});
  return scene;
}

using Batches = BackendTest;

TEST_F(Batches, ACellFlipsBetweenTheSameTwoSteps) {
  Scene scene = dense_cell(5);
  scene.cell->velocity_gradient = {{{0, 900, 0}, {0, 0, 0}, {0, 0, 0}}};
  expect_same(scene, [&](Engine& engine) {
    engine.advance(1500);
    EXPECT_LT(std::abs(engine.cell()->edges[1][0]), 0.52 * engine.cell()->edges[0][0]) << "it has flipped";
    EXPECT_GT(engine.cell()->deformation[0][1], 5);
  });
}

TEST_F(Batches, ACellWithWallsIsSearchedInTime) {
  const Outcome single = expect_same(sheared_between_walls(900), steps(800));
  EXPECT_GT(single.rebuilds, 10u);
}

/// Only the cell moves. The mean flow along the walls alone uses up the shares, so lists last for few steps.
TEST_F(Batches, TheMeanFlowAlongWallsSpendsAList) {
  Scene scene = sheared_between_walls(300);
  for (auto& v : scene.particles.velocity) { v = {}; }
  for (auto& w : scene.particles.angular_velocity) { w = {}; }
  for (auto& r : scene.particles.radius) { r = 0.9 * bead; }
  scene.verlet_distance = 0.02 * bead;
  const Outcome single = expect_same(scene, steps(300));
  EXPECT_GT(single.rebuilds, 30u);
}

TEST_F(Batches, TheLedgerOfAHaltedBatchIsThatOfTheLastStepMade) {
  for (const bool walls : {false, true}) {
    Scene scene = walls ? sheared_between_walls(300) : dense_cell(5);
    if (!walls) {
      // The gradient changes in every step.
      CellStage stage;
      stage.goals[5] = {CellGoal::Kind::strain_rate, {{0, 0}, {1e-3, 600}, {2e-3, -900}, {1, 900}}};
      scene.cell->stages = {stage};
    }
    scene.energies = true;
    scene.verlet_distance = 0.1 * bead;
    for (const std::uint64_t n : {100, 333, 700}) {  // some calls end within a batch that a spent list has halted
      const Outcome single = expect_same(scene, steps(n));
      EXPECT_GT(std::abs(single.energies.cell), 0) << n;
      EXPECT_GT(single.rebuilds, 3u);
    }
  }
}

TEST_F(Batches, ARunStopsAtAGivenTime) {
  Scene scene = dense_cell(4);
  const double until = 123.5 * scene.time_step;
  const Outcome single = expect_same(scene, [&](Engine& engine) { engine.advance(1000, nullptr, until); });
  EXPECT_EQ(single.step, 124u);
}

TEST_F(Batches, AStagedControlEndsAtTheSameStep) {
  Scene scene = dense_cell(4);
  CellStage press, shear;
  for (const std::size_t k : {0, 1, 2}) { press.goals[k] = {CellGoal::Kind::stress, {{0, -2e4}}}; }
  press.duration = 1.1e-3;
  press.inertial_number = 0.1;
  shear.goals[5] = {CellGoal::Kind::strain_rate, {{0, 150}}};
  shear.strain[5] = 0.05;
  scene.cell->stages = {press, shear};
  const Outcome single = expect_same(scene, [&](Engine& engine) {
    engine.advance(100000);
    EXPECT_TRUE(engine.finished());
  });
  EXPECT_EQ(single.step, 275u + 84u);  // 1.1e-3 s and 0.05 / 150 s, in steps of 4e-6 s
}

TEST_F(Batches, AFaultIsThatOfItsStep) {
  Scene scene = glass_scene();
  scene.verlet_distance = bead;
  add_body(scene, {0, 0, 0}, bead, {1, 0, 0});
  add_body(scene, {2.5 * bead, 0, 0}, bead, {-400, 0, 0});  // 1.6 radii in the first step
  add_plane(scene, {0, 0, -3 * bead}, {0, 0, 1});
  scene.gravity = {0, 0, -3e6};  // moves the body by more than its radius after some steps
  scene.particles.velocity[1] = {};
  std::vector<std::uint64_t> at;
  for (const std::uint64_t length : {1, 7, 16}) {
    run_in_batches(scene, length, [&](Engine& engine) {
      try {
        engine.advance(100);
        ADD_FAILURE() << "no fault";
      } catch (const KernelFault& fault) { at.push_back(fault.step()); }
    });
  }
  ASSERT_EQ(at.size(), 3u);
  EXPECT_EQ(at[1], at[0]);
  EXPECT_EQ(at[2], at[0]);
}

/// Launches of the steps of one batch, which begins after `before` steps, step by step. The first step is left out: it
/// may look at all contacts.
std::vector<std::vector<LoggedLaunch>> launches_of_a_batch(const Scene& scene, std::uint64_t before) {
  constexpr std::uint64_t length = 6;
  const std::uint64_t old = emulated_batch();
  emulated_batch() = 1;
  const auto engine = make_backend_engine(scene, 1);
  engine->advance(before);
  emulated_batch() = length;
  std::vector<LoggedLaunch> log;
  for (int tries = 0; tries < 50; ++tries) {  // until no list is spent in the batch
    const std::uint64_t rebuilds = engine->counts().rebuilds;
    log.clear();
    launch_log() = &log;
    engine->advance(length);
    launch_log() = nullptr;
    if (engine->counts().rebuilds == rebuilds) { break; }
  }
  emulated_batch() = old;
  std::vector<std::vector<LoggedLaunch>> steps(1);
  for (const LoggedLaunch& launch : log) {
    steps.back().push_back(launch);
    if (launch.label == "end of step") { steps.emplace_back(); }
  }
  steps.pop_back();
  EXPECT_EQ(steps.size(), length);
  steps.erase(steps.begin());
  return steps;
}

/// Checks that all steps of a batch launch the same kernels with the same parameters, byte by byte: a recorded step can
/// then be replayed.
void expect_same_launches(const Scene& scene, std::uint64_t before, std::size_t least) {
  const auto steps = launches_of_a_batch(scene, before);
  ASSERT_GT(steps.size(), 1u);
  EXPECT_GE(steps.front().size(), least);
#if !defined(__clang__)
  EXPECT_FALSE(steps.front().front().parameters.empty());  // else nothing is compared
#endif
  for (std::size_t k = 1; k < steps.size(); ++k) {
    ASSERT_EQ(steps[k].size(), steps[0].size()) << "step " << k;
    for (std::size_t i = 0; i < steps[k].size(); ++i) {
      EXPECT_EQ(steps[k][i].label, steps[0][i].label);
      EXPECT_EQ(steps[k][i].n, steps[0][i].n) << steps[k][i].label;
      EXPECT_TRUE(steps[k][i].parameters == steps[0][i].parameters)
          << "parameters of '" << steps[k][i].label << "', launch " << i << ", change in step " << k;
    }
  }
}

TEST_F(Batches, LaunchesOfAStepAreTheSameInAllStepsOfABatch) {
  Scene scene = sheared_between_walls(20);
  scene.gravity = {0, 0, -9.81};
  scene.verlet_distance = 0.5 * bead;  // lists last for more than a batch
  for (const bool energies : {false, true}) {
    scene.energies = energies;
    expect_same_launches(scene, 40, energies ? 7 : 5);
  }
}

/// More and more nodes touch: the pool of their contacts becomes too small within a batch, which halts and goes on.
TEST_F(Batches, ThePoolOfNodeContactsGrowsWithinABatch) {
  Scene scene = glass_scene();
  add_grain_shape(scene, grain_of(ball(bead), bead, 0.12 * bead, 1000));
  add_plane(scene, {0, 0, 0}, {0, 0, 1});
  for (int i = 0; i < 6; ++i) {
    physics::add_clump(scene, 0, {1.95 * bead * i, 0, 1.02 * bead}, {0, 0, -1}, {10, 20, 30});
  }
  scene.verlet_distance = bead;
  expect_same(scene, [](Engine& engine) {
    engine.advance(60);
    EXPECT_GT(engine.counts().wall_contacts, 5u);
  });
}

TEST_F(Batches, LaunchesOfAStepWithGrainsAreTheSame) {
  Scene scene = glass_scene();
  add_grain_shape(scene, grain_of(ball(bead), bead, 0.12 * bead, 1000));
  add_plane(scene, {0, 0, 0}, {0, 0, 1});
  for (int i = 0; i < 3; ++i) { physics::add_clump(scene, 0, {1.97 * bead * i, 0, 0.99 * bead}); }
  scene.verlet_distance = bead;
  expect_same_launches(scene, 3, 7);
}

TEST_F(Batches, LaunchesOfAStepAreTheSameWithoutACell) {
  Scene scene = glass_scene();
  for (int i = 0; i < 40; ++i) {
    add_body(scene, {1.99 * bead * (i % 4), 1.99 * bead * (i / 4 % 4), (0.99 + 1.99 * (i / 16)) * bead}, bead);
  }
  add_plane(scene, {0, 0, 0}, {0, 0, 1});
  scene.gravity = {0, 0, -9.81};
  scene.verlet_distance = bead;
  expect_same_launches(scene, 3, 4);
}

}  // namespace
}  // namespace scree::inline SCREE_BACKEND
