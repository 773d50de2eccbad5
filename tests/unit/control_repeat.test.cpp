#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "case_errors.hpp"
#include "host/run/cell_text.hpp"
#include "runs_case.hpp"
#include "scree/build_scene.hpp"
#include "scree/case_file.hpp"
#include "scree/simulation.hpp"
#include "series_columns.hpp"

/// Stages of a periodic cell that are repeated.
namespace scree::test::control_repeat_test {

// Cycles of shear of a cloud: half a cycle at 10/s to a strain of 0.002 lasts 20 steps.
constexpr const char* text = R"({ "time": { "duration": 1, "step": 1e-5 }, "precision": "double", "gravity": [0, 0, 0],
  "materials": { "sand": { "density": 2650, "young_modulus": 1e8, "poisson_ratio": 0.2, "friction": 0.5,
                           "restitution": 0.3 } },
  "particles": [ { "material": "sand", "radius": { "uniform": [0.8e-3, 1.2e-3] },
                   "fill": { "cell": {}, "solid_fraction": 0.5 } } ],
  "domain": { "periodic": { "size": [0.01, 0.01, 0.01] },
    "control": [
      { "name": "rest", "until": { "duration": 1e-4 } },
      { "name": "cycles", "repeat": { "times": 3, "stages": [
        { "name": "forth", "xy": { "strain_rate": 10 }, "until": { "strain": { "xy": 0.002 } } },
        { "xy": { "strain_rate": -10 }, "until": { "strain": { "xy": 0.002 } } } ] } },
      { "name": "end", "until": { "duration": 5e-5 } } ] },
  "stages": [ { "name": "cyclic", "until": { "control": "cycles" } }, { "name": "after" } ],
  "output": { "series": { "every": 1e-5 }, "checkpoints": { "every": 1e-3 } } })";

Scene scene_with(const std::vector<std::string>& settings) {
  SceneReport report;
  return build_scene(parse_case(text, ".", settings), report);
}

TEST(ControlRepeat, StagesComeOneAfterTheOther) {
  const std::vector<CellStage> stages = scene_with({}).cell.value().stages;
  ASSERT_EQ(stages.size(), 8U);
  EXPECT_FALSE(stages[0].repeat);
  EXPECT_FALSE(stages[7].repeat);
  for (std::size_t s = 1; s < 7; ++s) {
    EXPECT_EQ(stages[s].name, s % 2 == 1 ? "forth" : "stage " + std::to_string(s));
    EXPECT_EQ(stages[s].goals[5].table.front()[1], s % 2 == 1 ? 10 : -10);
    ASSERT_TRUE(stages[s].repeat);
    EXPECT_EQ(stages[s].repeat->round, (s - 1) / 2);
    EXPECT_EQ(stages[s].repeat->first, (s - 1) / 2 * 2 + 1);
    EXPECT_EQ(stages[s].repeat->behind, 7U);
    EXPECT_EQ(stages[s].path, s % 2 == 1 ? "domain.control.1.repeat.stages.0" : "domain.control.1.repeat.stages.1");
  }
}

TEST(ControlRepeat, IsWrittenAndReadBack) {
  const Case input = parse_case(text, ".", {R"(domain.control.1.repeat.until={"double_amplitude":{"xy":0.05}})"});
  const std::string once = write_case(input);
  EXPECT_EQ(write_case(parse_case(once, ".")), once);
  EXPECT_IN("\"double_amplitude\"", once);
}

class ControlRepeatRun : public testing::Test, protected RunsCase {};

TEST_F(ControlRepeatRun, TheSeriesHasAllRoundsAndARunGoesOnToTheSameBits) {
  write_text(folder_ / "drop.json", text);
  const std::string expected = whole();
  auto columns = columns_of(folder_ / "whole" / "series.csv");
  const std::vector<double>&step = columns["step"], &of_cell = columns["control_stage"], &stage = columns["stage"];
  for (std::size_t k = 0; k + 1 < step.size(); ++k) {  // 10 steps of rest, 6 times 20, 5 steps
    const double rounds = std::floor((step[k] - 10) / 20);
    EXPECT_EQ(of_cell[k], step[k] < 10 ? 0 : step[k] < 130 ? 1 + rounds : 7) << step[k];
    EXPECT_EQ(stage[k], step[k] < 130 ? 0 : 1) << step[k];
  }
  EXPECT_EQ(step.back(), 135);
  expect_as_whole_when_interrupted(expected, {9, 11, 49, 50, 51, 130});
}

