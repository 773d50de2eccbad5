#include <gtest/gtest.h>

#include <atomic>
#include <fstream>

#include "fake_engine.hpp"
#include "host/checkpoint/checkpoint_file.hpp"
#include "host/checkpoint/resume.hpp"
#include "scratch_folder.hpp"
#include "scree/errors.hpp"
#include "scree/simulation.hpp"

namespace scree::test::checkpoint_test {

namespace fs = std::filesystem;

Case checkpoint_case(const Scene& scene, double steps, double every) {
  Case input;
  input.time.duration = steps * scene.time_step;
  input.output.series = SeriesOutput{16 * scene.time_step};
  input.output.frames = FrameOutput{20 * scene.time_step, {"velocity"}};
  if (every > 0) { input.output.checkpoints = CheckpointOutput{every * scene.time_step, 2}; }
  return input;
}

TEST(CheckpointSchedule, KeepsTheNewest) {
  const ScratchFolder folder;
  const Scene scene = small_scene();
  FakeEngine engine(scene);
  const auto summary = Simulation(checkpoint_case(scene, 100, 30), scene, engine, {.folder = folder.path()}).run();
  const auto found = checkpoints_in(folder / "checkpoints");
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].first, 90U);
  EXPECT_EQ(found[1].first, 100U);  // the checkpoint at the end
  EXPECT_EQ(summary.files, files_below(folder.path()).size());
  EXPECT_EQ(summary.checkpoint, "checkpoints/step_000000100.h5");
}

TEST(CheckpointSchedule, AnInterruptWritesOneWhetherAskedForOrNot) {
  for (const double every : {0.0, 30.0}) {
    const ScratchFolder folder;
    const Scene scene = small_scene();
    FakeEngine engine(scene);
    std::atomic<bool> stop{false};
    engine.flag = &stop;
    engine.interrupt_step = 37;
    const auto summary =
        Simulation(checkpoint_case(scene, 100, every), scene, engine, {.folder = folder.path(), .stop = &stop}).run();
    EXPECT_EQ(summary.checkpoint, "checkpoints/step_000000037.h5");
    EXPECT_EQ(read_checkpoint(folder / summary.checkpoint).step, 37U);
  }
}

TEST(CheckpointSchedule, ThatOfTheEndWithoutAWish) {
  const ScratchFolder folder;
  const Scene scene = small_scene();
  FakeEngine engine(scene);
  Simulation(checkpoint_case(scene, 50, 0), scene, engine, {.folder = folder.path()}).run();
  EXPECT_EQ(files_below(folder / "checkpoints"), std::vector<std::string>{"step_000000050.h5"});
}

TEST(CheckpointSchedule, NoneWhereNoneIsKeptUnlessTheRunIsInterrupted) {
  for (const bool interrupted : {false, true}) {
    const ScratchFolder folder;
    const Scene scene = small_scene();
    FakeEngine engine(scene);
    std::atomic<bool> stop{false};
    engine.flag = &stop;
    if (interrupted) { engine.interrupt_step = 37; }
    Case input = checkpoint_case(scene, 50, 10);
    input.output.checkpoints->keep = 0;
    Simulation(input, scene, engine, {.folder = folder.path(), .stop = &stop}).run();
    EXPECT_EQ(fs::exists(folder / "checkpoints/step_000000037.h5"), interrupted);
    EXPECT_EQ(fs::exists(folder / "checkpoints"), interrupted);
  }
}

