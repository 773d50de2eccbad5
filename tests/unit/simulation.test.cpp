#include <gtest/gtest.h>

#include <stdlib.h>

#include <limits>
#include <thread>

#include "fake_engine.hpp"
#include "host/output/output_schedule.hpp"
#include "host/run/chunk.hpp"
#include "scratch_folder.hpp"
#include "scree/errors.hpp"
#include "scree/simulation.hpp"

namespace scree::test::simulation_test {

Case case_for(double duration, double frames_every, double series_every) {
  Case input;
  input.time.duration = duration;
  if (frames_every > 0) { input.output.frames = FrameOutput{frames_every, {"velocity", "radius"}}; }
  if (series_every > 0) { input.output.series = SeriesOutput{series_every}; }
  return input;
}

/// The numbers of one column of series.csv.
std::vector<double> column(const std::filesystem::path& folder, std::size_t index) {
  std::vector<double> values;
  const auto lines = lines_of(folder / "series.csv");
  for (std::size_t i = 1; i < lines.size(); ++i) {
    std::stringstream row(lines[i]);
    std::string cell;
    for (std::size_t k = 0; k <= index; ++k) { std::getline(row, cell, ','); }
    values.push_back(std::stod(cell));
  }
  return values;
}

std::size_t frame_count(const std::filesystem::path& folder) { return files_below(folder / "frames").size(); }

TEST(StepCount, IsTheCeilingWithinRounding) {
  EXPECT_EQ(steps_for(1, 0.1), 10U);
  EXPECT_EQ(steps_for(0.3, 0.1), 3U);  // 0.3 / 0.1 is just below 3
  EXPECT_EQ(steps_for(0.7, 0.1), 7U);  // 0.7 / 0.1 is just below 7
  EXPECT_EQ(steps_for(1.01, 0.1), 11U);
  EXPECT_EQ(steps_for(1e-9, 0.1), 1U);
  EXPECT_EQ(steps_for(1e-16, 0.1), 1U);  // whatever lasts, lasts for a step
  EXPECT_EQ(steps_for(0, 0.1), 0U);
  EXPECT_THROW(static_cast<void>(steps_for(1, 0)), ContractError);
}

TEST(StepCount, OfAMomentIsTheFirstStepThatBeginsThen) {
  constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();
  EXPECT_EQ(first_step_at(0, 0.1), 0U);
  EXPECT_EQ(first_step_at(1e-16, 0.1), 0U);  // rounding
  EXPECT_EQ(first_step_at(0.3, 0.1), 3U);
  EXPECT_EQ(first_step_at(0.31, 0.1), 4U);
  EXPECT_EQ(first_step_at(1e12, 1e-5), never);
  EXPECT_EQ(first_step_at(std::numeric_limits<double>::infinity(), 1e-5), never);
}

TEST(OutputSchedule, HasNoDrift) {
  const double every = 1e-3, step = 0.7e-5;
  const OutputSchedule schedule(every, step);
  std::uint64_t at = 0;
  for (std::uint64_t k = 1; k <= 100000; ++k) {
    at = schedule.next_after(at);
    ASSERT_EQ(at, static_cast<std::uint64_t>(std::ceil(static_cast<double>(k) * every / step - 1e-9))) << k;
  }
  EXPECT_EQ(schedule.count(0, at), 100001U);
  EXPECT_EQ(schedule.count(1, at - 1), 99999U);
}

// Twenty intervals of 0.02 s are the duration, although neither is a whole number of steps.
TEST(OutputSchedule, TheLastMomentIsTheLastStep) {
  for (const double step : {4.3e-5, 4.4e-5, 4.7e-5, 1.1e-4, 3e-6}) {
    const std::uint64_t last = steps_for(0.4, step);
    const OutputSchedule schedule(0.02, step);
    EXPECT_EQ(schedule.next_after(last - 1), last) << step;
    EXPECT_EQ(schedule.outputs(last, 0.4), 21U) << step;
  }
}

TEST(OutputSchedule, ShorterThanAStepMeansEveryStep) {
  const OutputSchedule schedule(1e-12, 1e-5);
  EXPECT_EQ(schedule.next_after(0), 1U);
  EXPECT_EQ(schedule.next_after(1000000), 1000001U);
  EXPECT_EQ(schedule.count(0, 10), 11U);
}

TEST(OutputSchedule, AnEndlessIntervalNeverComesAgain) {
  const OutputSchedule schedule(1e300, 1e-5);
  EXPECT_EQ(schedule.next_after(0), std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(schedule.count(0, 1000), 1U);
}

/// The adaptive steps of FakeEngine have the length of the first step and half of it in turns.
Scene adaptive_scene() {
  Scene scene = small_scene();
  scene.adaptive = AdaptiveStep{};
  return scene;
}

TEST(OutputSchedule, WithAnAdaptiveStepWritesAtTheFirstStepThatReachesATime) {
  const Scene scene = adaptive_scene();
  FakeEngine engine(scene);
  const OutputSchedule schedule(2.75 * scene.time_step, scene);
  std::vector<std::uint64_t> due;
  for (; engine.step() < 12; engine.advance(1)) {
    if (schedule.due(engine)) { due.push_back(engine.step()); }
  }
  // Times in units of the step: 0 1 1.5 2.5 3 4 4.5 5.5 6 7 7.5 8.5. Outputs are due from 2.75, 5.5 and 8.25 on.
  EXPECT_EQ(due, (std::vector<std::uint64_t>{0, 4, 7, 11}));
  EXPECT_NEAR(schedule.next(engine).time, 11 * scene.time_step, 2e-8 * scene.time_step);  // it stands at 9
  EXPECT_EQ(schedule.outputs(0, 9 * scene.time_step), 5U);
  EXPECT_EQ(schedule.outputs(0, 8.25 * scene.time_step), 4U);
}

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

TEST(Chunk, ApproachesTheTargetTime) {
  EXPECT_EQ(next_chunk(100, 0.1, 0.2), 200U);
  EXPECT_EQ(next_chunk(100, 0.4, 0.2), 50U);
  EXPECT_EQ(next_chunk(100, 1e-9, 0.2), 800U);
  EXPECT_EQ(next_chunk(1, 100, 0.2), 1U);
  EXPECT_EQ(next_chunk(100, 0, 0.2), 800U);
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

/// Whether frames are written by a thread, while it lives.
class OutputThread {
 public:
  explicit OutputThread(bool wanted) { ::setenv("SCREE_OUTPUT_THREAD", wanted ? "1" : "0", 1); }
  ~OutputThread() { ::unsetenv("SCREE_OUTPUT_THREAD"); }
  OutputThread(const OutputThread&) = delete;
  OutputThread& operator=(const OutputThread&) = delete;
};

Case case_with_all(const Scene& scene) {
  Case input = case_for(1, 16 * scene.time_step, 8 * scene.time_step);
  input.output.checkpoints = CheckpointOutput{64 * scene.time_step, 100};
  return input;
}

TEST(Simulation, AThreadWritesTheSameFiles) {
  const ScratchFolder with, without;
  const Scene scene = small_scene();
  for (const ScratchFolder* folder : {&with, &without}) {
    const OutputThread thread(folder == &with);
    FakeEngine engine(scene);
    const RunSummary summary = Simulation(case_with_all(scene), scene, engine, {.folder = folder->path()}).run();
    EXPECT_EQ(summary.files, files_below(folder->path()).size());
    EXPECT_EQ(summary.checkpoint, "checkpoints/step_000001024.h5");
  }
  const auto files = files_below(with.path());
  EXPECT_GT(files.size(), 140U);
  ASSERT_EQ(files, files_below(without.path()));
  for (const auto& name : files) { EXPECT_EQ(read_text(with / name), read_text(without / name)) << name; }
}

/// A program that divides a run finds all frames after each part.
TEST(Simulation, AllFramesAreThereAfterEachPart) {
  const OutputThread thread(true);
  const ScratchFolder folder;
  const Scene scene = small_scene();
  FakeEngine engine(scene);
  Simulation simulation(case_with_all(scene), scene, engine, {.folder = folder.path()});
  simulation.begin();
  for (const unsigned part : {1U, 2U, 3U, 4U}) {
    simulation.advance(160 * part);
    EXPECT_EQ(frame_count(folder.path()), 10 * part + 1);
  }
  simulation.finish();
}

TEST(Simulation, AFaultComesAfterTheFramesBeforeIt) {
  const OutputThread thread(true);
  const ScratchFolder folder;
  const Scene scene = small_scene();
  FakeEngine engine(scene);
  engine.fault_step = 100;
  Simulation simulation(case_with_all(scene), scene, engine, {.folder = folder.path()});
  EXPECT_THROW(simulation.run(), KernelFault);
  EXPECT_EQ(frame_count(folder.path()), 7U);  // up to step 96
  EXPECT_TRUE(std::filesystem::exists(folder / "fault.vtkhdf"));
}

/// From a step on, its frames cannot be written any more.
struct EngineThatLosesItsFolder : FakeEngine {
  EngineThatLosesItsFolder(const Scene& scene, const std::filesystem::path& folder)
      : FakeEngine(scene), frames(folder / "frames") {}
  std::uint64_t advance(std::uint64_t steps, const std::atomic<bool>* stop, double until) override {
    const std::uint64_t done = FakeEngine::advance(steps, stop, until);
    if (step() >= 90 && std::filesystem::is_directory(frames)) {
      const auto list = frames.parent_path() / "frames.vtkhdf.series";  // all frames so far are written
      while (read_text(list).find("frame_000005") == std::string::npos) { std::this_thread::yield(); }
      std::filesystem::rename(frames, frames.string() + "_away");
      write_text(frames, "");
    }
    return done;
  }
  std::filesystem::path frames;
};

TEST(Simulation, AFrameThatFailsEndsTheRunWithItsName) {
  const Scene scene = small_scene();
  for (const bool by_thread : {false, true}) {
    const OutputThread thread(by_thread);
    const ScratchFolder folder;
    EngineThatLosesItsFolder engine(scene, folder.path());
    Simulation simulation(case_with_all(scene), scene, engine, {.folder = folder.path()});
    try {
      simulation.run();
      FAIL() << "an error was expected";
    } catch (const OutputError& error) {
      const std::string text = error.what();
      EXPECT_TRUE(text.starts_with((folder / "frames/frame_0000").string())) << text;
      EXPECT_NE(text.find("cannot be written"), std::string::npos) << text;
      // From the state at its step a run could continue, which then writes the frame. A thread finds the error later:
      // a run from there would never write it.
      EXPECT_EQ(text.find("; the state at step") != std::string::npos, !by_thread) << text;
    }
    const auto checkpoints = files_below(folder / "checkpoints");
    ASSERT_FALSE(checkpoints.empty());
    EXPECT_EQ(checkpoints.front(), "step_000000064.h5");
    if (by_thread) { EXPECT_EQ(checkpoints.size(), 1u) << "none of a step behind what is missing"; }
    EXPECT_LE(files_below(folder / "frames_away").size(), 7u);
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
