#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "case_errors.hpp"
#include "host/app/exit_code.hpp"
#include "start_runs.hpp"

/// Walls that forces moved in the run from which another one starts.
namespace scree::test::start_moved_walls_test {

class StartBesideMovedWalls : public testing::Test, protected StartRuns {
 protected:
  /// A bead on a floor below a lid that a force presses down, and a plate of triangles that nothing moves.
  static std::string text(const std::string& lid_height, const std::string& more) {
    return R"({ "time": { "duration": 0.002, "step": 1e-5 }, "gravity": [0, 0, 0],
      "materials": { "g": { "density": 2500, "young_modulus": 1e7, "poisson_ratio": 0.25, "friction": 0.4,
                            "restitution": 0.5 } },
      "boundaries": {
        "floor": { "type": "plane", "point": [0, 0, 0], "normal": [0, 0, 1], "material": "g" },
        "lid": { "type": "plane", "point": [0, 0, )" +
           lid_height + R"(], "normal": [0, 0, -1], "material": "g",
                 "drive": { "translation": { "free": ["z"], "mass": 0.01, "force": [0, 0, -5] } } } }, )" +
           more + "}";
  }
  [[nodiscard]] std::vector<std::string> warnings(const std::string& lid_height) const {
    SceneReport report;
    (void)build_scene(parse_case(text(lid_height, R"("start": "packing")"), folder_.path()), report);
    return report.warnings;
  }
};

TEST_F(StartBesideMovedWalls, AWallAtItsOldPlaceIsAWarningWithTheNewOne) {
  write_text(folder_ / "packing.json", text("0.0225", R"("particles": [ { "material": "g", "radius": 0.01,
    "positions": [[0, 0, 0.01]] } ], "output": { "series": { "every": 0.002 }, "checkpoints": { "every": 0.002 } })"));
  ASSERT_EQ(run("packing.json", "packing"), exit_done) << terminal_.str();
  const std::vector<std::string> said = warnings("0.0225");
  ASSERT_EQ(said.size(), 1u);
  EXPECT_IN("start: forces had moved \"lid\" by 1 mm when that run ended, but boundaries.lid begins at its old place",
            said[0]);
  // Without contact yet: 5 N on 10 g for 2 ms, 1 mm in exact arithmetic and with the leapfrog's half step.
  const auto at = said[0].find("\"point\": [0, 0, ");
  ASSERT_NE(at, std::string::npos);
  EXPECT_NEAR(std::stod(said[0].substr(at + 16)), 0.0215, 1e-5);
  EXPECT_TRUE(warnings("0.0215").empty()) << "the case knows";
}

/// A plate of triangles that turned upright beside a bead, and one that was shifted.
class StartInMovedBoundaries : public testing::Test, protected StartRuns {
 protected:
  /// A bead of 10 mm and a square plate whose middle is at its centre unless it turns or moves. `plate`: further keys.
  static std::string text(const std::string& plate, const std::string& more) {
    return R"({ "time": { "duration": 0.01, "step": 1e-5 }, "gravity": [0, 0, 0],
      "materials": { "g": { "density": 2500, "young_modulus": 1e7, "poisson_ratio": 0.25, "friction": 0.4,
                            "restitution": 0.5 } },
      "boundaries": { "plate": { "type": "mesh", "file": "plate.obj", "material": "g", )" +
           plate + "} }, " + more + "}";
  }
  void SetUp() override {
    write_text(folder_ / "plate.obj", "v 0 0 -1\nv 0.1 0 -1\nv 0.1 0 1\nv 0 0 1\nf 1 2 3\nf 1 3 4\n");
  }
  /// Runs a packing around a plate that moves, and says what is wrong with a start whose plate has other keys.
  std::string refusal(const std::string& packed, const std::string& started, const std::string& more = {}) {
    write_text(folder_ / "packing.json", text(packed, R"("particles": [ { "material": "g", "radius": 0.01,
      "positions": [[0.05, 0.001, 0]] } ], "output": { "checkpoints": { "every": 0.01 } })"));
    EXPECT_EQ(run("packing.json", "packing"), exit_done) << terminal_.str();
    try {
      SceneReport report;
      (void)build_scene(parse_case(text(started, R"("start": "packing")" + more), folder_.path()), report);
    } catch (const CaseError& error) { return error.what(); }
    return {};
  }
};

TEST_F(StartInMovedBoundaries, AShiftedOneIsRefusedWithItsPlace) {
  const std::string said = refusal(R"("translate": [0, -0.03, 0], "motion": [ { "type": "translation",
      "velocity": [0, -1, 0], "from": 0.002 } ])",
                                   "\"translate\": [0, 0, 0]");
  EXPECT_IN("boundaries.plate: 1 particle of the start lies in it by more than half of the radius, particle 0 by 90 %",
            said);
  EXPECT_IN("; it had moved when that run ended; \"translate\": [0, -0.038, 0] puts it where it stood", said);
}

TEST_F(StartInMovedBoundaries, ATurnedOneIsRefusedWithItsTurn) {
  const std::string turns = R"("rotate": {"axis": [0, 0, 2], "angle": -1}, "motion": [ { "type": "rotation",
      "axis": [0, 0, 1], "rate": -100, "until": 0.005 } ])";
  EXPECT_IN("\"rotate\": {\"axis\": [0, 0, 1], \"angle\": -1.5} puts it where it stood",
            refusal(turns, "\"scale\": 1"));
  EXPECT_EQ(refusal(turns, R"("rotate": {"axis": [0, 0, 1], "angle": -1.5})"), "") << "its own advice";
  // About an axis beside the origin a turn shifts it, too.
  const std::string aside = R"("rotate": {"axis": [0, 0, 1], "angle": 1}, "motion": [ { "type": "rotation",
      "axis": [0, 0, 1], "origin": [0, -0.1, 0], "rate": 50 } ])";
  const std::string said = refusal(aside, "\"scale\": 1");
  EXPECT_IN("\"rotate\": {\"axis\": [0, 0, 1], \"angle\": 1.5}, \"translate\": [-0.0479", said);
}

TEST_F(StartInMovedBoundaries, ResultsOfParticlesThatCannotBeMovedOrLeaveAreNoConcern) {
  const std::string away = R"("translate": [0, -0.03, 0])", here = R"("translate": [0, 0, 0])";
  EXPECT_IN("; give it a place where the particles are not", refusal(away, here));
  EXPECT_EQ(refusal(away, here, R"(, "domain": { "outlets": { "y": { "point": [0, 0, 0], "normal": [0, 1, 0] } } })"),
            "");
  EXPECT_EQ(refusal(R"("translate": [0, -0.03, 0], "motion": [ { "type": "translation", "velocity": [0, 3, 0] } ])",
                    R"("translate": [0, -0.004, 0])"),
            "")
      << "by half of the radius";
}

}  // namespace scree::test::start_moved_walls_test
