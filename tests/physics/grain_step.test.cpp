#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <numbers>
#include <string>

#include "host/scene/grain_hold.hpp"
#include "host/scene/time_step.hpp"
#include "kernels/factory.hpp"
#include "scree/build_scene.hpp"
#include "scree/case_file.hpp"

// Steps of level-set grains: that of a flat plate and of a rod on a plane, whose frequencies have closed forms.
namespace scree::physics::grain_step_test {

constexpr double density = 2500, stiffness = 1e4;  // [kg/m3], [N/m] of one contact of the law

/// One grain far above a plane, without gravity and dashpots.
std::string text_of(const std::string& shape, const std::string& time) {
  return R"({"precision": "double", "gravity": [0, 0, 0], "time": {"duration": 1)" + time + R"(},
    "materials": {"s": {"density": 2500, "young_modulus": 1e7, "poisson_ratio": 0.25, "friction": 0.3,
      "restitution": 1}},
    "contacts": [{"between": ["s", "s"], "law": "linear_spring_dashpot", "normal_stiffness": 1e4,
      "shear_stiffness": 3e3}],
    "shapes": {"grain": {"type": "level_set", )" +
         shape + R"(}},
    "particles": [{"shape": "grain", "material": "s", "velocity": [0, 0, -0.5],
      "lattice": {"type": "simple_cubic", "spacing": 0.04, "box": [[0, 0, 0.02], [0.04, 0.04, 0.06]]}}],
    "boundaries": {"floor": {"type": "plane", "point": [0, 0, 0], "normal": [0, 0, 1], "material": "s"}}})";
}

class GrainStep : public ::testing::Test {
 protected:
  GrainStep() { ::setenv("SCREE_CACHE", "", 1); }
  ~GrainStep() override { ::unsetenv("SCREE_CACHE"); }

  SceneReport report;
  /// The grain lies with its longest axis along x, at this height.
  [[nodiscard]] Scene scene_of(const std::string& shape, const std::string& time, double height = 0.02) {
    report = {};
    Scene scene = build_scene(parse_case(text_of(shape, time), "."), report);
    EXPECT_EQ(scene.particles.clumps.size(), 1U);
    Clump& clump = scene.particles.clumps.at(0);
    clump.orientation = {1, 0, 0, 0};
    clump.position[2] = scene.particles.position.at(clump.first)[2] = height;
    return scene;
  }
};

const std::string plate = R"("box": {"half_edges": [0.008, 0.008, 0.001]}, "grid_spacing": 5e-4)",
                  rod = R"("capsule": {"radius": 0.001, "half_length": 0.009}, "grid_spacing": 2.5e-4)";

/// [m] The plate touches the plane: the axis of its largest moment of inertia, which is the third, is across it.
constexpr double lying = 0.00099;

// All of a face of the plate, of the area A, touches at once: w^2 = K A / (pi r^2) / m with the radius r of the sphere
// of the same volume. Nodes at edges stand for more area than the face has, by 2 d / L = 6 % (docs/level_sets.md), so
// the step may be 3 % shorter; the rocking plate has as much again at the ends of its arms.
TEST_F(GrainStep, OfAFlatPlateIsBelowItsCriticalStepOnAPlane) {
  const double volume = 0.016 * 0.016 * 0.002, mass = density * volume, area = 0.016 * 0.016;
  const double radius = std::cbrt(0.75 * volume / std::numbers::pi);
  const double closed = 2 / std::sqrt(stiffness * area / (std::numbers::pi * radius * radius) / mass);
  const Scene scene = scene_of(plate, "", lying);
  const auto engine = make_host_engine(scene, 1);
  engine->advance(1);
  const double critical = engine->critical_step().value;
  EXPECT_LT(critical, closed);
  EXPECT_GT(critical, 0.9 * closed);
  // The limit is meant for two bodies that move, which takes the root of two off it.
  const double limit = report.time_step_limit;
  EXPECT_LT(limit, 0.75 * critical);
  EXPECT_GT(limit, 0.6 * critical);
  EXPECT_NE(report.time_step_reason.find("grains \"grain\" of radius"), std::string::npos) << report.time_step_reason;
  EXPECT_LT(scene.time_step, 0.9 * critical);
  // In a stack of plates each has two such contacts, whose other sides move as much.
  EXPECT_LT(0.9 * crowded_step_limit(scene, scene.material_names, 0).value, 0.9 * critical / 2);
}

