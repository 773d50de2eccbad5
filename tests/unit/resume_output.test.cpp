#include <gtest/gtest.h>

#include "host/output/continued_output.hpp"
#include "host/storage/hdf5_reader.hpp"
#include "host/storage/state_columns.hpp"
#include "resume_command.hpp"

/// How `scree run --resume` treats the files in the folder.
namespace scree::test::resume_output_test {

namespace fs = std::filesystem;

class ResumedOutput : public ResumeCommand {
 protected:
  /// A run that ended at step 777, to be resumed from its checkpoint of this step.
  void interrupted_run() {
    expected_ = whole();
    arguments_.steps = 777;
    ASSERT_EQ(run(), exit_done);
    arguments_.steps.reset();
    arguments_.resume = true;
  }
  bool said(const std::string& text) const { return terminal_.str().find(text) != std::string::npos; }

  std::string expected_;
};
INSTANTIATE_TEST_SUITE_P(Precisions, ResumedOutput, testing::Values("mixed"));

TEST_P(ResumedOutput, AMissingListOfFramesIsMadeOfTheFrames) {
  interrupted_run();
  for (const std::string list : {"", "{ \"file-series-version\": \"1.0\", \"files\": [\n    { \"name\": \"fra",
                                 "{ \"files\": [ { \"name\": \"a\", \"time\": 1 } ] }"}) {
    if (list.empty()) {
      fs::remove(folder_ / "out/frames.vtkhdf.series");
    } else {
      write_text(folder_ / "out/frames.vtkhdf.series", list);
    }
    ASSERT_EQ(run(), exit_done);
    EXPECT_TRUE(
        said(list.empty() ? "warning: frames.vtkhdf.series is not there" : "warning: frames.vtkhdf.series is damaged"))
        << terminal_.str();
    expect_as_whole(expected_);
  }
}

TEST_P(ResumedOutput, FilesOfOthersAreNotTouched) {
  interrupted_run();
  const std::vector<std::string> foreign{"frames/notes.txt",
                                         "frames/frame_backup.vtkhdf",
                                         "frames/frame_000099_copy.vtkhdf",
                                         "frames/frame_99.vtkhdf",
                                         "frames/frame_+00099.vtkhdf",
                                         "checkpoints/step_best.h5",
                                         "checkpoints/notes.txt",
                                         "notes.txt"};
  for (const auto& name : foreign) { write_text(folder_ / "out" / name, "mine"); }
  for (const bool list : {true, false}) {
    if (!list) { fs::remove(folder_ / "out/frames.vtkhdf.series"); }
    ASSERT_EQ(run(), exit_done);
    for (const auto& name : foreign) { EXPECT_EQ(read_text(folder_ / "out" / name), "mine") << name; }
  }
  for (const auto& name : foreign) { fs::remove(folder_ / "out" / name); }
  expect_as_whole(expected_);
}

TEST_P(ResumedOutput, AFrameThatDoesNotTellItsTimeStays) {
  interrupted_run();
  fs::remove(folder_ / "out/frames.vtkhdf.series");
  write_text(folder_ / "out/frames/frame_000002.vtkhdf", "no frame");
  write_text(folder_ / "out/frames/frame_000050.vtkhdf", "no frame either");
  ASSERT_EQ(run(), exit_done);
  EXPECT_TRUE(said("frames/frame_000002.vtkhdf does not tell its time")) << terminal_.str();
  EXPECT_EQ(read_text(folder_ / "out/frames/frame_000002.vtkhdf"), "no frame");
  EXPECT_EQ(read_text(folder_ / "out/frames/frame_000050.vtkhdf"), "no frame either");
  EXPECT_EQ(read_text(folder_ / "out/frames/frame_000051.vtkhdf"),
            read_text(folder_ / "whole/frames/frame_000006.vtkhdf"));
}

/// A changed digit of a time or a name leaves a list that can be read but is wrong. No frame of an earlier time may be
/// lost.
TEST_P(ResumedOutput, AListWithAChangedDigitIsMadeOfTheFrames) {
  interrupted_run();
  const std::string good = read_text(folder_ / "out/frames.vtkhdf.series");
  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    const auto at = text.find(from);
    EXPECT_NE(at, std::string::npos) << text;
    return text.replace(at, from.size(), to);
  };
  for (const std::string& list :
       {changed("\"time\": 0.006", "\"time\": 0.906"), changed("\"time\": 0.006", "\"time\": 0.002"),
        changed("frame_000001", "frame_000000"), changed("frame_000005", "frame_000007")}) {
    const auto before = content_of("out");
    write_text(folder_ / "out/frames.vtkhdf.series", list);
    ASSERT_EQ(run(), exit_done);
    EXPECT_TRUE(said("warning: frames.vtkhdf.series is damaged: it is made anew of 6 frames of before this step"))
        << list << terminal_.str();
    expect_as_whole(expected_);
    fs::remove_all(folder_ / "out");
    for (const auto& [name, bytes] : before) {
      fs::create_directories((folder_ / "out" / name).parent_path());
      write_text(folder_ / "out" / name, bytes);
    }
  }
}

