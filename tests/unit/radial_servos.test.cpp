#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <sstream>
#include <string>
#include <vector>

#include "case_errors.hpp"
#include "host/run/exit_code.hpp"
#include "host/run/servos.hpp"
#include "scree/simulation.hpp"
#include "start_runs.hpp"

/// Cylinders that hold a radial stress.
namespace scree::test::radial_servos_test {

constexpr double height = 0.022, wide = 0.0122;  // [m] of the specimen at the start

/// A cylinder of grains between a floor and a lid. The shell holds 10 kPa. Walls have no friction. `lid`: its servo.
std::string specimen(const std::string& lid = "", const std::string& shell = "", const std::string& more = "") {
  return R"({ "time": { "duration": 0.15 }, "gravity": [0, 0, 0], "precision": "double",
  "materials": { "grain": { "density": 2500, "young_modulus": 1e7, "poisson_ratio": 0.25, "friction": 0.4,
                            "restitution": 0.3 },
                 "wall": { "density": 2500, "young_modulus": 1e7, "poisson_ratio": 0.25, "friction": 0,
                           "restitution": 0.3 } },
  "boundaries": {
    "shell": { "type": "cylinder", "from": [0, 0, -0.01], "to": [0, 0, 0.03], "radius": 0.0122, "material": "wall",
               "servo": { "stress": 1e4, "inertial_number": 0.01 })" +
         shell + R"( },
    "floor": { "type": "plane", "point": [0, 0, 0], "normal": [0, 0, 1], "material": "wall" },
    "lid": { "type": "plane", "point": [0, 0, 0.022], "normal": [0, 0, -1], "material": "wall")" +
         lid + " } }" +
         (more.empty() ? R"(, "particles": [ { "material": "grain", "radius": { "uniform": [0.0017, 0.002] },
      "fill": { "cylinder": { "from": [0, 0, 0], "to": [0, 0, 0.022], "radius": 0.0122 }, "count": 110 } } ])"
                       : more) +
         "}";
}
const std::string pressed_lid = R"(, "servo": { "stress": 1e4, "inertial_number": 0.01 })";

Scene scene_of(const std::string& text, const std::vector<std::string>& settings = {}) {
  SceneReport report;
  return build_scene(parse_case(text, ".", settings), report);
}

double stress_on(const Scene& scene, std::size_t wall, const std::vector<BoundaryLoad>& loads) {
  const SceneServo& servo = *scene.boundaries[wall].servo;
  return pushed_with(servo, loads[wall]) / area_now(scene, servo, loads);
}

TEST(RadialServos, TheAreaIsThatOfTheShellBetweenThePlanesAcross) {
  const double round = 2 * std::numbers::pi * wide;
  const Scene scene = scene_of(specimen(pressed_lid));
  const SceneServo &shell = *scene.boundaries[0].servo, &lid = *scene.boundaries[2].servo;
  EXPECT_TRUE(shell.radial);
  EXPECT_NEAR(area_now(scene, shell, {}), round * height, 1e-15);
  EXPECT_NEAR(area_now(scene, lid, {}), std::numbers::pi * wide * wide, 1e-15) << "the section of the cylinder";
  // As the walls stand later: the radius is smaller by 2 mm, the lid lower by 4 mm.
  std::vector<BoundaryLoad> loads(3);
  loads[0].growth = -0.002, loads[2].offset = {0, 0, -0.004};
  const double radius = wide - 0.002;
  EXPECT_NEAR(radius_now(scene, 0, loads), radius, 1e-15);
  EXPECT_NEAR(area_now(scene, shell, loads), 2 * std::numbers::pi * radius * (height - 0.004), 1e-15);
  EXPECT_NEAR(area_now(scene, lid, loads), std::numbers::pi * radius * radius, 1e-15);
  // Without a plane above it is the shell up to its rim, also where the shell has moved up.
  const Scene open = scene_of(specimen(), {"boundaries.lid.normal=[1,0,0]", "boundaries.lid.point=[-1,0,0]"});
  EXPECT_NEAR(area_now(open, *open.boundaries[0].servo, {}), round * 0.03, 1e-15);
  loads = std::vector<BoundaryLoad>(3);
  loads[0].offset = {0, 0, 0.005};
  EXPECT_NEAR(area_now(open, *open.boundaries[0].servo, loads), round * 0.035, 1e-15);
}

// v = I r / d sqrt(P / rho), so that the strain rate v / r is that of the inertial number.
TEST(RadialServos, TheSpeedFollowsFromTheInertialNumber) {
  const Scene scene = scene_of(specimen());
  double d = 0;
  for (const double radius : scene.particles.radius) { d += 2 * radius / double(scene.particles.size()); }
  EXPECT_NEAR(scene.boundaries[0].servo->most_speed / (0.01 * wide / d * std::sqrt(1e4 / 2500)), 1, 1e-12);
}

