#include <gtest/gtest.h>

#include <string>

#include "sample_meshes.hpp"
#include "scratch_folder.hpp"
#include "scree/build_scene.hpp"
#include "scree/case_file.hpp"

/// The automatic time step under the load that walls with a servo bring.
namespace scree::test::servo_step_test {

/// The step [s] of 100 grains below a wall of 2 x 2 cm with this servo.
double step_with(const std::string& wall) {
  const ScratchFolder folder;
  write_text(folder / "lid.obj", "v -.01 -.01 .05\nv .01 -.01 .05\nv .01 .01 .05\nv -.01 .01 .05\nf 1 2 3\nf 1 3 4\n");
  write_stl(folder / "block.stl", sample_box({-0.01, -0.01, 0.05}, {0.01, 0.01, 0.06}));
  SceneReport report;
  return build_scene(parse_case(R"({ "time": { "duration": 0.1 }, "gravity": [0, 0, 0], "materials": {
      "sand": { "density": 2500, "young_modulus": 1e6, "poisson_ratio": 0.25, "friction": 0.4, "restitution": 0.5 } },
    "particles": [ { "material": "sand", "radius": 1e-3,
                     "fill": { "box": [[-0.01, -0.01, 0], [0.01, 0.01, 0.04]], "count": 100 } } ],
    "boundaries": { "floor": { "type": "plane", "point": [0, 0, 0], "normal": [0, 0, 1], "material": "sand" },
      "lid": { "material": "sand", )" +
                                    wall + R"( } } })",
                                folder.path()),
                     report)
      .time_step;
}

TEST(ServoStep, AForceLoadsContactsAsItsStressDoes) {
  const std::string lid = R"("type": "mesh", "file": "lid.obj", )", block = R"("type": "mesh", "file": "block.stl", )";
  const double free = step_with(lid + R"("servo": { "stress": 1, "direction": [0, 0, -1] })");
  const double pressed = step_with(lid + R"("servo": { "stress": 2e5, "direction": [0, 0, -1] })");
  ASSERT_LT(pressed, 0.8 * free);
  EXPECT_NEAR(step_with(lid + R"("servo": { "force": 80, "direction": [0, 0, -1] })"), pressed, 1e-9 * pressed);
  EXPECT_NEAR(step_with(block + R"("servo": { "force": 80, "direction": [0, 0, -1] })"), pressed, 1e-9 * pressed)
      << "a closed mesh presses with its section";
  EXPECT_NEAR(step_with(lid + R"("servo": { "force": 4e-4, "direction": [0, 0, -1] })"), free, 1e-9 * free);
}

}  // namespace scree::test::servo_step_test
