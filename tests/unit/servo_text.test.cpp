#include <gtest/gtest.h>

#include "case_errors.hpp"
#include "host/run/servo_text.hpp"
#include "scree/build_scene.hpp"
#include "scree/case_file.hpp"

/// What `scree check` says of walls that hold a stress.
namespace scree::test::servo_text_test {

// I L / (2 d) sqrt(P / rho) = 0.001 x 0.1 m / 4 mm x 2 m/s: a lid 0.1 m above a floor, grains of 2 mm and 2500 kg/m3.
TEST(ServoText, TellsHowFastAWallMayMove) {
  SceneReport report;
  const Scene scene = build_scene(parse_case(R"({ "time": { "duration": 1, "step": 1e-6 }, "materials": {
      "sand": { "density": 2500, "young_modulus": 1e7, "poisson_ratio": 0.25, "friction": 0.4, "restitution": 0.5 } },
    "particles": [ { "material": "sand", "radius": 1e-3, "positions": [[0, 0, 0.01]] } ],
    "boundaries": {
      "floor": { "type": "plane", "point": [0, 0, 0], "normal": [0, 0, 1], "material": "sand" },
      "lid": { "type": "plane", "point": [0, 0, 0.1], "normal": [0, 0, -1], "material": "sand",
               "servo": { "stress": 1e4, "area": 0.01 } } } })",
                                             "."),
                                  report);
  const auto lines = servo_lines(scene);
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(lines[0].first, "servo");
  EXPECT_IN("lid: moves towards the particles by at most 0.05 m/s", lines[0].second);
}

}  // namespace scree::test::servo_text_test
