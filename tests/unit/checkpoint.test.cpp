#include <gtest/gtest.h>
#include <hdf5.h>

#include <csignal>
#include <cstring>
#include <sstream>

#include "fake_engine.hpp"
#include "host/app/exit_code.hpp"
#include "host/case/case_io.hpp"
#include "host/checkpoint/checkpoint_file.hpp"
#include "host/checkpoint/checksum.hpp"
#include "host/checkpoint/hdf5_reader.hpp"
#include "host/checkpoint/resume.hpp"
#include "host/commands/compare.hpp"
#include "host/commands/info.hpp"
#include "host/commands/run.hpp"
#include "resume_command.hpp"
#include "scratch_folder.hpp"
#include "scree/errors.hpp"
#include "scree/simulation.hpp"

namespace scree::test {
namespace {

namespace fs = std::filesystem;

StateArray array_of(const std::string& name, const std::vector<float>& values, std::size_t columns) {
  StateArray array{name, "m", ValueType::float32, columns, std::vector<std::byte>(4 * values.size())};
  if (!values.empty()) { std::memcpy(array.bytes.data(), values.data(), array.bytes.size()); }
  return array;
}

Checkpoint some_checkpoint() {
  Checkpoint checkpoint{7, 0.1, 2, "mixed", "1.2.3", "00ff", "0123", "{ \"title\": \"a\" }\n", {}};
  checkpoint.state.arrays = {array_of("bodies/radius", {1, 2}, 1),
                             array_of("bodies/velocity", {1, 2, 3, 4, -0.0F, 6e-42F}, 3),
                             array_of("pairs/shear", {}, 3),
                             array_of("probes/in/deep/er", {5, 6}, 1),
                             array_of("probes/out/height", {7}, 1),
                             {"totals/step", "1", ValueType::uint64, 1, std::vector<std::byte>(8, std::byte{0xfe})}};
  return checkpoint;
}

std::string reading(const fs::path& file) {
  try {
    static_cast<void>(read_checkpoint(file));
  } catch (const StateError& error) { return error.what(); }
  return "read";
}

TEST(Checksum, SeesEveryBitAndDoesNotDependOnPieces) {
  std::string text(37, 'x');
  const auto sum = [](const std::string& bytes, std::size_t cut) {
    Checksum checksum;
    checksum.add(bytes.data(), cut);
    checksum.add(bytes.data() + cut, bytes.size() - cut);
    return checksum.value();
  };
  const auto whole = sum(text, 0);
  for (std::size_t cut = 0; cut <= text.size(); ++cut) { EXPECT_EQ(sum(text, cut), whole) << cut; }
  for (std::size_t bit = 0; bit < 8 * text.size(); ++bit) {
    std::string changed = text;
    changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ (1 << (bit % 8)));
    EXPECT_NE(sum(changed, 0), whole) << bit;
  }
  EXPECT_NE(sum(std::string(16, '\0'), 0), sum(std::string(17, '\0'), 0));
}

TEST(CheckpointFile, ReadsBackAsItWas) {
  const ScratchFolder folder;
  const Checkpoint written = some_checkpoint();
  write_checkpoint(folder / "a.h5", written);
  const Checkpoint read = read_checkpoint(folder / "a.h5");
  EXPECT_EQ(read.step, written.step);
  EXPECT_EQ(read.time, written.time);
  EXPECT_EQ(read.particles, written.particles);
  EXPECT_EQ(read.precision, written.precision);
  EXPECT_EQ(read.version, written.version);
  EXPECT_EQ(read.state_hash, written.state_hash);
  EXPECT_EQ(read.scene_hash, written.scene_hash);
  EXPECT_EQ(read.case_text, written.case_text);
  EXPECT_TRUE(read.state == written.state);
  write_checkpoint(folder / "b.h5", written);
  EXPECT_EQ(read_text(folder / "a.h5"), read_text(folder / "b.h5"));
  EXPECT_EQ(files_below(folder.path()), (std::vector<std::string>{"a.h5", "b.h5"}));
}

TEST(CheckpointFile, IsAnHdf5File) {
  const ScratchFolder folder;
  write_checkpoint(folder / "a.h5", some_checkpoint());
  const hid_t file = H5Fopen((folder / "a.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  ASSERT_GE(file, 0);
  const hid_t dataset = H5Dopen2(file, "/state/bodies/velocity", H5P_DEFAULT);
  ASSERT_GE(dataset, 0);
  float values[6] = {};
  EXPECT_GE(H5Dread(dataset, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), 0);
  EXPECT_EQ(values[3], 4.0F);
  H5Dclose(dataset);
  H5Fclose(file);
}

/// The library finds what was laid out by hand: arrays of all types, with their shapes, numbers and units.
TEST(CheckpointFile, TheHdf5LibraryReadsTheSame) {
  const ScratchFolder folder;
  Checkpoint checkpoint = some_checkpoint();
  for (const ValueType type :
       {ValueType::float32, ValueType::float64, ValueType::uint8, ValueType::uint32, ValueType::uint64}) {
    StateArray array{"types/t" + std::to_string(static_cast<int>(type)), "kg m2", type, 2,
                     std::vector<std::byte>(6 * size_of(type))};
    for (std::size_t k = 0; k < array.bytes.size(); ++k) { array.bytes[k] = std::byte(k % 64); }
    checkpoint.state.arrays.push_back(array);
  }
  for (int k = 0; k < 40; ++k) {
    checkpoint.state.arrays.push_back(array_of("many/" + std::string(1 + 7 * std::size_t(k), 'x'), {float(k)}, 1));
  }
  write_checkpoint(folder / "a.h5", checkpoint);
  const Hdf5Reader library(folder / "a.h5");
  const Checkpoint own = read_checkpoint(folder / "a.h5");
  const auto paths = library.datasets("/state");
  ASSERT_EQ(paths.size(), checkpoint.state.arrays.size());
  ASSERT_EQ(own.state.arrays.size(), paths.size());
  for (std::size_t k = 0; k < paths.size(); ++k) {
    StateArray read = library.read(paths[k]);
    EXPECT_EQ("/state/" + own.state.arrays[k].name, paths[k]);
    read.name = own.state.arrays[k].name;
    EXPECT_TRUE(read == own.state.arrays[k]) << paths[k];
  }
  EXPECT_EQ(library.text_attribute("/", "precision"), "mixed");
  EXPECT_EQ(library.text_attribute("/", "step"), "7");
}

TEST(CheckpointFile, DamageIsSeenWhereverItIs) {
  const ScratchFolder folder;
  write_checkpoint(folder / "a.h5", some_checkpoint());
  const std::string good = read_text(folder / "a.h5");
  const auto file = folder / "b.h5";
  for (std::size_t at = 0; at < good.size(); at += 61) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 0x10);
    write_text(file, bad);
    EXPECT_NE(reading(file), "read") << at;
  }
  std::string bad = good;
  bad[100] = static_cast<char>(~bad[100]);
  write_text(file, bad);
  EXPECT_EQ(reading(file), file.string() + ": is damaged: its checksum is not the one that was written");
  for (const std::size_t length : {std::size_t{0}, std::size_t{10}, good.size() / 2, good.size() - 1}) {
    write_text(file, good.substr(0, length));
    EXPECT_EQ(reading(file), file.string() + ": is not a checkpoint of scree, or not all of it is there") << length;
  }
  write_text(file, good + "x");
  EXPECT_NE(reading(file), "read");
  std::string other = good;
  other.replace(other.rfind("format 0002"), 11, "format 0003");
  write_text(file, other);
  EXPECT_EQ(reading(file), file.string() + ": is damaged: its checksum is not the one that was written");
  write_text(file, sealed(image_of(good), 3));
  EXPECT_EQ(reading(file), file.string() + ": is a checkpoint of format 3, this version of scree reads format 2");
  EXPECT_EQ(reading(folder / "absent.h5"), (folder / "absent.h5").string() + ": does not exist");
}

TEST(CheckpointFile, NamesSortByStep) {
  const ScratchFolder folder;
  for (const char* name : {"step_000000010.h5", "step_000000009.h5", "step_1234567890.h5", "step_000000011.h5.tmp",
                           "step_x.h5", "notes.txt", "step_11.h5"}) {
    write_text(folder / name, "");
  }
  const auto found = checkpoints_in(folder.path());
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].first, 9U);
  EXPECT_EQ(found[1].first, 10U);
  EXPECT_EQ(found[2].first, 1234567890U);
  EXPECT_TRUE(checkpoints_in(folder / "absent").empty());
}

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
  EXPECT_EQ(found[1].first, 100U);  // the end
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

