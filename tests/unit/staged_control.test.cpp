#include <gtest/gtest.h>

#include <string>

#include "case_errors.hpp"
#include "host/run/stage_text.hpp"
#include "runs_case.hpp"
#include "scree/build_scene.hpp"
#include "scree/case_file.hpp"
#include "scree/simulation.hpp"
#include "series_columns.hpp"

/// Runs with both stages and stages of the cell, and what they refuse.
namespace scree::test::staged_control_test {

// A cloud that is compressed without friction, then sheared with friction.
constexpr const char* text = R"({ "time": { "duration": 1, "step": 1e-5 }, "precision": "double", "gravity": [0, 0, 0],
  "materials": { "sand": { "density": 2650, "young_modulus": 1e8, "poisson_ratio": 0.2, "friction": 0.5,
                           "restitution": 0.3 } },
  "particles": [ { "material": "sand", "radius": { "uniform": [0.8e-3, 1.2e-3] },
                   "fill": { "cell": {}, "solid_fraction": 0.5 } } ],
  "domain": { "periodic": { "size": [0.01, 0.01, 0.01] },
    "control": [
      { "name": "press", "xx": { "strain_rate": -40 }, "yy": { "strain_rate": -40 }, "zz": { "strain_rate": -40 },
        "until": { "strain": { "zz": 0.0501 } } },
      { "name": "relax", "until": { "duration": 2.37e-4 } },
      { "name": "shear", "xy": { "strain_rate": 20 }, "until": { "strain": { "xy": 0.02 } } } ] },
  "stages": [ { "name": "smooth", "friction": [ { "value": 0 } ], "until": { "control": "press" } },
              { "name": "quiet", "viscous_damping": 100, "until": { "control": "relax" } },
              { "name": "rough", "friction": [ { "value": 0.4 } ], "viscous_damping": 0 } ],
  "output": { "series": { "every": 1e-5 }, "checkpoints": { "every": 2e-4 } } })";

std::vector<std::string> notes_of(const Case& input, StateHash& hash) {
  SceneReport report;
  const Scene scene = build_scene(input, report);
  const auto engine = make_engine(scene, {BackendChoice::host, 1});
  std::vector<std::string> notes;
  RunOptions options;
  options.note = [&](const std::string& note) { notes.push_back(note); };
  Simulation simulation(input, scene, *engine, options);
  simulation.run();
  EXPECT_TRUE(engine->finished());
  hash = engine->hash();
  return notes;
}

// The strain of 0.0501 at 40/s needs ln(1 - 4e-4) = -4.0008e-4 per step: 125.2 steps, so 126. The next stage lasts 24
// of them (2.37e-4 s to the nearest step), and the stages of the run change at just these steps.
TEST(StagedControl, StagesChangeAtTheStepAtWhichThoseOfTheCellEnd) {
  StateHash hash;
  const auto notes = notes_of(parse_case(text, "."), hash);
  ASSERT_EQ(notes.size(), 3U);
  EXPECT_IN("step 126, ", notes[1]);
  EXPECT_IN("stage \"smooth\" ends (the stage \"press\" of the cell is over); stage \"quiet\" begins", notes[1]);
  EXPECT_IN("step 150, ", notes[2]);
  EXPECT_IN("stage \"rough\" begins", notes[2]);
}

// Nothing else makes the run look at its stages, neither output nor another stage of the cell.
TEST(StagedControl, StagesEndAtTheFirstMomentAtWhichTheyMay) {
  StateHash hash;
  // "relax" is over at step 150, but "quiet" lasts for 100 steps from step 126 on.
  auto notes = notes_of(parse_case(text, ".", {R"(stages.1.until={"control":"relax","not_before":1e-3})"}), hash);
  ASSERT_EQ(notes.size(), 3U);
  EXPECT_IN("step 226, ", notes[2]);
  // A stage that begins when "relax" is over already ends after a step.
  notes = notes_of(parse_case(text, ".", {R"(stages=[ { "name": "first", "until": { "duration": 1.8e-3 } },
                                           { "name": "late", "until": { "control": "relax" } }, { "name": "last" } ])"}),
                   hash);
  ASSERT_EQ(notes.size(), 3U);
  EXPECT_IN("step 180, ", notes[1]);
  EXPECT_IN("step 181, ", notes[2]);
}

