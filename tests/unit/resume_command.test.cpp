#include <gtest/gtest.h>

#include <csignal>
#include <sstream>

#include "host/checkpoint/resume.hpp"
#include "host/commands/compare.hpp"
#include "host/commands/info.hpp"
#include "host/commands/run.hpp"
#include "host/run/exit_code.hpp"
#include "resume_command.hpp"
#include "scratch_folder.hpp"
#include "scree/case_file.hpp"
#include "scree/errors.hpp"

namespace scree::test::resume_command_test {

namespace fs = std::filesystem;

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
  // The run is already at its end, and nothing changes.
  ASSERT_EQ(run(), exit_done);
  expect_as_whole(expected);
  // A longer duration continues the run.
  arguments_.settings = {"time.duration=0.025"};
  ASSERT_EQ(run(), exit_done);
  arguments_.resume = false;
  arguments_.folder = folder_ / "longer";
  const auto further = hash();
  ASSERT_EQ(run(), exit_done);
  EXPECT_EQ(hash(), further);
  EXPECT_EQ(read_text(folder_ / "out/series.csv"), read_text(folder_ / "longer/series.csv"));
}

/// A case that requests no checkpoints still leaves one at its end, so that the run can be made longer.
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

/// Names of probes that have a meaning in the path of an array. Their counts must survive an interruption.
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
  ASSERT_EQ(run(), exit_done);  // leaves checkpoints of steps 600 and 777
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
  EXPECT_EQ(run("to go on with other values, give a case of its own \"start\": \"" +
                (folder_ / "out/checkpoints/step_000000300.h5").string()),
            exit_bad_input);
  arguments_.settings = {std::string("precision=") + (GetParam() == std::string("mixed") ? "double" : "mixed")};
  EXPECT_EQ(run("is another one: precision"), exit_bad_input);
  arguments_.settings.clear();
  arguments_.steps = 200;
  EXPECT_EQ(run("is of step 300, but the run ends at step 200"), exit_bad_input);
  arguments_.steps.reset();
  write_text(folder_ / "spheres.csv", std::string(spheres) + "0.1,0.1,0.1,0.01\n");
  EXPECT_EQ(run("a file that the case names has changed"), exit_bad_input);
  write_text(folder_ / "spheres.csv", spheres);
  EXPECT_EQ(read_text(folder_ / "out/series.csv"), series);  // the series has not been touched
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

TEST_P(ResumeCommand, InfoAndCompareReadFramesOfStages) {
  const auto stages = [](const std::string& name) {
    return "stages=[{\"name\":\"" + name + "\",\"until\":{\"duration\":0.01}},{\"name\":\"rest\"}]";
  };
  arguments_.settings = {stages("fall")};
  ASSERT_EQ(run(), exit_done);
  fs::rename(folder_ / "out", folder_ / "fall");
  arguments_.settings = {stages("drop")};
  ASSERT_EQ(run(), exit_done);
  std::ostringstream info, same, differ;
  EXPECT_EQ(run_info(folder_ / "fall/frames/frame_000001.vtkhdf", info), exit_done);
  EXPECT_NE(info.str().find("stage        fall\n"), std::string::npos) << info.str();
  EXPECT_EQ(run_compare(folder_ / "fall", folder_ / "fall", same), exit_done);
  EXPECT_EQ(run_compare(folder_ / "fall", folder_ / "out", differ), exit_run_failed);
  EXPECT_NE(differ.str().find("FieldData/Stage: \"fall\" and \"drop\""), std::string::npos) << differ.str();
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
  EXPECT_EQ(same.str(), "no difference in 10 files and 30 rows of series.csv of the same steps\n");
  EXPECT_EQ(run_compare(folder_ / "whole", folder_ / "out", differ), exit_run_failed);
  EXPECT_TRUE(differ.str().starts_with("step 150, frame, Point")) << differ.str();
  EXPECT_NE(differ.str().find("particle 0"), std::string::npos) << differ.str();
  differ.str("");
  EXPECT_EQ(run_compare(folder_ / "whole/checkpoints/step_000001000.h5", folder_ / "out/checkpoints/step_000001000.h5",
                        differ),
            exit_run_failed);
  EXPECT_TRUE(differ.str().starts_with("step 1000, bodies/")) << differ.str();
}

}  // namespace scree::test::resume_command_test