/// Runs to `interrupt`, then on from the newest checkpoint: the folder must hold what an uninterrupted run leaves.
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
    // What a run that went on and was killed would leave: a later row, half of another, a frame.
    std::ofstream(folder / "series.csv", std::ios::app) << "0.09765625,100,3,100,2,1\n0.0976,10";
    write_text(folder / "frames/frame_000099.vtkhdf", "");
    second.restore(read_checkpoint(folder / summary.checkpoint).state);
    summary =
        Simulation(input, scene, second, {.folder = folder.path(), .steps = 100 - interrupt, .resumed = true}).run();
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
  EXPECT_EQ(differing_values(R"({"particles": [{"file": "a.csv"}]})", R"({"particles": [{"file": "b.csv"}]})"), List{});
  EXPECT_EQ(differing_values(R"({"materials": {"a": 1, "b": 2}})", R"({"materials": {"b": 2, "a": 1}})"),
            List{"materials (in another order there)"});
}

// --- scree run --resume --------------------------------------------------------------------------------------------

INSTANTIATE_TEST_SUITE_P(Precisions, ResumeCommand, testing::Values("mixed", "double"));

TEST_P(ResumeCommand, GoesOnToTheSameBits) {
  const auto expected = whole();
  for (const std::uint64_t steps : {1U, 200U, 333U, 999U}) {
    arguments_.resume = false;
    arguments_.steps = steps;
    arguments_.settings.clear();
    ASSERT_EQ(run(), exit_done);
    arguments_.resume = true;
    arguments_.steps.reset();
    arguments_.engine.threads = 2;
    arguments_.settings = {"neighbours.verlet_distance=0.003"};
    ASSERT_EQ(run(), exit_done);
    expect_as_whole(expected);
  }
  const auto log = read_text(folder_ / "out/run.log");
  EXPECT_NE(log.find("done        999 steps"), std::string::npos);
  EXPECT_NE(log.find("resumed     from "), std::string::npos);
  EXPECT_NE(log.find("step 999, t = 0.01998 s"), std::string::npos);
  // Nothing is left to do, and nothing changes.
  ASSERT_EQ(run(), exit_done);
  expect_as_whole(expected);
  // A longer duration takes the run further.
  arguments_.settings = {"time.duration=0.025"};
  ASSERT_EQ(run(), exit_done);
  arguments_.resume = false;
  arguments_.folder = folder_ / "longer";
  const auto further = hash();
  ASSERT_EQ(run(), exit_done);
  EXPECT_EQ(hash(), further);
  EXPECT_EQ(read_text(folder_ / "out/series.csv"), read_text(folder_ / "longer/series.csv"));
}