/// Such a list may still be in order. The frame has a time of its own, and nobody knows which one is right.
TEST_P(ResumedOutput, AListAndAFrameThatTellOtherTimesAreTold) {
  interrupted_run();
  const fs::path file = folder_ / "out/frames.vtkhdf.series";
  std::string list = read_text(file);
  const std::string right = "\"time\": 0.006", wrong = "\"time\": 0.005";
  const auto at = list.find(right);
  ASSERT_NE(at, std::string::npos) << list;
  write_text(file, list.replace(at, right.size(), wrong));
  ASSERT_EQ(run(), exit_done);
  EXPECT_TRUE(said("warning: frames.vtkhdf.series gives frames/frame_000002.vtkhdf the time 0.005 s, the file itself"))
      << terminal_.str();
  for (const auto& [name, bytes] : content_of("whole")) {
    if (name.find(".vtkhdf") != std::string::npos && !name.ends_with(".series")) {
      EXPECT_EQ(read_text(folder_ / "out" / name), bytes) << name;
    }
  }
}

/// A run can be killed after it has written a checkpoint and before it removes the oldest one.
TEST_P(ResumedOutput, WhatAKilledRunDidNotRemoveIsRemoved) {
  interrupted_run();
  const auto names = [&] { return files_below(folder_ / "out/checkpoints"); };
  const std::vector<std::string> kept = {"step_000000600.h5", "step_000000777.h5"};
  ASSERT_EQ(names(), kept);
  const auto leave_another = [&] {
    write_text(folder_ / "out/checkpoints/step_000000400.h5", read_text(folder_ / "out/checkpoints/step_000000600.h5"));
  };
  leave_another();
  arguments_.steps = 777;  // the run is at its end, so nothing more is written
  ASSERT_EQ(run(), exit_done);
  EXPECT_EQ(names(), kept);
  leave_another();
  arguments_.settings = {"output.checkpoints.keep=0"};
  ASSERT_EQ(run(), exit_done);
  EXPECT_EQ(names().size(), 3U);
}

/// A frame is due at the step of the checkpoint, so it is written again: with the loads of its whole interval.
TEST_P(ResumedOutput, FacetsHaveTheSameLoads) {
  write_text(folder_ / "plate.obj", "v -1 -1 0\nv 1 -1 0\nv 1 1 0\nv -1 1 0\nf 1 2 3\nf 1 3 4\n");
  arguments_.settings = {
      R"(boundaries={"plate":{"type":"mesh","file":"plate.obj","material":"glass","facets":{"archard":1e-13}}})"};
  const auto expected = whole();
  const Hdf5Reader frame(folder_ / "whole/boundaries/plate/frame_000002.vtkhdf");
  const auto pressure = rows_of<double>(frame.read("/VTKHDF/CellData/pressure"), ValueType::float64);
  EXPECT_GT(pressure.at(0) + pressure.at(1), 0);
  expect_as_whole_when_interrupted(expected, {300, 310, 450});
}

TEST_P(ResumedOutput, AFrameThatIsGoneIsTold) {
  interrupted_run();
  fs::remove(folder_ / "out/frames/frame_000001.vtkhdf");
  ASSERT_EQ(run(), exit_done);
  EXPECT_TRUE(said("frames.vtkhdf.series names frames/frame_000001.vtkhdf, which is not there")) << terminal_.str();
  EXPECT_EQ(read_text(folder_ / "out/frames.vtkhdf.series"), read_text(folder_ / "whole/frames.vtkhdf.series"));
}

TEST_P(ResumedOutput, AMissingSeriesBeginsAnewAndThatIsTold) {
  interrupted_run();
  fs::remove(folder_ / "out/series.csv");
  ASSERT_EQ(run(), exit_done);
  EXPECT_TRUE(said("warning: series.csv is not there: its rows begin at this step")) << terminal_.str();
  const auto whole = lines_of(folder_ / "whole/series.csv"), left = lines_of(folder_ / "out/series.csv");
  ASSERT_GT(left.size(), 3U);
  EXPECT_EQ(left.front(), whole.front());
  EXPECT_TRUE(std::equal(left.rbegin(), left.rend() - 1, whole.rbegin()));
}

