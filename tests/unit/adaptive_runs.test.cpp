#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "resume_command.hpp"

/// Runs whose time step adapts end at a time, and not at a step that is known before.
namespace scree::test::adaptive_runs_test {

class AdaptiveRuns : public ResumeCommand {
 protected:
  void SetUp() override {
    ResumeCommand::SetUp();
    arguments_.settings = adaptive_;
  }
  nlohmann::json times() const { return nlohmann::json::parse(read_text(folder_ / "out/case.json"))["time"]; }
  void set_duration(const std::string& duration) {
    arguments_.settings = adaptive_;
    arguments_.settings.push_back("time.duration=" + duration);
  }

 private:
  const std::vector<std::string> adaptive_{"time={\"duration\": 0.02, \"adaptive\": true}"};
};
INSTANTIATE_TEST_SUITE_P(Precisions, AdaptiveRuns, testing::Values("mixed", "double"));

TEST_P(AdaptiveRuns, AreNotResumedForATimeThatIsOver) {
  ASSERT_EQ(run(), exit_done);
  const auto before = content_of("out");
  arguments_.resume = true;
  set_duration("0.01");
  EXPECT_EQ(run("s, but the run ends at t = 0.01 s"), exit_bad_input);
  EXPECT_EQ(content_of("out"), before);
  set_duration("0.02");  // which the last step has reached
  EXPECT_EQ(run(), exit_done);
  set_duration("0.03");
  EXPECT_EQ(run(), exit_done);
}

/// The case in the folder runs to the same state without `--steps`.
TEST_P(AdaptiveRuns, TheCaseOfSomeStepsHasTheDurationOfThese) {
  for (const std::uint64_t steps : {1U, 50U}) {
    arguments_.steps = steps;
    ASSERT_EQ(run(), exit_done);
    const auto expected = hash();
    EXPECT_LT(times()["duration"].get<double>(), 0.02);
    RunArguments again = arguments_;
    write_text(folder_ / "again.json", read_text(folder_ / "out/case.json"));
    std::swap(arguments_, again);
    arguments_.case_file = folder_ / "again.json";
    arguments_.folder = folder_ / "again";
    arguments_.settings.clear();
    arguments_.steps.reset();
    ASSERT_EQ(run(), exit_done);
    EXPECT_EQ(hash(), expected) << steps;
    EXPECT_EQ(read_text(folder_ / "again/series.csv"), read_text(folder_ / "out/series.csv"));
    EXPECT_EQ(read_text(folder_ / "again/case.json"), read_text(folder_ / "out/case.json"));
    std::swap(arguments_, again);
  }
  arguments_.steps.reset();
  ASSERT_EQ(run(), exit_done);
  EXPECT_EQ(times()["duration"].get<double>(), 0.02);
}

}  // namespace scree::test::adaptive_runs_test