TEST_F(GrainStep, AGivenStepAboveTheCriticalOneOfAPlateIsWarnedOf) {
  static_cast<void>(scene_of(plate, R"(, "step": 4.2e-4)"));
  ASSERT_EQ(report.warnings.size(), 1U);
  EXPECT_NE(report.warnings[0].find("is above the limit"), std::string::npos) << report.warnings[0];
  static_cast<void>(scene_of(plate, R"(, "step": 1e-4)"));
  EXPECT_TRUE(report.warnings.empty()) << report.warnings[0];
}

// A sphere has the parts of its mass that contacts of spheres are computed with.
TEST_F(GrainStep, OfABallIsThatOfASphere) {
  const Scene scene = scene_of(R"("sphere": {"radius": 0.002}, "grid_spacing": 2e-4)", "");
  const BodyHold hold = hold_of_grain(scene.grain_shapes.at(0), true);
  EXPECT_NEAR(hold.normal, 1, 0.02);
  EXPECT_EQ(hold.area, 1);
  EXPECT_NEAR(hold.turn, 0.4, 0.04);  // the nodes of a cap of 5 % are not as far from the centre
  const double mass = density * 4.0 / 3 * std::numbers::pi * 8e-9;
  EXPECT_NEAR(report.time_step_limit, std::sqrt(2 * mass / stiffness), 0.02 * report.time_step_limit);
}

// The end of a rod meets 1/(1 + m a^2/I) of its mass, which is at least 1/4 for a = L/2; the caps make it shorter.
TEST_F(GrainStep, OfARodCountsThatItsEndsAreLight) {
  const Scene scene = scene_of(rod, "");
  const BodyHold hold = hold_of_grain(scene.grain_shapes.at(0), true);
  EXPECT_GT(hold.normal, 0.2);
  EXPECT_LT(hold.normal, 0.5);
  EXPECT_NEAR(depth_of(scene.grain_shapes.at(0)), 1e-3, 1e-4);
}

/// The largest kinetic energy of a rod that hits the plane aslant, over that of the start.
double energy_after_impacts(Scene scene) {
  scene.particles.clumps.at(0).orientation = {std::cos(0.1), 0, std::sin(0.1), 0};
  scene.energies = true;
  scene.gravity = {0, 0, -9.81};
  const auto engine = make_host_engine(scene, 1);
  const double mass = density * scene.grain_shapes.at(0).volume, start = 0.5 * mass * 0.25;
  double most = 0;
  while (engine->time() < 0.03) {
    engine->advance(50);
    most = std::max(most, engine->energies().kinetic_translation + engine->energies().kinetic_rotation);
  }
  return most / (start + mass * 9.81 * 0.01);
}

// A rod that falls with 0.5 m/s from 1 cm and has no dashpots must not gain energy by steps that are too long. The
// energy of leapfrog steps of a third of the critical one differs from the true one by up to (0.33)^2.
TEST_F(GrainStep, ARodThatFallsGainsNoEnergy) {
  EXPECT_LT(energy_after_impacts(scene_of(rod, "", 0.01)), 1.1) << "automatic";
  EXPECT_LT(energy_after_impacts(scene_of(rod, R"(, "adaptive": true)", 0.01)), 1.1) << "adaptive";
  const double limit = report.time_step_limit;
  const std::string given = R"(, "step": )" + std::to_string(0.9 * limit);
  EXPECT_LT(energy_after_impacts(scene_of(rod, given, 0.01)), 1.25) << "given";
}

}  // namespace scree::physics::grain_step_test