/// A case that asks for no checkpoints leaves that of its end: from it the run can be made longer.
TEST_P(ResumeCommand, AFinishedRunCanBeMadeLonger) {
  arguments_.settings = {"output.checkpoints={\"every\":1000}", "time.duration=0.03"};
  const auto expected = whole();
  arguments_.settings = {
      "output={\"series\":{\"every\":0.0007},\"frames\":{\"every\":0.003,\"fields\":[\"id\",\"force\",\"coordination_"
      "number\"]}}"};
  ASSERT_EQ(run(), exit_done);
  EXPECT_EQ(checkpoints_in(folder_ / "out/checkpoints").size(), 1U);
  arguments_.settings.push_back("time.duration=0.03");
  arguments_.resume = true;
  ASSERT_EQ(run(), exit_done);
  EXPECT_EQ(hash(), expected);
  const auto left = lines_of(folder_ / "out/series.csv"), all = lines_of(folder_ / "whole/series.csv");
  EXPECT_EQ(left, all);
}

/// Probes whose names would mean something in the path of an array, and what they count in a run that is interrupted in
/// between.
TEST_P(ResumeCommand, FlowProbesGoOnUnderAnyName) {
  std::string probes;
  for (const std::string name : {"out", "a/b", "a//b", ".", "..", "/", "%2E", "\u00fc"}) {
    probes += (probes.empty() ? "" : ", ") + std::string("\"") + name +
              R"(": { "type": "flow", "plane": { "point": [0, 0, 0.02], "normal": [0, 0, -1] } })";
  }
  const auto text = resumable_case(GetParam());
  const std::string series = R"("every": 0.0007)";
  auto with_probes = text;
  with_probes.replace(text.find(series), series.size(), series + ", \"probes\": { " + probes + " }");
  write_text(folder_ / "drop.json", with_probes);
  const auto expected = whole();
  arguments_.steps = 333;
  ASSERT_EQ(run(), exit_done);
  arguments_.steps.reset();
  arguments_.resume = true;
  ASSERT_EQ(run(), exit_done);
  expect_as_whole(expected);
  const auto rows = lines_of(folder_ / "whole/series.csv");
  EXPECT_NE(rows.front().find("count"), std::string::npos);
  EXPECT_TRUE(rows.back().find(",2,") != std::string::npos || rows.back().find(",1,") != std::string::npos)
      << rows.back();
}