TEST(RadialServos, WhatCannotBeIsSaid) {
  const auto expect = [](const std::vector<std::string>& settings, const std::string& path, const std::string& part) {
    expect_first_problem([&] { (void)scene_of(specimen(), settings); }, path, part);
  };
  expect({"boundaries.shell.servo.direction=[1,0,0]"}, "boundaries.shell.servo.direction", "unknown key");
  expect({"boundaries.shell.servo.area=1"}, "boundaries.shell.servo.area", "unknown key");
  expect({R"(boundaries.shell.drive={"translation":{"mass":1}})"}, "boundaries.shell.servo", "must have no \"drive\"");
  expect({"boundaries.shell.servo.stress=0"}, "boundaries.shell.servo", "needs a stress or a force above 0");
  const auto in_cell = [] {
    (void)scene_of(specimen(), {R"(domain={"periodic":{"size":[0.03,0.03,0.022],"axes":["z"]}})",
                                "boundaries.floor.normal=[1,0,0]", "boundaries.floor.point=[-0.012,0,0]",
                                "boundaries.lid.normal=[-1,0,0]", "boundaries.lid.point=[0.012,0,0]"});
  };
  EXPECT_IN("boundaries.shell.servo: is not possible for a cylinder in a periodic cell", error_of(in_cell));
}

TEST(RadialServos, AMotionMayTurnOrShiftTheCylinder) {
  EXPECT_NO_THROW(
      (void)scene_of(specimen("", R"(, "motion": [ { "type": "rotation", "axis": [0, 0, 1], "rate": 0.1, "from": 1 },
                                    { "type": "translation", "velocity": [1e-3, 0, 0], "from": 1 } ])")));
}

TEST(RadialServos, ACylinderThatHoldsNothingInsideIsAWarning) {
  SceneReport report;
  (void)build_scene(parse_case(specimen("", "", R"(, "particles": [ { "material": "grain", "radius": 0.002,
                                                 "positions": [[0.05, 0, 0.01]] } ])"),
                               "."),
                    report);
  ASSERT_FALSE(report.warnings.empty());
  std::string all;
  for (const std::string& warning : report.warnings) { all += warning; }
  EXPECT_IN("boundaries.shell.servo: all particles start outside of the cylinder", all);
}

// Isotropic consolidation of a cylindrical specimen. At rest the walls hold their stresses without a lasting error; the
// drive follows the goal to the last, so what is left at the end are the last swings of single grains. 1 % is ten times
// what they were after the same time in a packing without friction.
TEST(RadialServos, ASpecimenIsConsolidated) {
  const Case input = parse_case(specimen(pressed_lid), ".");
  SceneReport report;
  const Scene scene = build_scene(input, report);
  const auto engine = make_engine(scene, {BackendChoice::host, 2});
  std::string warnings;
  Simulation simulation(input, scene, *engine,
                        {.folder = {}, .warn = [&](const std::string& text) { warnings += text; }});
  simulation.run();
  const auto loads = engine->boundary_loads();
  EXPECT_NEAR(stress_on(scene, 0, loads), 1e4, 100);
  EXPECT_NEAR(stress_on(scene, 2, loads), 1e4, 100);
  EXPECT_LT(loads[0].growth, -0.05 * wide) << "the fill was loose";
  EXPECT_GT(loads[0].work, 0);
  EXPECT_EQ(warnings.find("servo"), std::string::npos) << warnings;
  // No grain is outside of the walls by more than the overlap.
  for (const Real3& centre : engine->snapshot().position) {
    EXPECT_LT(std::hypot(centre[0], centre[1]), wide + loads[0].growth - 0.8 * 0.0017);
  }
}

// A stage leads the radius with a speed, and another one holds a stress again.
TEST(RadialServos, StagesLeadTheRadius) {
  const Case input =
      parse_case(specimen(), ".", {R"(stages=[{"name":"shrink","boundaries":{"shell":{"servo":{"speed":0.02}}},
      "until":{"duration":0.02}},{"name":"wait","boundaries":{"shell":{"servo":{"speed":0}}},
      "until":{"duration":0.005}},{"name":"hold","boundaries":{"shell":{"servo":{"stress":5e3}}}}])"});
  SceneReport report;
  const Scene scene = build_scene(input, report);
  const auto engine = make_engine(scene, {BackendChoice::host, 1});
  Simulation simulation(input, scene, *engine, {.folder = {}});
  simulation.begin();
  const auto growth = [&](double time) {
    simulation.advance(static_cast<std::uint64_t>(std::ceil(time / scene.time_step - 1e-9)));
    return std::pair{engine->boundary_loads()[0].growth, engine->time()};
  };
  const auto [start, from] = growth(0.001);
  const auto [end, until] = growth(0.0195);
  EXPECT_NEAR(end - start, -0.02 * (until - from), 1e-9);
  const double waits = growth(0.021).first;
  EXPECT_EQ(growth(0.0245).first, waits);
  static_cast<void>(growth(0.15));
  EXPECT_NEAR(stress_on(scene, 0, engine->boundary_loads()), 5e3, 100);
}

