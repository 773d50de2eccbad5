#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "case_errors.hpp"
#include "host/run/exit_code.hpp"
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

}  // namespace scree::test::start_moved_walls_test
