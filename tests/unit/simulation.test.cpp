#include <gtest/gtest.h>

#include <algorithm>

#include "fake_runs.hpp"
#include "scree/errors.hpp"
#include "scree/simulation.hpp"

namespace scree::test::simulation_test {

using namespace fake_runs;

TEST(Simulation, WithAnAdaptiveStepEndsByItsTime) {
  const ScratchFolder folder;
  const Scene scene = adaptive_scene();
  FakeEngine engine(scene);
  const Case input = case_for(9 * scene.time_step, 0, 2.75 * scene.time_step);
  const RunSummary summary = Simulation(input, scene, engine, {.folder = folder.path()}).run();
  EXPECT_FALSE(summary.interrupted);
  EXPECT_EQ(summary.steps, 12U);
  EXPECT_EQ(column(folder.path(), 1), (std::vector<double>{0, 4, 7, 11, 12}));
}

TEST(Simulation, EndsWithTheLastStageOfTheCell) {
  for (const bool checkpoints : {false, true}) {
    const ScratchFolder folder;
    const Scene scene = small_scene();
    FakeEngine engine(scene);
    engine.finish_step = 37;
    Case input = case_for(100 * scene.time_step, 50 * scene.time_step, 10 * scene.time_step);
    if (checkpoints) { input.output.checkpoints = CheckpointOutput{1000 * scene.time_step, 2}; }
    const RunSummary summary = Simulation(input, scene, engine, {.folder = folder.path()}).run();
    EXPECT_FALSE(summary.interrupted) << "it is over, not stopped";
    EXPECT_EQ(summary.steps, 37U);
    EXPECT_EQ(column(folder.path(), 1), (std::vector<double>{0, 10, 20, 30, 37}));
    EXPECT_EQ(frame_count(folder.path()), 2U);
    EXPECT_EQ(summary.checkpoint, "checkpoints/step_000000037.h5") << "at the end, whether others are asked for or not";
  }
}

TEST(Simulation, WritesAtTheStartAtEachIntervalAndAtTheEnd) {
  const ScratchFolder folder;
  const Scene scene = small_scene();
  FakeEngine engine(scene);
  // 100 steps, with frames every 30 steps and at the end, and rows every 16 steps and at the end.
  const Case input = case_for(100 * scene.time_step, 30 * scene.time_step, 16 * scene.time_step);
  Simulation simulation(input, scene, engine, {.folder = folder.path()});
  EXPECT_EQ(simulation.last_step(), 100U);
  const RunSummary summary = simulation.run();
  EXPECT_FALSE(summary.interrupted);
  EXPECT_EQ(summary.steps, 100U);
  EXPECT_EQ(summary.time, 100 * scene.time_step);
  EXPECT_EQ(column(folder.path(), 1), (std::vector<double>{0, 16, 32, 48, 64, 80, 96, 100}));
  EXPECT_EQ(frame_count(folder.path()), 5U);  // at steps 0, 30, 60, 90, 100
  EXPECT_EQ(summary.files, files_below(folder.path()).size());
  EXPECT_EQ(summary.particle_steps, 300);
}

TEST(Simulation, AnEndOnTheScheduleIsWrittenOnce) {
  const ScratchFolder folder;
  const Scene scene = small_scene();
  FakeEngine engine(scene);
  const Case input = case_for(40 * scene.time_step, 20 * scene.time_step, 20 * scene.time_step);
  Simulation(input, scene, engine, {.folder = folder.path()}).run();
  EXPECT_EQ(column(folder.path(), 1), (std::vector<double>{0, 20, 40}));
  EXPECT_EQ(frame_count(folder.path()), 3U);
}

TEST(Simulation, WritesOnlyTheLastStateWhereNobodyAsksForMore) {
  const ScratchFolder folder;
  const Scene scene = small_scene();
  FakeEngine engine(scene);
  const RunSummary summary = Simulation(case_for(1, 0, 0), scene, engine, {.folder = folder.path()}).run();
  EXPECT_EQ(engine.step(), 1024U);
  EXPECT_EQ(summary.files, 1U);
  EXPECT_EQ(files_below(folder.path()), std::vector<std::string>{"checkpoints/step_000001024.h5"});
  EXPECT_LT(engine.calls, 20U);  // a fast engine gets long chunks
}

TEST(Simulation, StepsReplaceTheDuration) {
  const ScratchFolder folder;
  const Scene scene = small_scene();
  FakeEngine engine(scene);
  Simulation(case_for(1, 0, 1), scene, engine, {.folder = folder.path(), .steps = 7}).run();
  EXPECT_EQ(engine.step(), 7U);
  EXPECT_EQ(column(folder.path(), 1), (std::vector<double>{0, 7}));
}

TEST(Simulation, WithoutAFolderWritesNothing) {
  const Scene scene = small_scene();
  FakeEngine engine(scene);
  Case input = case_for(0.03, 0.01, 0.01);
  input.output.left = true;
  const RunSummary summary = Simulation(input, scene, engine, {}).run();
  EXPECT_GT(engine.step(), 0U);
  EXPECT_EQ(summary.files, 0U);
  for (const char* name : {"series.csv", "left.csv", "frames"}) { EXPECT_FALSE(std::filesystem::exists(name)); }
}

TEST(Simulation, ARunOfNoStepsShowsTheStart) {
  const ScratchFolder folder;
  const Scene scene = small_scene();
  FakeEngine engine(scene);
  const auto summary = Simulation(case_for(1, 1, 1), scene, engine, {.folder = folder.path(), .steps = 0}).run();
  EXPECT_FALSE(summary.interrupted);
  EXPECT_EQ(frame_count(folder.path()), 1U);
  EXPECT_EQ(column(folder.path(), 1), std::vector<double>{0});
}

TEST(Simulation, AnInterruptEndsAfterTheStepWithItsOutput) {
  const ScratchFolder folder;
  const Scene scene = small_scene();
  FakeEngine engine(scene);
  std::atomic<bool> stop{false};
  engine.flag = &stop;
  engine.interrupt_step = 37;
  const Case input = case_for(1, 16 * scene.time_step, 16 * scene.time_step);
  const auto summary = Simulation(input, scene, engine, {.folder = folder.path(), .stop = &stop}).run();
  EXPECT_TRUE(summary.interrupted);
  EXPECT_EQ(summary.steps, 37U);
  EXPECT_EQ(column(folder.path(), 1), (std::vector<double>{0, 16, 32, 37}));
  EXPECT_EQ(frame_count(folder.path()), 4U);
}

TEST(Simulation, AnInterruptAtTheLastStepIsNone) {
  const ScratchFolder folder;
  const Scene scene = small_scene();
  FakeEngine engine(scene);
  std::atomic<bool> stop{false};
  engine.flag = &stop;
  engine.interrupt_step = 10;
  const auto summary =
      Simulation(case_for(1, 0, 1), scene, engine, {.folder = folder.path(), .steps = 10, .stop = &stop}).run();
  EXPECT_FALSE(summary.interrupted);
}

TEST(Simulation, AFaultLeavesAFrameOfTheState) {
  const ScratchFolder folder;
  const Scene scene = small_scene();
  FakeEngine engine(scene);
  engine.fault_step = 25;
  Simulation simulation(case_for(1, 0, 16 * scene.time_step), scene, engine, {.folder = folder.path()});
  try {
    simulation.run();
    FAIL() << "a fault was expected";
  } catch (const KernelFault& fault) {
    EXPECT_EQ(fault.step(), 25U);
    EXPECT_EQ(fault.ids(), (std::vector<std::uint32_t>{1, 2}));
  }
  EXPECT_EQ(files_below(folder.path()), (std::vector<std::string>{"fault.vtkhdf", "series.csv"}));
  EXPECT_EQ(column(folder.path(), 1), (std::vector<double>{0, 16}));
}

TEST(Simulation, AStateThatIsNotFiniteIsAFaultOfTheParticle) {
  const ScratchFolder folder;
  const Scene scene = small_scene();
  FakeEngine engine(scene);
  engine.not_finite_step = 30;
  Simulation simulation(case_for(1, 0, 16 * scene.time_step), scene, engine, {.folder = folder.path()});
  try {
    simulation.run();
    FAIL() << "a fault was expected";
  } catch (const KernelFault& fault) {
    EXPECT_EQ(fault.step(), 32U);
    EXPECT_EQ(fault.ids(), std::vector<std::uint32_t>{1});
  }
  EXPECT_TRUE(std::filesystem::exists(folder / "fault.vtkhdf"));
}

TEST(Simulation, ProgressGoesToTheEndAndChangesNothing) {
  const ScratchFolder with, without;
  const Scene scene = small_scene();
  const Case input = case_for(1, 0.25, 0.01);
  FakeEngine first(scene), second(scene);
  std::vector<std::uint64_t> steps;
  Simulation(input, scene, first, {.folder = with.path()}).run([&](const RunProgress& progress) {
    EXPECT_EQ(progress.last_step, 1024U);
    EXPECT_EQ(progress.particles, 3U);
    steps.push_back(progress.step);
  });
  Simulation(input, scene, second, {.folder = without.path()}).run();
  ASSERT_FALSE(steps.empty());
  EXPECT_TRUE(std::is_sorted(steps.begin(), steps.end()));
  EXPECT_EQ(steps.back(), 1024U);
  EXPECT_EQ(files_below(with.path()), files_below(without.path()));
  for (const auto& name : files_below(with.path())) {
    EXPECT_EQ(read_text(with / name), read_text(without / name)) << name;
  }
}

TEST(Simulation, AFolderThatIsNotThereIsAnOutputError) {
  const ScratchFolder folder;
  const Scene scene = small_scene();
  FakeEngine engine(scene);
  write_text(folder / "file", "");
  EXPECT_THROW(Simulation(case_for(1, 0, 1), scene, engine, {.folder = folder / "file"}).run(), OutputError);
  EXPECT_THROW(Simulation(case_for(1, 1, 0), scene, engine, {.folder = folder / "file"}).run(), OutputError);
}

}  // namespace scree::test::simulation_test
