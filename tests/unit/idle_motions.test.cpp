#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "case_errors.hpp"
#include "scree/build_scene.hpp"
#include "scree/case_file.hpp"

/// Warnings of motions that are never used, also those that stages give or replace.
namespace scree::test::idle_motions_test {

/// The warnings about motions of a lid in a run of 1 s.
std::vector<std::string> warnings(const std::string& motion, const std::string& stages) {
  const std::string lid = motion.empty() ? "" : R"(, "motion": [ )" + motion + " ]";
  const std::string text = R"({ "time": { "duration": 1, "step": 1e-4 },
    "materials": { "g": { "density": 2500, "young_modulus": 1e7, "poisson_ratio": 0.3, "friction": 0.5,
                          "restitution": 0.5 } },
    "particles": [ { "material": "g", "radius": 0.01, "positions": [[0, 0, 0.02]] } ],
    "boundaries": { "floor": { "type": "plane", "point": [0, 0, 0], "normal": [0, 0, 1], "material": "g" },
                    "lid": { "type": "plane", "point": [0, 0, 1], "normal": [0, 0, -1], "material": "g")" +
                           lid + R"( } }, "stages": [ )" + stages + " ] }";
  SceneReport report;
  (void)build_scene(parse_case(text, "/nowhere"), report);
  std::vector<std::string> found;
  for (const std::string& warning : report.warnings) {
    if (warning.find("motion") != std::string::npos) { found.push_back(warning); }
  }
  return found;
}

std::string stage(const std::string& name, const std::string& until, const std::string& motion = "") {
  return R"({ "name": ")" + name + '"' + (until.empty() ? "" : R"(, "until": { )" + until + " }") +
         (motion.empty() ? "" : R"(, "boundaries": { "lid": { "motion": [ )" + motion + " ] } }") + " }";
}
std::string down(const std::string& from = "0") {
  return R"({ "type": "translation", "velocity": [0, 0, -0.1], "from": )" + from + " }";
}
std::string table(const std::string& rows) {
  return R"({ "type": "table", "direction": [0, 0, 1], "velocity": )" + rows + " }";
}

using Sentences = std::vector<std::string>;

// The lid gets a motion that keeps it at rest until then, which is no motion of the case.
TEST(IdleMotions, OneThatOnlyAStageUsesIsNone) {
  EXPECT_EQ(warnings("", stage("press", "", down())), Sentences{});
  EXPECT_EQ(warnings("", stage("wait", R"("duration": 0.4)") + "," + stage("press", "", down("0.5"))), Sentences{});
  EXPECT_EQ(warnings(down(), stage("wait", R"("duration": 0.4)") + "," + stage("press", "", down())), Sentences{});
}

TEST(IdleMotions, OnesOfStagesThatEndBeforeAreWarnings) {
  EXPECT_EQ(warnings("", stage("press", R"("duration": 0.4)", down("0.4")) + "," + stage("rest", "", down())),
            Sentences{"stages.0.boundaries.lid.motion.0: begins at 0.4 s of stage \"press\", when stage \"rest\" has "
                      "replaced it"});
  // A stage without motions of its own leaves those before it.
  EXPECT_EQ(warnings("", stage("press", R"("duration": 0.4)", down("0.4")) + "," + stage("rest", "")), Sentences{});
  EXPECT_EQ(warnings("", stage("wait", R"("duration": 0.4)") + "," + stage("press", "", down("0.7"))),
            Sentences{"stages.1.boundaries.lid.motion.0: begins at 0.7 s of stage \"press\", when the run is over"});
  EXPECT_EQ(warnings("", stage("wait", R"("duration": 2)") + "," + stage("press", "", down())),
            Sentences{"stages.1.boundaries.lid.motion.0: is never used: stage \"press\" begins after 2 s at the "
                      "earliest, when the run is over"});
  EXPECT_EQ(warnings(down("0.3"), stage("all", R"("duration": 0.2)")),
            Sentences{"boundaries.lid.motion.0: begins at 0.3 s, when the run is over"});
}

TEST(IdleMotions, OnesThatStagesReplaceAreWarnings) {
  EXPECT_EQ(warnings(down(), stage("press", "", down())),
            Sentences{"boundaries.lid.motion.0: is never used: stage \"press\" replaces it as the run begins"});
  EXPECT_EQ(warnings(down("0.5"), stage("wait", R"("duration": 0.4)") + "," + stage("press", "", down())),
            Sentences{"boundaries.lid.motion.0: begins at 0.5 s, when stage \"press\" has replaced it"});
}

// A stage that waits for a state may last as long as the run, or end at once.
TEST(IdleMotions, StagesOfUnknownLengthGiveNoWarning) {
  const std::string quiet = R"("kinetic_energy": 1e-9, "not_before": 0.1)";
  EXPECT_EQ(warnings(down("0.5"), stage("wait", quiet) + "," + stage("press", "", down("0.8"))), Sentences{});
  EXPECT_EQ(warnings(down("0.5"), stage("wait", quiet + R"(, "duration": 0.4)") + "," + stage("press", "", down())),
            Sentences{"boundaries.lid.motion.0: begins at 0.5 s, when stage \"press\" has replaced it"});
  EXPECT_EQ(warnings("", stage("wait", quiet) + "," + stage("press", "", table("[[0, 0], [0.2, 1]]"))), Sentences{})
      << "the run may end before the table does";
}

TEST(IdleMotions, TablesThatEndInMotionAreWarnings) {
  const std::string moving = table("[[0, 0], [0.2, 0.1]]");
  EXPECT_EQ(warnings("", stage("press", R"("duration": 0.4)", moving) + "," + stage("rest", "", down())),
            Sentences{"stages.0.boundaries.lid.motion.0.velocity: its last row gives 0.1 at 0.2 s, and then the "
                      "boundary rests; with one more row [0.4, 0.1] it goes on"});
  EXPECT_EQ(warnings("", stage("press", R"("duration": 0.2)", moving) + "," + stage("rest", "", down())), Sentences{});
  EXPECT_EQ(warnings(moving, stage("wait", R"("duration": 0.2)") + "," + stage("rest", "", down())), Sentences{});
  EXPECT_EQ(warnings(moving, stage("wait", R"("duration": 0.1)") + "," + stage("rest", "")),
            Sentences{"boundaries.lid.motion.0.velocity: its last row gives 0.1 at 0.2 s, and then the boundary rests; "
                      "with one more row [1, 0.1] it goes on"});
}

}  // namespace scree::test::idle_motions_test