TEST_P(ResumedOutput, RowsBeforeTheCheckpointStayWhateverStandsBetweenThem) {
  interrupted_run();
  auto lines = lines_of(folder_ / "out/series.csv");
  lines.insert(lines.begin() + 5, "a line that is no row");
  std::string text;
  for (const auto& line : lines) { text += line + "\n"; }
  write_text(folder_ / "out/series.csv", text + std::string(20, '\0') + "\n1,");
  ASSERT_EQ(run(), exit_done);
  EXPECT_TRUE(said("warning: series.csv has 1 line that is no row")) << terminal_.str();
  lines = lines_of(folder_ / "out/series.csv");
  EXPECT_EQ(lines[5], "a line that is no row");
  lines.erase(lines.begin() + 5);
  EXPECT_EQ(lines, lines_of(folder_ / "whole/series.csv"));
}

TEST_P(ResumedOutput, WhatIsRefusedChangesNothing) {
  interrupted_run();
  std::ofstream(folder_ / "out/series.csv", std::ios::app) << "0.01,9999,4,0,0,1\n0.0";
  write_text(folder_ / "out/checkpoints/step_000000778.h5", "cannot be read");
  write_text(folder_ / "out/checkpoints/step_000000900.h5.tmp", "half");
  write_text(folder_ / "out/fault.vtkhdf", "of a fault");
  const auto before = content_of("out");
  const auto refused = [&](const std::string& why) {
    EXPECT_EQ(run(why), exit_bad_input);
    EXPECT_EQ(content_of("out"), before) << why;
  };
  arguments_.settings = {"gravity=[0, 0, -1]"};
  refused("is another one: gravity.2");
  arguments_.settings = {R"(output.series.probes={"p":{"type":"track","particles":[0]}})"};
  refused("has other columns than this run would write");
  arguments_.settings = {R"(output.series.probes={"p":{"type":"track","particles":[7]}})"};
  refused("must be the id of a particle");
  arguments_.settings.clear();
  arguments_.steps = 500;
  refused("is of step 777, but the run ends at step 500");
  arguments_.steps.reset();
  write_text(folder_ / "spheres.csv", std::string(spheres) + "0.1,0.1,0.1,0.01\n");
  refused("a file that the case names has changed");
  write_text(folder_ / "spheres.csv", spheres);
  ASSERT_EQ(run(), exit_done);
  expect_as_whole(expected_);
}

TEST_P(ResumedOutput, AChangedDigitOfTheVersionIsDamage) {
  interrupted_run();
  const auto file = folder_ / "out/checkpoints/step_000000777.h5";
  const auto good = read_text(file);
  for (const std::string digit : {"0001", "0003", "0012", "9002"}) {
    auto bad = good;
    bad.replace(bad.rfind("format 0002") + 7, 4, digit);
    write_text(file, bad);
    const auto steps = content_of("out/checkpoints");
    ASSERT_EQ(run(), exit_done);
    EXPECT_TRUE(said("step_000000777.h5: is damaged")) << terminal_.str();
    EXPECT_TRUE(said("step 600")) << terminal_.str();
    expect_as_whole(expected_);
    fs::remove_all(folder_ / "out/checkpoints");
    for (const auto& [name, bytes] : steps) { write_text(folder_ / "out/checkpoints" / name, bytes); }
  }
}

TEST_P(ResumedOutput, ACheckpointThatCannotBeWrittenEndsTheRun) {
  write_text(folder_ / "out/run.log", "scree ");
  write_text(folder_ / "out/checkpoints/step_000000400.h5.tmp/keep", "");  // name of the second checkpoint
  arguments_.settings = {"time.duration=10"};
  EXPECT_EQ(run("step_000000400.h5: cannot be written"), exit_run_failed);
  EXPECT_TRUE(fs::exists(folder_ / "out/checkpoints/step_000000200.h5"));
  EXPECT_NE(read_text(folder_ / "out/run.log").find("step_000000400.h5: cannot be written"), std::string::npos);
}

TEST(ContinuedOutput, NamesOfFramesAreOurs) {
  EXPECT_EQ(file_name_of(FileNumbers::frames, 12), "frame_000012.vtkhdf");
  EXPECT_EQ(file_name_of(FileNumbers::frames, 12345678), "frame_12345678.vtkhdf");
}

/// The largest number has no successor, so the list is not one of ours. No frame may be removed because of it.
TEST(ContinuedOutput, ANumberWithoutANextOneTakesNoFrameAway) {
  const ScratchFolder folder;
  write_text(folder / "list", R"({"files": [ { "name": "frames/frame_18446744073709551615.vtkhdf", "time": 0.5 } ]})");
  write_text(folder / "frames/frame_000000.vtkhdf", "mine");
  const KeptFrames kept = look_at_frames(folder.path(), "list", "frames", 1);
  EXPECT_TRUE(kept.later.empty());
  EXPECT_TRUE(kept.list.empty());
  EXPECT_EQ(kept.next, 1U);
}

}  // namespace scree::test::resume_output_test