TEST(RadialServos, SameBitsForThreads) {
  const auto end = [](int threads) {
    const Case input = parse_case(specimen(pressed_lid), ".", {"time.duration=0.03"});
    SceneReport report;
    const Scene scene = build_scene(input, report);
    const auto engine = make_engine(scene, {BackendChoice::host, threads});
    Simulation simulation(input, scene, *engine, {.folder = {}});
    simulation.run();
    return engine->hash();
  };
  EXPECT_EQ(end(1), end(2));
}

class RadialServoRuns : public testing::Test, protected StartRuns {
 protected:
  /// The last row of the series of a run.
  [[nodiscard]] double last(const std::string& out, const std::string& column) const {
    std::istringstream lines(read_text(folder_ / out / "series.csv"));
    std::string names, row, line;
    std::getline(lines, names);
    while (std::getline(lines, line)) { row = line; }
    std::istringstream cells(names), values(row);
    std::string name, value;
    while (std::getline(cells, name, ',') && std::getline(values, value, ',')) {
      if (name == column) { return std::stod(value); }
    }
    ADD_FAILURE() << column << " is not in " << names;
    return 0;
  }
};

TEST_F(RadialServoRuns, TheSeriesHasRadiusAndStress) {
  const std::string series = R"(, "output": { "series": { "every": 0.01, "energies": true } })";
  std::string text = specimen();
  text.insert(text.rfind('}'), series);
  write_text(folder_ / "case.json", text);
  ASSERT_EQ(run("case.json", "out"), exit_done) << terminal_.str();
  const double radius = last("out", "radius_shell[m]"), force = last("out", "radial_force_shell[N]");
  EXPECT_LT(radius, 0.95 * wide);
  EXPECT_NEAR(last("out", "radial_stress_shell[Pa]") / (force / (2 * std::numbers::pi * radius * height)), 1, 1e-6);
  EXPECT_NEAR(last("out", "radial_stress_shell[Pa]"), 1e4, 100);
  EXPECT_LT(std::fabs(last("out", "radial_velocity_shell[m/s]")), 1e-2);
  EXPECT_NEAR(last("out", "work_shell[J]") / last("out", "work_boundaries[J]"), 1, 1e-3) << "the others are at rest";
  EXPECT_LT(std::fabs(last("out", "energy_error[J]")), 0.05 * last("out", "work_shell[J]"));
  EXPECT_EQ(read_text(folder_ / "out/series.csv").find("shift_x_shell"), std::string::npos);
}

TEST_F(RadialServoRuns, AResumedRunHasTheSameHash) {
  std::string text = specimen(pressed_lid);
  text.insert(text.rfind('}'), R"(, "output": { "checkpoints": { "every": 0.01 } })");
  text.replace(text.find("0.15"), 4, "0.03");
  write_text(folder_ / "case.json", text);
  ASSERT_EQ(run("case.json", "whole"), exit_done) << terminal_.str();
  const std::string whole = hash();
  ASSERT_EQ(run("case.json", "cut", false, 333), exit_done) << terminal_.str();
  ASSERT_EQ(run("case.json", "cut", true), exit_done) << terminal_.str();
  EXPECT_EQ(hash(), whole);
}

// A case that begins with the radius that the run before has left: its contacts go on, so the wall bears the stress at
// once.
TEST_F(RadialServoRuns, ACaseBeginsWithTheRadiusOfItsStart) {
  std::string text = specimen();
  text.insert(text.rfind('}'), R"(, "output": { "checkpoints": { "every": 0.15 } })");
  write_text(folder_ / "packing.json", text);
  ASSERT_EQ(run("packing.json", "packing"), exit_done) << terminal_.str();
  SceneReport of_packing;
  const auto old = make_engine(build_scene(read_case(folder_ / "packing.json"), of_packing), {BackendChoice::host, 1});
  Checkpoint end = read_checkpoint(newest());
  std::erase_if(end.state.arrays, [](const StateArray& array) { return array.name.starts_with("stages/"); });
  old->restore(end.state);
  const double growth = old->boundary_loads().at(0).growth;
  EXPECT_LT(growth, -0.05 * wide);
  const std::string start = R"(, "start": "packing/checkpoints")";
  write_text(folder_ / "case.json", specimen("", R"(, "from_start": true)", start));
  const Started next = started();
  EXPECT_NEAR(std::get<CylinderBoundary>(next.scene.boundaries[0].shape).radius, wide + growth, 1e-12);
  next.engine->set_radial_drive(0, 0, 0.0);
  next.engine->advance(1);
  const double stress = stress_on(next.scene, 0, next.engine->boundary_loads());
  EXPECT_NEAR(stress, 1e4, 200);
  SceneReport report;
  write_text(folder_ / "case.json", specimen("", "", start));
  (void)build_scene(read_case(folder_ / "case.json"), report);
  std::string warnings;
  for (const std::string& warning : report.warnings) { warnings += warning; }
  EXPECT_IN("start: forces had moved \"shell\" by ", warnings);
}

}  // namespace scree::test::radial_servos_test