// The strain xy goes from 0 to 0.002 and back in each round: its double amplitude of 0.0015 is there after 15 steps.
TEST_F(ControlRepeatRun, ADoubleAmplitudeEndsAllRounds) {
  write_text(folder_ / "drop.json", text);
  arguments_.settings = {R"(domain.control.1.repeat.until={"double_amplitude":{"xy":0.0015}})"};
  const std::string expected = whole();
  auto columns = columns_of(folder_ / "whole" / "series.csv");
  const std::vector<double>&step = columns["step"], &of_cell = columns["control_stage"];
  for (std::size_t k = 0; k + 1 < step.size(); ++k) {
    EXPECT_EQ(of_cell[k], step[k] < 10 ? 0 : step[k] < 25 ? 1 : 7) << step[k];
  }
  EXPECT_EQ(step.back(), 30);
  expect_as_whole_when_interrupted(expected, {17, 25});
}

TEST(ControlRepeat, WhatCannotBeIsRefused) {
  const auto problem = [](const std::string& setting) { return error_of([&] { (void)scene_with({setting}); }); };
  const std::string here = "domain.control.1.";
  EXPECT_IN(here + "repeat.stages: must have at least 1 entry, got 0", problem("domain.control.1.repeat.stages=[]"));
  EXPECT_IN(here + "repeat.times: must be at least 1, got 0", problem("domain.control.1.repeat.times=0"));
  EXPECT_IN(here + "repeat.times: makes more than 10000 stages of 2, got 5001",
            problem("domain.control.1.repeat.times=5001"));
  EXPECT_IN(here + "until: is not possible beside \"repeat\"; give it in its stages",
            problem(R"(domain.control.1.until={"duration":1})"));
  EXPECT_IN(here + "xx: is not possible beside \"repeat\"", problem(R"(domain.control.1.xx={"strain_rate":1})"));
  EXPECT_IN(here + "repeat.stages.1.until: is missing",
            problem(R"(domain.control.1.repeat.stages.1={"xy":{"strain_rate":-1}})"));
  EXPECT_IN(here + "repeat.stages.0.until.strain.zz: is never reached",
            problem(R"(domain.control.1.repeat.stages.0.until={"strain":{"zz":1}})"));
  EXPECT_IN(here + "repeat.until.double_amplitude.zz: is never reached, since no stage controls \"zz\"",
            problem(R"(domain.control.1.repeat.until={"double_amplitude":{"zz":0.1}})"));
  EXPECT_IN("unknown stage of \"domain.control\" \"forth\"", problem(R"(stages.0.until={"control":"forth"})"));
}

TEST(ControlRepeat, TextsTellTheRounds) {
  const Scene scene = scene_with({R"(domain.control.1.repeat.until={"double_amplitude":{"xy":0.05}})"});
  const auto lines = cell_lines(scene);
  ASSERT_EQ(lines.size(), 6U);
  EXPECT_EQ(lines[3].first, "stage 1");
  EXPECT_IN(
      "forth: xy at 10 /s; until a strain xy of 0.002; the 2 stages from here come 3 times, up to stage 6, or "
      "until a double amplitude xy of 0.05",
      lines[3].second);
  EXPECT_IN("; repeated with the stages before", lines[4].second);
  EXPECT_EQ(lines[5].first, "stage 7");
  CellState state;
  state.stage = 3;
  EXPECT_IN("in stage 3, forth of round 2 of 3; strain", cell_state_text(state, *scene.cell));
}

}  // namespace scree::test::control_repeat_test
