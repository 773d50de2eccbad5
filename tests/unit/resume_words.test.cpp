#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "case_errors.hpp"
#include "host/commands/check.hpp"
#include "host/commands/compare.hpp"
#include "host/commands/run.hpp"
#include "host/run/exit_code.hpp"
#include "resume_command.hpp"

/// What resumed and repeated runs say, and what they refuse.
namespace scree::test::resume_words_test {

class ResumeWords : public ResumeCommand {
 protected:
  std::string log() const { return read_text(folder_ / "out/run.log"); }
  /// Runs 333 steps and then the rest. Returns the log of the rest.
  std::string resumed() {
    arguments_.steps = 333;
    EXPECT_EQ(run(), exit_done) << terminal_.str();
    const std::size_t length = log().size();
    arguments_.steps.reset();
    arguments_.resume = true;
    EXPECT_EQ(run(), exit_done) << terminal_.str();
    return log().substr(length);
  }
  /// The log of a run that was killed.
  void take_away_the_end_of_the_log() {
    const std::string text = log();
    write_text(folder_ / "out/run.log", text.substr(0, text.find("\ndone ") + 1));
  }
};
INSTANTIATE_TEST_SUITE_P(Precisions, ResumeWords, testing::Values("mixed"));

TEST_P(ResumeWords, AnInterruptedRunIsNotOverwrittenByAccident) {
  const std::string expected = whole();
  arguments_.steps = 400;
  ASSERT_EQ(run(), exit_done);
  take_away_the_end_of_the_log();
  arguments_.steps.reset();
  const auto before = content_of("out");
  EXPECT_EQ(run("holds a run that was interrupted, with a checkpoint of step 400: go on with it by --resume"),
            exit_bad_input);
  EXPECT_EQ(content_of("out"), before);
  arguments_.overwrite = true;
  ASSERT_EQ(run(), exit_done);
  EXPECT_EQ(hash(), expected);
  EXPECT_EQ(log().find("resumed"), std::string::npos);
  arguments_.overwrite = false;
  EXPECT_EQ(run(), exit_done) << "a run that has ended may be repeated";
}

TEST_P(ResumeWords, BoundariesThatWereSwitchedBeforeAreNotToldAgain) {
  const std::string plane = R"({"type":"plane","point":[0,0,-0.1],"normal":[0,0,1],"material":"glass",)";
  arguments_.settings = {"boundaries.early=" + plane + R"("present_until":0.002})",
                         "boundaries.late=" + plane + R"("present_from":0.015})"};
  const std::string rest = resumed();
  EXPECT_EQ(rest.find("is gone"), std::string::npos) << rest;
  EXPECT_IN("boundary \"late\" appears", rest);
}

TEST_P(ResumeWords, OutputsThatStagesHadSwitchedOffAreNotMissed) {
  const auto stage = [](const std::string& name, const std::string& on, const std::string& more) {
    return R"({"name":")" + name + R"(","output":{"frames":{"on":)" + on + R"(},"series":{"on":)" + on + "}}" + more +
           "}";
  };
  arguments_.settings = {
      "stages=[" + stage("settle", "false", R"(,"until":{"duration":0.01})") + "," + stage("run", "true", "") + "]",
      R"(output.series.probes={"p":{"type":"flow","plane":{"point":[0,0,0.02],"normal":[0,0,-1]}}})"};
  const std::string rest = resumed();
  for (const char* words : {"is not there", "no row", "knows nothing"}) {
    EXPECT_EQ(rest.find(words), std::string::npos) << rest;
  }
  const auto files = results_of("out");
  EXPECT_EQ(files.count("frames/frame_000000.vtkhdf"), 1U);
  arguments_.resume = false;
  arguments_.folder = folder_ / "whole";
  ASSERT_EQ(run(), exit_done);
  EXPECT_EQ(results_of("whole"), files);
}

TEST_P(ResumeWords, StagesThatShareTheDurationAreNotCutShort) {
  // 0.0067 s are 335 steps, and three times as much 1005; the run has 1000.
  const auto stage = [](const std::string& name, double duration) {
    return R"({"name":")" + name + R"(","until":{"duration":)" + std::to_string(duration) + "}}";
  };
  arguments_.settings = {"stages=[" + stage("a", 0.00667) + "," + stage("b", 0.00667) + "," + stage("c", 0.00666) +
                         "]"};
  ASSERT_EQ(run(), exit_done);
  EXPECT_EQ(log().find("warning: the run ended before"), std::string::npos) << log();
  arguments_.settings = {"stages=[" + stage("a", 0.00667) + "," + stage("b", 0.05) + "]"};
  ASSERT_EQ(run(), exit_done);
  EXPECT_IN("warning: the run ended before stage \"b\" did", log());
}

TEST_P(ResumeWords, CompareLooksAtRowsAndContactsToo) {
  arguments_.settings = {R"(output.contacts={"every":0.005})"};
  ASSERT_EQ(run(), exit_done);
  std::filesystem::copy(folder_ / "out", folder_ / "other", std::filesystem::copy_options::recursive);
  std::ostringstream same, rows;
  EXPECT_EQ(run_compare(folder_ / "out", folder_ / "other", same), exit_done);
  EXPECT_EQ(same.str(), "no difference in 15 files and 30 rows of series.csv of the same steps\n");
  std::string table = read_text(folder_ / "other/series.csv");
  const auto row = table.find('\n', table.find('\n') + 1) + 1;  // the second one
  table.insert(table.find(',', table.find(',', row) + 1) + 1, "1");
  write_text(folder_ / "other/series.csv", table);
  EXPECT_EQ(run_compare(folder_ / "out", folder_ / "other", rows), exit_run_failed);
  EXPECT_EQ(rows.str(), "step 35, series.csv, particles: 4 and 14\n");
  std::filesystem::remove_all(folder_ / "other/frames");
  std::filesystem::remove_all(folder_ / "other/checkpoints");
  std::ostringstream contacts;
  arguments_.settings.emplace_back("materials.glass.friction=0.5");
  ASSERT_EQ(run(), exit_done);
  EXPECT_EQ(run_compare(folder_ / "out", folder_ / "other", contacts), exit_run_failed);
  EXPECT_IN(", file of contacts, ", contacts.str());
}

// Runs that have only their start in common are not called equal, and what has no partner is counted.
TEST_P(ResumeWords, CompareSaysWhatItDidNotCompare) {
  ASSERT_EQ(run(), exit_done);
  std::filesystem::rename(folder_ / "out", folder_ / "other");
  arguments_.settings = {"time.step=3.1e-5"};
  ASSERT_EQ(run(), exit_done);
  std::ostringstream start;
  EXPECT_EQ(run_compare(folder_ / "out", folder_ / "other", start), exit_run_failed);
  EXPECT_IN("only step 0 is common to both, and it does not differ; not compared: ", start.str());
  EXPECT_IN(" and 29 rows of " + (folder_ / "other").string(), start.str());
  arguments_.settings = {"time.duration=0.01"};
  ASSERT_EQ(run(), exit_done);
  std::ostringstream longer;
  EXPECT_EQ(run_compare(folder_ / "out", folder_ / "other", longer), exit_done);
  EXPECT_IN("of the same steps; not compared: ", longer.str());
}

// The particle and the step are named, and scripts see the failure.
TEST_P(ResumeWords, CheckFailsWhereTheFirstStepsDo) {
  std::ostringstream out;
  EXPECT_EQ(run_check(folder_ / "drop.json", {"particles.0.velocity=[0,0,-90]", "time.step=1e-3"}, out),
            exit_run_failed);
  EXPECT_IN("failure          the first steps fail: step ", out.str());
  EXPECT_IN(", particle", out.str());
}

// Where sums of masses are rounded, the last particle came only if an output stopped the run at the right step.
TEST_P(ResumeWords, AnInletWithAMassDoesNotDependOnOutput) {
  const double radius = 0.001, one = 4.0 / 3.0 * 3.14159265358979323846 * radius * radius * radius * 2500;
  for (const int number : {6, 8, 11, 19}) {
    std::ostringstream mass;
    mass.precision(17);
    mass << number * one;
    arguments_.settings = {R"(particles=[{"material":"glass","radius":0.001,"inlet":{"mass_flow":0.0105,"mass":)" +
                               mass.str() + R"(,"region":{"box":[[0,0,0.1],[0.02,0.02,0.12]]}}}])",
                           R"(output={"series":{"every":1}})"};
    ASSERT_EQ(run(), exit_done);
    const std::string rare = hash();
    arguments_.settings[1] = R"(output={"series":{"every":0.0007}})";
    ASSERT_EQ(run(), exit_done);
    EXPECT_EQ(hash(), rare) << number;
  }
}

TEST_P(ResumeWords, ATrackNamesAParticleOnce) {
  arguments_.settings = {R"(output.series.probes={"t":{"type":"track","particles":[1,2,1]}})"};
  EXPECT_EQ(run("output.series.probes.t.particles.2: 1 is listed twice"), exit_bad_input);
}

}  // namespace scree::test::resume_words_test
