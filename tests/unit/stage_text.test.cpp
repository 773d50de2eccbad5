#include <gtest/gtest.h>

#include <string>

#include "host/run/stage_text.hpp"
#include "scree/build_scene.hpp"
#include "scree/case_file.hpp"

/// What `scree check` says of the stages of a run.
namespace scree::test::stage_text_test {

/// The line of a stage that ends with these conditions.
std::string line_of(const std::string& until) {
  SceneReport report;
  const Scene scene = build_scene(parse_case(R"({ "time": { "duration": 1, "step": 1e-5 }, "materials": {
      "sand": { "density": 2500, "young_modulus": 1e7, "poisson_ratio": 0.25, "friction": 0.4, "restitution": 0.5 } },
    "particles": [ { "material": "sand", "radius": 1e-3, "positions": [[0, 0, 0.01]] } ],
    "boundaries": {
      "floor": { "type": "plane", "point": [0, 0, 0], "normal": [0, 0, 1], "material": "sand" },
      "lid": { "type": "plane", "point": [0, 0, 0.1], "normal": [0, 0, -1], "material": "sand",
               "motion": [ { "type": "translation", "velocity": [0, 0, -0.01] } ] } },
    "domain": { "outlets": { "out": { "point": [0.1, 0, 0], "normal": [1, 0, 0] } } },
    "stages": [ { "name": "wait", "until": )" + until +
                                                 R"( }, { "name": "rest" } ] })",
                                             "."),
                                  report);
  return run_stage_lines(scene).at(0).second;
}

TEST(StageText, TellsEachCondition) {
  EXPECT_EQ(line_of(R"({ "duration": 0.2 })"), "wait; for 0.2 s");
  EXPECT_EQ(line_of(R"({ "at_most": 1 })"), "wait; until at most 1 particle is left");
  EXPECT_EQ(line_of(R"({ "at_least": 1200, "duration": 0.2 })"),
            "wait; until at least 1 200 particles are there, for at most 0.2 s");
  EXPECT_EQ(line_of(R"({ "removed": { "by": "out" } })"), "wait; until \"out\" has removed 1 particle");
  EXPECT_EQ(line_of(R"({ "flow": { "by": "out", "window": 0.1, "below": 0.01 } })"),
            "wait; until the flow through \"out\" is at most 0.01 kg/s");
  EXPECT_EQ(line_of(R"({ "boundary_force": { "boundary": "lid", "above": 5 } })"),
            "wait; until the force on \"lid\" is at least 5 N");
  EXPECT_EQ(line_of(R"({ "measure": { "column": "overlap_max", "above": 0.05 } })"),
            "wait; until \"overlap_max\" is at least 0.05");
}

TEST(StageText, JoinsConditions) {
  EXPECT_EQ(
      line_of(R"({ "kinetic_energy": 1e-9, "boundary_position": { "boundary": "lid", "above": 0.003 },
                         "not_before": 0.1, "duration": 0.5 })"),
      "wait; until \"lid\" has moved by at least 0.003 m or the mean kinetic energy is at most 1e-09 J, not before "
      "0.1 s, for at most 0.5 s");
  EXPECT_EQ(
      line_of(R"({ "at_most": 10, "all_of": [ { "speed": 0.01, "duration": 0.2 }, { "unbalanced_force": 0.02 } ],
                         "not_before": 0.1 })"),
      "wait; until at most 10 particles are left or the largest speed is at most 0.01 m/s and 0.2 s have passed and "
      "the unbalanced force is at most 0.02, not before 0.1 s");
}

}  // namespace scree::test::stage_text_test
