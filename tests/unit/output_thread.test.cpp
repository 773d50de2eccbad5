#include <gtest/gtest.h>

#include <stdlib.h>

#include <thread>

#include "fake_runs.hpp"
#include "scree/errors.hpp"
#include "scree/simulation.hpp"

namespace scree::test::output_thread_test {

using namespace fake_runs;

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

}  // namespace scree::test::output_thread_test