/// Runs to `interrupt`, then continues from the newest checkpoint. The folder must have the same files as after a whole
/// run.
TEST(Resumed, OutputHasNeitherGapsNorDuplicates) {
  const Scene scene = small_scene();
  const ScratchFolder whole;
  FakeEngine engine(scene);
  const Case input = checkpoint_case(scene, 100, 30);
  Simulation(input, scene, engine, {.folder = whole.path()}).run();
  for (const std::uint64_t interrupt : {1U, 16U, 30U, 37U, 40U, 60U, 80U, 99U}) {
    const ScratchFolder folder;
    FakeEngine first(scene), second(scene);
    std::atomic<bool> stop{false};
    first.flag = &stop;
    first.interrupt_step = interrupt;
    auto summary = Simulation(input, scene, first, {.folder = folder.path(), .stop = &stop}).run();
    // A run that went on and was then killed would leave this: a later row, half of another row, and a frame.
    std::ofstream(folder / "series.csv", std::ios::app) << "0.09765625,100,3,100,2,1\n0.0976,10";
    write_text(folder / "frames/frame_000099.vtkhdf", "");
    const Checkpoint checkpoint = read_checkpoint(folder / summary.checkpoint);
    second.restore(checkpoint.state);
    SimulationState beside;
    for (const StateArray& array : checkpoint.state.arrays) {
      if (array.name.starts_with("probes/")) { beside.outputs.probes.push_back(array); }
    }
    Simulation resumed(input, scene, second, {.folder = folder.path(), .steps = 100 - interrupt, .resumed = true});
    resumed.restore(beside);
    summary = resumed.run();
    EXPECT_EQ(summary.steps, 100 - interrupt);
    auto left = files_below(folder.path()), expected = files_below(whole.path());
    const auto is_checkpoint_file = [](const std::string& name) { return name.starts_with("checkpoints/"); };
    std::erase_if(left, is_checkpoint_file);
    std::erase_if(expected, is_checkpoint_file);
    EXPECT_EQ(left, expected) << interrupt;
    for (const auto& name : expected) {
      EXPECT_EQ(read_text(folder / name), read_text(whole / name)) << name << " " << interrupt;
    }
    EXPECT_EQ(read_text(folder / "checkpoints/step_000000100.h5"), read_text(whole / "checkpoints/step_000000100.h5"));
  }
}

TEST(Resumed, ASeriesWithOtherColumnsIsRefused) {
  const ScratchFolder folder;
  const Scene scene = small_scene();
  FakeEngine engine(scene);
  write_text(folder / "series.csv", "time[s],step,temperature[K]\n0,0,293\n");
  EXPECT_THROW(Simulation(checkpoint_case(scene, 10, 0), scene, engine, {.folder = folder.path(), .resumed = true}),
               OutputError);
  EXPECT_EQ(lines_of(folder / "series.csv").size(), 2U);
}

TEST(Differences, AreNamedOnlyWhereResultsDependOnThem) {
  using List = std::vector<std::string>;
  EXPECT_EQ(differing_values(R"({"a": {"b": [1, 2]}, "c": 1})", R"({"a": {"b": [1, 3]}, "d": 1})"),
            (List{"a.b.1 (2 there, 3 here)", "c (1 there, absent here)", "d (absent there, 1 here)"}));
  EXPECT_EQ(differing_values(R"({"title": "a", "time": {"duration": 1}, "output": {}, "neighbours": {"x": 1}})",
                             R"({"title": "b", "time": {"duration": 2}, "neighbours": {}})"),
            List{});
  EXPECT_EQ(differing_values(R"({"time": {"step": 1}})", R"({"time": {"step": 2}})"),
            List{"time.step (1 there, 2 here)"});
}

/// Only what the case describes as a file may have another name: users choose keys as well.
TEST(Differences, NamesOfFilesAreNone) {
  using List = std::vector<std::string>;
  const std::string there = R"({"particles": [{"file": "a.csv"}], "boundaries": {"a": {"file": "a"}, "a.file": 1}})",
                    here = R"({"particles": [{"file": "b.csv"}], "boundaries": {"a": {"file": "b"}, "a.file": 2}})";
  EXPECT_EQ(differing_values(there, here, {{{"particles", "0", "file"}, "b.csv"}, {{"boundaries", "a", "file"}, "b"}}),
            List{"boundaries.a.file (1 there, 2 here)"});
  EXPECT_EQ(differing_values(there, here).size(), 3U);
}

TEST(Differences, TheOrderOfWhatIsNumbered) {
  using List = std::vector<std::string>;
  for (const std::string name : {"materials", "shapes", "groups", "boundaries"}) {
    EXPECT_EQ(differing_values("{\"" + name + R"(": {"a": 1, "b": 2}})", "{\"" + name + R"(": {"b": 2, "a": 1}})"),
              List{name + " (in another order there)"});
  }
  for (const std::string name : {"outlets", "delete_in"}) {
    EXPECT_EQ(differing_values(R"({"domain": {")" + name + R"(": {"a": 1, "b": 2}}})",
                               R"({"domain": {")" + name + R"(": {"b": 2, "a": 1}}})"),
              List{"domain." + name + " (in another order there)"});
  }
  EXPECT_EQ(differing_values(R"({"heat": {"a": 1, "b": 2}})", R"({"heat": {"b": 2, "a": 1}})"), List{});
}

}  // namespace scree::test::checkpoint_test