TEST_P(ResumeCommand, ADamagedCheckpointIsPassedOver) {
  const auto expected = whole();
  arguments_.steps = 777;
  ASSERT_EQ(run(), exit_done);  // leaves steps 600 and 777
  auto newest = read_text(folder_ / "out/checkpoints/step_000000777.h5");
  newest[newest.size() / 2] = static_cast<char>(~newest[newest.size() / 2]);
  write_text(folder_ / "out/checkpoints/step_000000777.h5", newest);
  write_text(folder_ / "out/checkpoints/step_000000800.h5.tmp", "half of one, by a killed process");
  arguments_.steps.reset();
  arguments_.resume = true;
  ASSERT_EQ(run(), exit_done);
  EXPECT_NE(terminal_.str().find("step_000000777.h5: is damaged"), std::string::npos) << terminal_.str();
  EXPECT_NE(terminal_.str().find("step 600"), std::string::npos);
  expect_as_whole(expected);
  EXPECT_FALSE(fs::exists(folder_ / "out/checkpoints/step_000000800.h5.tmp"));
  const auto left = checkpoints_in(folder_ / "out/checkpoints");
  ASSERT_EQ(left.size(), 2U);
  EXPECT_EQ(left[0].first, 800U);
  for (const auto& [step, file] : left) { write_text(file, "foreign"); }
  EXPECT_EQ(run("can be read"), exit_bad_input);
}

