#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "host/output/boundary_axis.hpp"
#include "host/run/exit_code.hpp"
#include "runs_case.hpp"
#include "series_columns.hpp"

/// The torque of boundaries that turn about the axis on which they turn, and their power.
namespace scree::test::boundary_axis_test {

/// A sphere that is held at (0.34, -0.1) m slides on a plate that turns at 5 rad/s about a line through (0.3, -0.1) m.
std::string plate_case(const std::string& motions) {
  return R"({ "time": { "duration": 0.004, "step": 1e-5 }, "precision": "double", "gravity": [0, 0, 0],
    "materials": { "steel": { "density": 7800, "young_modulus": 1e8, "poisson_ratio": 0.3, "friction": 0.4,
                             "restitution": 0.5 } },
    "groups": { "held": { "fixed": ["x", "y", "z", "rx", "ry", "rz"] } },
    "particles": [ { "material": "steel", "radius": 0.01, "positions": [[0.34, -0.1, 0.0099]], "group": "held" } ],
    "boundaries": { "plate": { "type": "plane", "point": [0, 0, 0], "normal": [0, 0, 1], "material": "steel",
                               "motion": [)" +
         motions + R"(] } },
    "output": { "series": { "every": 0.001, "energies": true } } })";
}

const std::string turn = R"({ "type": "rotation", "axis": [0, 0, 2], "origin": [0.3, -0.1, 0.7], "rate": 5 })";
const std::string shift = R"({ "type": "translation", "velocity": [0.1, 0, 0] })";

class AxisTorque : public testing::Test, protected RunsCase {
 protected:
  std::map<std::string, std::vector<double>> rows_with(const std::string& motions) {
    write_text(folder_ / "drop.json", plate_case(motions));
    EXPECT_EQ(run(), exit_done);
    return columns_of(folder_ / "out/series.csv");
  }
};

// Friction brakes the plate with mu N at a lever of 0.04 m, and all the work of the plate is lost by friction.
TEST_F(AxisTorque, OfAPlateUnderASphereIsThatOfItsFriction) {
  auto rows = rows_with(turn);
  const std::size_t last = rows.at("step").size() - 1;
  ASSERT_GE(last, 4U);
  const double normal = -rows["force_z_plate[N]"][last], friction = 0.4 * normal;
  EXPECT_GT(normal, 0);
  const double along_x = rows["force_x_plate[N]"][last], along_y = rows["force_y_plate[N]"][last];
  EXPECT_NEAR(rows["axis_torque_plate[N m]"][last], 0.04 * along_y, 1e-9 * friction);
  EXPECT_NEAR(rows["torque_z_plate[N m]"][last], 0.34 * along_y + 0.1 * along_x, 1e-9 * friction)
      << "about the origin of the world";
  // The spring of the contact turns with the plate while it is stretched anew, so friction lags by half of the angle of
  // 5 rad/s in the time that 0.2 m/s take for a stretch of 3e-5 m: 4e-4 rad. A part of 1e-7 lies across the velocity.
  EXPECT_NEAR(along_y, -friction, 1e-6 * friction);
  EXPECT_LT(std::fabs(along_x), 1e-3 * friction);
  const double power = rows["power_plate[W]"][last];
  EXPECT_NEAR(power, 5 * 0.04 * friction, 1e-6 * friction);
  EXPECT_NEAR(power, -5 * rows["axis_torque_plate[N m]"][last], 1e-6 * friction);
  const double lost = rows["lost_friction[J]"][last] - rows["lost_friction[J]"][last - 1];
  EXPECT_NEAR(lost, power * 0.001, 1e-6 * friction * 0.001);
}

// The axis moves towards the sphere at 0.1 m/s. Forces are one step older than the place of the plate: 1e-6 m.
TEST_F(AxisTorque, FollowsAnAxisThatATranslationCarries) {
  auto rows = rows_with(turn + "," + shift);
  for (std::size_t k = 1; k < rows.at("step").size(); ++k) {
    const double lever = 0.04 - 0.1 * rows["time[s]"][k], along_y = rows["force_y_plate[N]"][k];
    EXPECT_LT(along_y, 0);
    EXPECT_NEAR(rows["axis_torque_plate[N m]"][k], lever * along_y, 2e-6 * std::fabs(along_y));
  }
  EXPECT_FALSE(rows_with(shift).contains("axis_torque_plate[N m]"));
  EXPECT_FALSE(rows_with(shift + "," + turn).contains("axis_torque_plate[N m]"));
}

TEST(BoundaryAxis, IsThatOfAllTurns) {
  Scene scene;
  scene.boundaries.resize(1);
  SceneBoundary& drum = scene.boundaries.front();
  const auto has_axis = [&] { return axis_of(scene, 0).has_value(); };
  const auto turning = [](const Real3& axis, const Real3& origin) {
    return Motion{.kind = Rotation{.axis = axis, .origin = origin, .rate = 1}};
  };
  EXPECT_FALSE(has_axis());
  drum.motion = {turning({0, 1, 0}, {1, 5, 0})};
  ASSERT_TRUE(has_axis());
  EXPECT_EQ(axis_of(scene, 0)->direction, (Real3{0, 1, 0}));
  Oscillation swing;
  swing.axis = Real3{0, -1, 0}, swing.origin = {1, -2, 0};
  drum.motion.push_back({.kind = swing});
  EXPECT_TRUE(has_axis()) << "the same line the other way round";
  scene.stages.resize(1);
  scene.stages[0].boundaries.push_back({.boundary = 0, .motion = std::vector<Motion>{turning({0, 1, 0}, {1, 0, 0})}});
  EXPECT_TRUE(has_axis());
  scene.stages[0].boundaries[0].motion->front() = turning({0, 1, 0}, {1, 0, 0.5});
  EXPECT_FALSE(has_axis()) << "a stage turns it about another line";
  scene.stages.clear();
  drum.drive.emplace();
  drum.drive->rotation.emplace();
  EXPECT_FALSE(has_axis()) << "two axes";
  drum.motion.clear();
  ASSERT_TRUE(has_axis());
  EXPECT_EQ(axis_of(scene, 0)->direction, (Real3{0, 0, 1}));
  drum.drive.reset();
  drum.surface_motion = {turning({1, 0, 0}, {})};
  EXPECT_TRUE(has_axis()) << "a pulley";
}

// A quarter turn about z has carried the axis of x through (0, 2, 0) m to that of y through (-2, 0, 0) + (0, 0, 3) m.
TEST(BoundaryAxis, TorqueIsAboutItsPresentPlace) {
  const BoundaryAxis axis{{1, 0, 0}, {0, 2, 0}};
  BoundaryLoad load;
  load.rotation = {{{0, -1, 0}, {1, 0, 0}, {0, 0, 1}}};
  load.offset = {0, 0, 3};
  load.force = {7, 0, 1};
  load.torque = {0, 5, 0};
  // y of (-2, 0, 3) x (7, 0, 1) = 3 * 7 + 2 * 1 = 23
  EXPECT_EQ(torque_about(axis, load), 5 - 23);
}

}  // namespace scree::test::boundary_axis_test