// The friction of the first stage acts from the start: without it the packing would be another one.
TEST(StagedControl, TheChangesActInTheirStages) {
  StateHash staged, smooth, same;
  (void)notes_of(parse_case(text, "."), staged);
  (void)notes_of(parse_case(text, ".", {"stages.2.friction.0.value=0"}), smooth);
  EXPECT_NE(staged, smooth);
  (void)notes_of(parse_case(text, ".", {"materials.sand.friction=0.1"}), same);
  EXPECT_EQ(staged, same);  // the friction of the case never acts
}

TEST(StagedControl, TheCheckListsBothKindsOfStages) {
  SceneReport report;
  const auto lines = run_stage_lines(build_scene(parse_case(text, "."), report));
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines[0].first, "run stage 0");
  EXPECT_EQ(lines[0].second, "smooth, friction 0 of sand; until the stage \"press\" of the cell ends");
  EXPECT_EQ(lines[1].second, "quiet; until the stage \"relax\" of the cell ends");
  EXPECT_EQ(lines[2].second, "rough, friction 0.4 of sand; to the end of the run");
}

class StagedControlRun : public testing::Test, protected RunsCase {};

TEST_F(StagedControlRun, GoesOnToTheSameBits) {
  write_text(folder_ / "drop.json", text);
  for (const char* precision : {"precision=mixed", "precision=double"}) {
    arguments_.settings = {precision};
    const std::string expected = whole();
    expect_as_whole_when_interrupted(expected, {125, 126, 127, 149, 150, 151, 160});
  }
}

TEST_F(StagedControlRun, SeriesHaveBothStages) {
  write_text(folder_ / "drop.json", text);
  ASSERT_EQ(run(), exit_done);
  auto columns = columns_of(folder_ / "out" / "series.csv");
  const std::vector<double>&step = columns["step"], &stage = columns["stage"], &of_cell = columns["control_stage"];
  for (std::size_t k = 0; k + 1 < step.size(); ++k) {  // at the end, the cell has no stage left
    const double expected = step[k] < 126 ? 0 : step[k] < 150 ? 1 : 2;
    EXPECT_EQ(stage[k], expected) << step[k];
    EXPECT_EQ(of_cell[k], expected) << step[k];
  }
  EXPECT_EQ(of_cell.back(), 3);
}

TEST(StagedControl, ConditionsNameStagesOfTheCell) {
  const auto problem = [](const std::string& name) {
    return error_of([&] {
      SceneReport report;
      (void)build_scene(parse_case(text, ".", {"stages.0.until={\"control\":\"" + name + "\"}"}), report);
    });
  };
  EXPECT_IN("stages.0.until.control: unknown stage of \"domain.control\" \"pres\"; did you mean \"press\"?",
            problem("pres"));
}

TEST(StagedControl, StressesThatCountOneAnotherNeedASolution) {
  const auto problem = [](const std::string& control) {
    return error_of([&] {
      SceneReport report;
      (void)build_scene(parse_case(text, ".", {"stages=[]", "domain.control=[" + control + "]"}), report);
    });
  };
  EXPECT_IN(
      R"(domain.control.0: the "plus" of "xx", "yy" make these stresses depend on one another without end)",
      problem(R"({ "xx": { "stress": -1e4, "plus": { "yy": 1 } }, "yy": { "stress": 0, "plus": { "xx": 1 } } })"));
  EXPECT_EQ("no error", problem(R"({ "xx": { "stress": -1e4 }, "yy": { "stress": 0, "plus": { "xx": 1 } } })"));
  EXPECT_IN("domain.control.0.xx.plus.xx: is the stress of the component itself",
            problem(R"({ "xx": { "stress": -1e4, "plus": { "xx": 0.5 } } })"));
  EXPECT_IN("domain.control.0.xx.plus: needs \"stress\" or \"reverse_at_stress\"",
            problem(R"({ "xx": { "strain_rate": -1, "plus": { "yy": 0.5 } } })"));
}

}  // namespace scree::test::staged_control_test
