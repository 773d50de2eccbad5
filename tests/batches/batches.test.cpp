#include <algorithm>
#include <cmath>
#include <functional>

#include "../engine/cells.hpp"
#include "../engine/driven_scene.hpp"
#include "../engine/grain_kit.hpp"
#include "kernels/backend/exec.hpp"

/// Steps launched ahead must end in the same state as single steps: everything that the driver does between two steps
/// happens between the same two steps.
namespace scree::inline SCREE_BACKEND {
namespace {

struct Outcome {
  StateHash hash;
  std::uint64_t step, searches;
  EnergyLedger energies;
  std::vector<BoundaryLoad> loads;
};

/// The outcome of a scene that runs in batches of `length` steps.
Outcome run_in_batches(const Scene& scene, std::uint64_t length, const std::function<void(Engine&)>& drive) {
  const std::uint64_t before = emulated_batch();
  emulated_batch() = length;
  const auto engine = make_backend_engine(scene, 1);
  drive(*engine);
  emulated_batch() = before;
  return {engine->hash(), engine->step(), engine->counts().searches,
          scene.energies ? engine->energies() : EnergyLedger{}, engine->boundary_loads()};
}

/// Checks that every length of a batch gives the same outcome, with the same number of searches.
Outcome expect_same(const Scene& scene, const std::function<void(Engine&)>& drive) {
  const Outcome single = run_in_batches(scene, 1, drive);
  for (const std::uint64_t length : {2, 7, 16, 1000}) {
    const Outcome other = run_in_batches(scene, length, drive);
    EXPECT_TRUE(other.hash == single.hash) << "the state differs with batches of " << length;
    EXPECT_EQ(other.step, single.step) << length;
    EXPECT_EQ(other.searches, single.searches) << length;
    EXPECT_EQ(other.energies.cell, single.energies.cell) << length;
    EXPECT_EQ(other.energies.friction, single.energies.friction) << length;
    EXPECT_EQ(other.energies.boundaries, single.energies.boundaries) << length;
    EXPECT_EQ(other.energies.viscous, single.energies.viscous) << length;
    EXPECT_EQ(other.energies.error, single.energies.error) << length;
    for (std::size_t b = 0; b < single.loads.size(); ++b) {
      const BoundaryLoad &load = other.loads[b], &expected = single.loads[b];
      EXPECT_EQ(load.work, expected.work) << "boundary " << b << " with batches of " << length;
      EXPECT_EQ(load.force, expected.force) << "boundary " << b << " with batches of " << length;
      EXPECT_EQ(load.shift, expected.shift) << "boundary " << b << " with batches of " << length;
      EXPECT_EQ(load.velocity, expected.velocity) << "boundary " << b << " with batches of " << length;
      EXPECT_EQ(load.angle, expected.angle) << "boundary " << b << " with batches of " << length;
      EXPECT_EQ(load.rate, expected.rate) << "boundary " << b << " with batches of " << length;
    }
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
  EXPECT_GT(single.searches, 10u);
}

/// Only the cell moves. The mean flow along the walls alone uses up the shares, so lists last for few steps.
TEST_F(Batches, TheMeanFlowAlongWallsSpendsAList) {
  Scene scene = sheared_between_walls(300);
  for (auto& v : scene.particles.velocity) { v = {}; }
  for (auto& w : scene.particles.angular_velocity) { w = {}; }
  for (auto& r : scene.particles.radius) { r = 0.9 * bead; }
  scene.verlet_distance = 0.02 * bead;
  const Outcome single = expect_same(scene, steps(300));
  EXPECT_GT(single.searches, 30u);
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
      EXPECT_GT(single.searches, 3u);
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

/// Beads at rest on a floor, with a wall at the side that only the test moves.
Scene bed_beside_a_wall() {
  Scene scene = glass_scene();
  for (int i = 0; i < 48; ++i) {
    add_body(scene, {(1.99 * (i % 4) + 1) * bead, (1.99 * (i / 4 % 4) + 1) * bead, (0.99 + 1.99 * (i / 16)) * bead},
             bead);
  }
  add_plane(scene, {0, 0, 0}, {0, 0, 1});
  add_plane(scene, {0, 0, 0}, {1, 0, 0});
  scene.gravity = {0, 0, -9.81};
  scene.verlet_distance = 0.2 * bead;
  return scene;
}

TEST_F(Batches, PrescribedWallsPushAlike) {
  Scene scene = bed_beside_a_wall();
  Oscillation swing;
  swing.direction = Real3{1, 0, 0};
  swing.amplitude = 0.2 * bead, swing.frequency = 900;
  scene.boundaries[1].motion = {{swing}};
  scene.boundaries[0].motion = {{Translation{{0, 0.05, 0}}, 1e-4, 6e-4}};  // a conveyor that begins and ends
  for (const bool energies : {false, true}) {
    scene.energies = energies;
    const Outcome single = expect_same(scene, steps(400));
    EXPECT_GT(single.searches, 3u);
    EXPECT_NE(single.loads[0].work, 0);
    EXPECT_GT(single.loads[1].work, 0);
    if (energies) { EXPECT_GT(single.energies.boundaries, 0); }
  }
}

TEST_F(Batches, DrivenBoundariesMoveAlike) {
  for (const Precision precision : {Precision::mixed, Precision::double_}) {
    for (const bool energies : {false, true}) {
      Scene scene = driven_scene(precision, 0.2);
      scene.energies = energies;
      const Outcome single = expect_same(scene, steps(250));
      EXPECT_GT(single.searches, 2u);
      EXPECT_LT(single.loads[3].shift[2], -0.2 * bead);
      EXPECT_NE(single.loads[2].rate, 40);
      EXPECT_NE(single.loads[2].work, 0);
    }
  }
}

/// The wall moves away and alone uses up the shares, by a prescribed motion or by a force.
TEST_F(Batches, AWallSpendsAListInTheMiddleOfABatch) {
  for (const bool driven : {false, true}) {
    Scene scene = bed_beside_a_wall();
    scene.gravity = {};
    scene.verlet_distance = 0.02 * bead;
    if (driven) {
      Drive pulls;
      pulls.translation = DrivenTranslation{.mass = 1, .free = {"x"}, .velocity = {-0.5, 0, 0}};
      scene.boundaries[1].drive = pulls;
    } else {
      scene.boundaries[1].motion = {{Translation{{-0.5, 0, 0}}}};
    }
    const Outcome single = expect_same(scene, steps(300));
    EXPECT_GT(single.searches, 10u);
  }
}

/// A boundary that moves far in a step is looked at before the next step, whether its motion is known ahead or not.
TEST_F(Batches, AFastBoundaryIsFoundInItsStep) {
  for (const bool driven : {false, true}) {
    std::vector<std::uint64_t> at;
    for (const std::uint64_t length : {1, 7, 16}) {
      Scene scene = bed_beside_a_wall();
      scene.gravity = {};
      SceneBoundary& plate =
          add_mesh(scene, sheet({-20 * bead, -20 * bead, 90 * bead}, {40 * bead, 0, 0}, {0, 40 * bead, 0}, 3));
      if (driven) {
        Drive pushes;
        pushes.translation = DrivenTranslation{.mass = 1, .free = {"z"}, .force = {0, 0, -6e5}};
        plate.drive = pushes;
      } else {
        TableMotion rush;
        rush.direction = Real3{0, 0, 1};
        rush.velocity = TimeTable{{0, 0}, {1e-3, -600}, {1, -600}};
        plate.motion = {{rush}};
      }
      run_in_batches(scene, length, [&](Engine& engine) {
        try {
          engine.advance(2000);
          ADD_FAILURE() << "no fault";
        } catch (const KernelFault& fault) {
          EXPECT_NE(std::string(fault.what()).find(plate.name), std::string::npos) << fault.what();
          at.push_back(fault.step());
        }
      });
    }
    ASSERT_EQ(at.size(), 3u);
    EXPECT_EQ(at[1], at[0]);
    EXPECT_EQ(at[2], at[0]);
  }
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
    const std::uint64_t searches = engine->counts().searches;
    log.clear();
    launch_log() = &log;
    engine->advance(length);
    launch_log() = nullptr;
    if (engine->counts().searches == searches) { break; }
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

TEST_F(Batches, LaunchesOfAStepWithMovingBoundariesAreTheSame) {
  Scene scene = driven_scene(Precision::mixed, 1);
  for (const bool energies : {false, true}) {
    scene.energies = energies;
    expect_same_launches(scene, 20, energies ? 10 : 7);
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
    EXPECT_GT(engine.counts().boundary_contacts, 5u);
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
