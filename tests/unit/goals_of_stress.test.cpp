#include <gtest/gtest.h>

#include <string>

#include "case_errors.hpp"
#include "host/output/series_writer.hpp"
#include "scree/build_scene.hpp"
#include "scree/case_file.hpp"

/// Goals of stress that cannot be reached, and the columns of runs with a cell and stages.
namespace scree::test::goals_of_stress_test {

std::string with_control(const std::string& control, const std::string& law = "hertz_mindlin") {
  return R"({ "time": { "duration": 0.01, "step": 1e-6 }, "gravity": [0, 0, 0],
    "materials": { "glass": { "density": 2500, "young_modulus": 1e7, "poisson_ratio": 0.25, "friction": 0.4,
                              "restitution": 0.4 } },
    "contacts": [ { "between": ["glass", "glass"], "law": ")" +
         law + (law == "jkr" ? "\", \"surface_energy\": 0.1" : "\"") + R"( } ],
    "particles": [ { "material": "glass", "radius": 0.01, "positions": [[0.02, 0.02, 0.02]] } ],
    "domain": { "periodic": { "size": [0.1, 0.1, 0.1] }, "control": )" +
         control + " } }";
}

SceneReport report_of(const std::string& text) {
  SceneReport report;
  static_cast<void>(build_scene(parse_case(text, "."), report));
  return report;
}

constexpr const char* tension =
    R"([ { "xx": { "stress": 1e5 }, "yy": { "stress": -1e5 }, "until": { "duration": 1 } } ])";

TEST(GoalsOfStress, ATensionThatNothingHoldsIsAWarning) {
  const SceneReport report = report_of(with_control(tension));
  ASSERT_FALSE(report.warnings.empty());
  EXPECT_IN(
      "domain.control.0.xx.stress: 100000 Pa is a tension, which particles without bonds and adhesion cannot hold",
      report.warnings.front() + (report.warnings.size() > 1 ? report.warnings[1] : ""));
  for (const std::string& warning : report_of(with_control(tension, "jkr")).warnings) {
    EXPECT_EQ(warning.find("tension"), std::string::npos) << warning;
  }
}

// A reversal at the whole stress of a component waits for a tension.
TEST(GoalsOfStress, AReversalThatNeverComesIsAWarning) {
  const auto warnings = [](const std::string& component) {
    std::string all;
    for (const std::string& warning : report_of(with_control("[ { " + component + " } ]")).warnings) all += warning;
    return all;
  };
  const std::string normal = R"("zz": { "strain_rate": -1, "reverse_at_stress": 3e4)";
  EXPECT_IN("domain.control.0.zz.reverse_at_stress: the whole stress is compared with -30000 and 30000 Pa",
            warnings(normal + " }"));
  EXPECT_EQ(warnings(normal + R"(, "plus": { "xx": -0.5, "yy": -0.5 } })").find("reverse_at"), std::string::npos);
  EXPECT_EQ(warnings(R"("xy": { "strain_rate": 1, "reverse_at_stress": 3e4 })").find("reverse_at"), std::string::npos);
}

// The sign of a pressure is a common mistake, and no stress of a packing is above 0.
TEST(GoalsOfStress, AStageThatWaitsForATensionIsAWarning) {
  const auto warnings = [](const std::string& stress, const std::string& law = "hertz_mindlin") {
    std::string all;
    const std::string stage = R"([ { "zz": { "strain_rate": -1 }, "until": { "stress": )" + stress + " } } ]";
    for (const std::string& warning : report_of(with_control(stage, law)).warnings) { all += warning; }
    return all;
  };
  EXPECT_IN("domain.control.0.until.stress.zz: never comes, since 400000 Pa is no pressure",
            warnings(R"({ "zz": 4e5 })"));
  EXPECT_IN("domain.control.0.until.stress.xx: never comes, since 0 Pa is no pressure", warnings(R"({ "xx": 0 })"));
  for (const auto& fine : {warnings(R"({ "zz": -4e5, "xy": 1e4 })"), warnings(R"({ "zz": 4e5 })", "jkr")}) {
    EXPECT_EQ(fine.find("never comes"), std::string::npos) << fine;
  }
}

TEST(GoalsOfStress, AnErrorRelativeToNothingIsRefused) {
  const auto error = error_of([] {
    static_cast<void>(report_of(with_control(
        R"([ { "xx": { "stress": 0 }, "yy": { "stress": 0 }, "until": { "stress_error": 0.01, "unbalanced_force": 1 } } ])")));
  });
  EXPECT_IN("domain.control.0.until.stress_error: is a fraction of the largest goal of stress", error);
}

// Rows have one column "stage": that of the stages of the run, or else that of the control of the cell.
TEST(GoalsOfStress, ASeriesHasOneColumnOfStages) {
  Scene scene;
  scene.cell.emplace();
  for (const std::size_t stages : {0u, 2u}) {
    scene.stages.resize(stages);
    const std::string header = series_header(scene) + ",";
    const auto first = header.find(",stage,");
    EXPECT_NE(first, std::string::npos) << header;
    EXPECT_EQ(header.find(",stage,", first + 1), std::string::npos) << header;
  }
}

}  // namespace scree::test::goals_of_stress_test
