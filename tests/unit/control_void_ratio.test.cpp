#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "case_errors.hpp"
#include "host/measure/cell_meters.hpp"
#include "host/run/cell_text.hpp"
#include "scree/build_scene.hpp"
#include "scree/case_file.hpp"
#include "scree/simulation.hpp"

/// Stages of a periodic cell that end at a void ratio or a solid fraction.
namespace scree::test::control_void_ratio_test {

// A cloud of the solid fraction 0.4 that is compressed from all sides to 0.5, and then opens again.
constexpr const char* text = R"({ "time": { "duration": 1, "step": 1e-5 }, "gravity": [0, 0, 0],
  "materials": { "sand": { "density": 2650, "young_modulus": 1e8, "poisson_ratio": 0.2, "friction": 0.5,
                           "restitution": 0.3 } },
  "particles": [ { "material": "sand", "radius": { "uniform": [0.8e-3, 1.2e-3] },
                   "fill": { "cell": {}, "solid_fraction": 0.4 } } ],
  "domain": { "periodic": { "size": [0.008, 0.008, 0.008] },
    "control": [
      { "name": "press", "xx": { "strain_rate": -40 }, "yy": { "follows": { "xx": 1 } },
        "zz": { "follows": { "xx": 1 } }, "xy": { "strain_rate": 30 },
        "until": { "solid_fraction": { "above": 0.5 } } },
      { "name": "open", "zz": { "strain_rate": 40 }, "until": { "void_ratio": { "above": 1.1 } } } ] } })";

struct Ended {
  double void_ratio = 0;
  std::uint64_t steps = 0;
  std::vector<std::string> warnings;
};
Ended ended_with(const std::vector<std::string>& settings) {
  const Case input = parse_case(text, ".", settings);
  SceneReport report;
  const Scene scene = build_scene(input, report);
  const auto engine = make_engine(scene, {BackendChoice::host, 1});
  Simulation simulation(input, scene, *engine, {});
  simulation.run();
  EXPECT_TRUE(engine->finished());
  const MeasuredState state(*engine, {.forces = true, .contacts = true});
  return {measure_cell(state, scene).void_ratio, engine->step(), report.warnings};
}

// In a step the volume changes by a factor 1 - 1.2e-3 in the first stage, and by 1 + 4e-4 in the second: a stage ends
// at the first step at which the limit is passed. So the void ratio e misses its limit by at most (1 + e) times this.
TEST(ControlVoidRatio, AStageEndsAtTheStepThatReachesIt) {
  const Ended pressed = ended_with({R"(domain.control.1={ "name": "none", "until": { "duration": 1e-5 } })"});
  EXPECT_LE(pressed.void_ratio, 1 + 1e-8);
  EXPECT_GT(pressed.void_ratio, 1 - 2 * 1.2e-3);
  const Ended opened = ended_with({});
  EXPECT_GE(opened.void_ratio, 1.1 - 1e-8);
  EXPECT_LT(opened.void_ratio, 1.1 + 2.1 * 4e-4);
  // ln(2.1 / 2) at ln(1 + 4e-4) per step is 122.01; the first stage went beyond its limit by up to 3 such steps.
  EXPECT_GE(opened.steps - pressed.steps + 1, 122U);
  EXPECT_LE(opened.steps - pressed.steps + 1, 126U);
}

TEST(ControlVoidRatio, WarnsOfAVoidRatioThatIsThereAlready) {
  const auto warnings = [](const std::string& until) {
    SceneReport report;
    (void)build_scene(parse_case(text, ".", {"domain.control.0.until=" + until}), report);
    return report.warnings;
  };
  const std::string here = "domain.control.0.until: the cell has this void ratio at the start already";
  const auto loose = warnings(R"({ "void_ratio": { "above": 0.9 } })");
  ASSERT_EQ(loose.size(), 1U);
  EXPECT_IN(here, loose[0]);
  EXPECT_TRUE(warnings(R"({ "void_ratio": { "below": 0.9 } })").empty());
  EXPECT_EQ(warnings(R"({ "solid_fraction": { "above": 0.3 } })").size(), 1U);
}

TEST(ControlVoidRatio, WhatCannotBeIsRefused) {
  const auto problem = [](const std::vector<std::string>& settings) {
    return error_of([&] {
      SceneReport report;
      (void)build_scene(parse_case(text, ".", settings), report);
    });
  };
  const std::string first = "domain.control.0.until.";
  EXPECT_IN(first + R"(void_ratio: must have exactly one of "above", "below", got none)",
            problem({R"(domain.control.0.until={ "void_ratio": {} })"}));
  EXPECT_IN(first + "void_ratio.below: must be greater than 0, got 0",
            problem({R"(domain.control.0.until={ "void_ratio": { "below": 0 } })"}));
  EXPECT_IN(first + "solid_fraction.above: must be in (0, 1), got 1",
            problem({R"(domain.control.0.until={ "solid_fraction": { "above": 1 } })"}));
  EXPECT_IN(
      "domain.control.1.until.void_ratio: is never reached, since the stage controls none of",
      problem({R"(domain.control.1={ "xy": { "strain_rate": 1 }, "until": { "void_ratio": { "below": 0.9 } } })"}));
  EXPECT_IN(first + "solid_fraction: is not possible with \"domain.delete_in\"",
            problem({R"(domain.delete_in={ "hole": { "sphere": { "center": [0, 0, 0], "radius": 1e-3 } } })"}));
  EXPECT_IN(
      "domain.control.0.until.void_ratio: is not possible, since the cell does not repeat along z",
      problem({R"(domain.periodic.axes=["x", "y"])",
               R"(domain.control=[{ "xx": { "strain_rate": -1 }, "until": { "void_ratio": { "below": 0.9 } } }])"}));
}

TEST(ControlVoidRatio, TheTextOfAStageSaysIt) {
  SceneReport report;
  const auto lines = cell_lines(build_scene(parse_case(text, "."), report));
  ASSERT_EQ(lines.size(), 4U);
  EXPECT_IN("; until a void ratio of at most 1", lines[2].second);
  EXPECT_IN("; until a void ratio of at least 1.1", lines[3].second);
}

}  // namespace scree::test::control_void_ratio_test