TEST_P(ResumeCommand, AnotherCaseIsRefused) {
  arguments_.steps = 300;
  ASSERT_EQ(run(), exit_done);
  arguments_.resume = true;
  arguments_.steps.reset();
  const auto series = read_text(folder_ / "out/series.csv");
  arguments_.settings = {"materials.glass.friction=0.5", "gravity=[0, 0, -1]"};
  EXPECT_EQ(run("is another one: gravity.2 (-9.81 there, -1 here)"), exit_bad_input);
  EXPECT_EQ(run("is another one: materials.glass.friction (0.4 there, 0.5 here)"), exit_bad_input);
  arguments_.settings = {std::string("precision=") + (GetParam() == std::string("mixed") ? "double" : "mixed")};
  EXPECT_EQ(run("is another one: precision"), exit_bad_input);
  arguments_.settings.clear();
  arguments_.steps = 200;
  EXPECT_EQ(run("is of step 300, but the run ends at step 200"), exit_bad_input);
  arguments_.steps.reset();
  write_text(folder_ / "spheres.csv", std::string(spheres) + "0.1,0.1,0.1,0.01\n");
  EXPECT_EQ(run("a file that the case names has changed"), exit_bad_input);
  write_text(folder_ / "spheres.csv", spheres);
  EXPECT_EQ(read_text(folder_ / "out/series.csv"), series);  // nothing was touched
  arguments_.settings = {"title=other", "time.duration=0.03", "output.series.every=0.001"};
  EXPECT_EQ(run(), exit_done);
}

TEST_P(ResumeCommand, NothingToResumeIsSaid) {
  arguments_.resume = true;
  EXPECT_EQ(run("--resume: there is no checkpoint in"), exit_bad_input);
  EXPECT_FALSE(fs::exists(folder_ / "out"));
}

TEST_P(ResumeCommand, AnewRunTakesAwayTheCheckpoints) {
  ASSERT_EQ(run(), exit_done);
  EXPECT_EQ(checkpoints_in(folder_ / "out/checkpoints").size(), 2U);
  arguments_.settings = {"output.checkpoints.every=1"};
  arguments_.steps = 5;
  ASSERT_EQ(run(), exit_done);
  EXPECT_EQ(checkpoints_in(folder_ / "out/checkpoints").size(), 1U);
}

TEST_P(ResumeCommand, InfoAndCompareReadWhatARunLeaves) {
  const auto expected = whole();
  arguments_.settings = {"particles.0.velocity=[0.2, 0, -0.5000001]"};
  ASSERT_EQ(run(), exit_done);
  std::ostringstream info;
  EXPECT_EQ(run_info(folder_ / "whole/checkpoints/step_000001000.h5", info), exit_done);
  for (const std::string text : {"step         1000, t = 0.02 s", "particles    4", "bodies/position",
                                 "4 x 3  float64  [m]", "pairs/shear", "[N]"}) {
    EXPECT_NE(info.str().find(text), std::string::npos) << text << "\n" << info.str();
  }
  EXPECT_NE(info.str().find(expected.substr(11)), std::string::npos) << info.str();
  info.str("");
  EXPECT_EQ(run_info(folder_ / "whole/frames/frame_000001.vtkhdf", info), exit_done);
  EXPECT_NE(info.str().find("step         150, t = 0.003 s"), std::string::npos) << info.str();
  EXPECT_THROW(static_cast<void>(run_info(folder_ / "drop.json", info)), CaseError);
  EXPECT_THROW(static_cast<void>(run_info(folder_ / "absent", info)), CaseError);

  std::ostringstream same, differ;
  EXPECT_EQ(run_compare(folder_ / "whole", folder_ / "whole", same), exit_done);
  EXPECT_EQ(same.str(), "no difference in 10 files of the same steps\n");
  EXPECT_EQ(run_compare(folder_ / "whole", folder_ / "out", differ), exit_run_failed);
  EXPECT_TRUE(differ.str().starts_with("step 150, frame, Point")) << differ.str();
  EXPECT_NE(differ.str().find("particle 0"), std::string::npos) << differ.str();
  differ.str("");
  EXPECT_EQ(run_compare(folder_ / "whole/checkpoints/step_000001000.h5", folder_ / "out/checkpoints/step_000001000.h5",
                        differ),
            exit_run_failed);
  EXPECT_TRUE(differ.str().starts_with("step 1000, bodies/")) << differ.str();
}

}  // namespace
}  // namespace scree::test
