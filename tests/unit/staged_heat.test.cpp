#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "../engine/temperatures.hpp"
#include "case_errors.hpp"
#include "runs_case.hpp"
#include "scree/build_scene.hpp"
#include "scree/case_file.hpp"
#include "scree/errors.hpp"
#include "scree/simulation.hpp"

/// Stages that change the temperature of a boundary, or its flux of heat.
namespace scree::test::staged_heat_test {

constexpr double radius = 0.01, overlap = 1e-4, density = 2500, conductivity = 100, heat_capacity = 1, time_step = 2e-5;

/// What a case says of heat, beside its stages.
struct Hot {
  std::string settings = R"("heat": { "temperature": 300 },)", floor = R"(, "temperature": 400)";
};

/// A sphere that cannot move, pressed into a floor of 400 K by 1 % of its radius, and one that touches nothing.
std::string hot_floor(const std::string& stages, const std::string& more = "", const Hot& hot = {}) {
  return R"({ "time": { "duration": 0.05, "step": 2e-5 }, "precision": "double", "gravity": [0, 0, 0],
  "materials": { "glass": { "density": 2500, "young_modulus": 1e7, "poisson_ratio": 0.25, "friction": 0.4,
                            "restitution": 0.4, "thermal": { "conductivity": 100, "heat_capacity": 1 } } },
 )" + hot.settings +
         R"(
  "groups": { "still": { "fixed": ["x", "y", "z", "rx", "ry", "rz"] } },
  "particles": [ { "material": "glass", "group": "still", "file": "two.csv" } ],
  "boundaries": { "floor": { "type": "plane", "point": [0, 0, 0], "normal": [0, 0, 1], "material": "glass")" +
         hot.floor + R"( } },
  "stages": )" +
         stages + more + " }";
}
constexpr const char* two_spheres = "x,y,z,radius\n0,0,0.0099,0.01\n0.05,0,0.05,0.01\n";

/// The stages of most tests: 500 steps each.
constexpr const char* stages = R"([
    { "name": "as the case says", "until": { "duration": 0.01 } },
    { "name": "hotter", "boundaries": { "floor": { "temperature": 600 } }, "until": { "duration": 0.01 } },
    { "name": "heated", "boundaries": { "floor": { "heat_flux": 5000 } }, "until": { "duration": 0.01 } },
    { "name": "insulated", "boundaries": { "floor": { "heat_flux": 0 } }, "until": { "duration": 0.01 } },
    { "name": "colder", "boundaries": { "floor": { "temperature": 200 } }, "until": { "duration": 0.01 } } ])";

// A contact of the radius a = sqrt(r u) conducts 2 k a (Batchelor & O'Brien 1977), so the sphere with the capacity C
// approaches the temperature of the floor at the rate 2 k a / C. A flux q heats it by q pi r^2 / C.
TEST(StagedHeat, ASphereApproachesTheTemperatureOfEachStage) {
  const ScratchFolder folder;
  write_text(folder / "two.csv", two_spheres);
  const Case input = parse_case(hot_floor(stages), folder.path());
  SceneReport report;
  const Scene scene = build_scene(input, report);
  const auto engine = make_engine(scene, {BackendChoice::host, 1});
  Simulation simulation(input, scene, *engine, {});
  simulation.begin();

  const double capacity = 4.0 / 3.0 * std::numbers::pi * std::pow(radius, 3) * density * heat_capacity;
  const double rate = 2 * conductivity * std::sqrt(radius * overlap) / capacity;  // [1/s]
  constexpr std::uint64_t steps = 500;
  const double duration = steps * time_step;
  double expected = 300;
  std::uint64_t last = 0;
  const auto expect_at_end_of_stage = [&] {
    simulation.advance(last += steps);
    const auto found = temperatures(*engine);
    EXPECT_NEAR(found.at(0), expected, 1e-9 * expected) << "step " << last;
    EXPECT_EQ(found.at(1), 300) << "it touches nothing";
    expected = found.at(0);
  };
  const auto approach = [&](double floor) {
    const double explicit_steps = floor + (expected - floor) * std::pow(1 - rate * time_step, double(steps));
    // Explicit steps decay faster than the exponential, by half of (rate * time_step)^2 in each step.
    const double exact = floor + (expected - floor) * std::exp(-rate * duration);
    EXPECT_NEAR(explicit_steps, exact, 0.51 * rate * time_step * rate * duration * std::fabs(exact - floor));
    expected = explicit_steps;
    expect_at_end_of_stage();
  };
  approach(400);
  approach(600);
  EXPECT_GT(expected, 340) << "the stages are long enough to tell them apart";
  expected += 5000 * std::numbers::pi * radius * radius * duration / capacity;
  expect_at_end_of_stage();
  expect_at_end_of_stage();
  approach(200);

  const HeatReport heat = engine->heat();
  EXPECT_NEAR(heat.supplied.at(0), heat.heat - heat.start, 1e-12 * heat.heat) << "the balance closes";
}

class ResumedStagedHeat : public testing::Test, protected RunsCase {};

TEST_F(ResumedStagedHeat, GoesOnToTheSameBits) {
  write_text(folder_ / "two.csv", two_spheres);
  write_text(folder_ / "drop.json", hot_floor(stages, R"(, "output": { "series": { "every": 0.0007 },
      "frames": { "every": 0.004, "fields": ["id", "temperature"] }, "checkpoints": { "every": 0.05 } })"));
  expect_as_whole_when_interrupted(whole(), {1, 499, 500, 501, 777, 1000, 1250, 1600, 2001, 2499});
  EXPECT_NE(read_text(folder_ / "whole/run.log").find("stage \"colder\" begins"), std::string::npos);
}

TEST(StagedHeat, WhatCannotBeIsSaid) {
  const ScratchFolder folder;
  write_text(folder / "two.csv", two_spheres);
  const auto problem = [&](const std::string& change, const Hot& hot = {}) {
    return error_of([&] {
      SceneReport report;
      const std::string list = R"([ { "name": "a", "boundaries": { "floor": )" + change + " } } ]";
      static_cast<void>(build_scene(parse_case(hot_floor(list, "", hot), folder.path()), report));
    });
  };
  const std::string path = "stages.0.boundaries.floor";
  EXPECT_EQ(problem(R"({ "heat_flux": -3 })"), "no error") << "a negative flux cools";
  EXPECT_EQ(problem(R"({ "temperature": 0 })"), path + ".temperature: must be greater than 0, got 0");
  EXPECT_EQ(problem(R"({ "temperature": 300, "heat_flux": 3 })"),
            path + ".heat_flux: excludes temperature; give one of them");
  const std::string why = ": has no effect without \"heat\"; add it, or leave this out";
  EXPECT_EQ(problem(R"({ "temperature": 300 })", {"", ""}), path + ".temperature" + why);
  EXPECT_EQ(problem(R"({ "heat_flux": 3 })", {"", ""}), path + ".heat_flux" + why);
  EXPECT_IN("\"temperature\", \"heat_flux\"", problem("{}"));
}

/// Radiation limits the time step by the hottest boundary of all stages.
TEST(StagedHeat, WarnsOfAStepThatAStageMakesTooLong) {
  const ScratchFolder folder;
  write_text(folder / "two.csv", two_spheres);
  const auto warnings = [&](const std::string& temperature) {
    SceneReport report;
    const std::string list =
        R"([ { "name": "a", "boundaries": { "floor": { "temperature": )" + temperature + " } } } ]";
    static_cast<void>(build_scene(
        parse_case(hot_floor(list), folder.path(), {"heat.radiation={}", "materials.glass.thermal.emissivity=0.9"}),
        report));
    return report.warnings;
  };
  EXPECT_TRUE(warnings("600").empty());
  ASSERT_EQ(warnings("6e5").size(), 1U);
  EXPECT_EQ(warnings("6e5")[0].rfind("heat: the time step of ", 0), 0U);
}

TEST(StagedHeat, AnEngineRefusesWhatCannotBe) {
  const ScratchFolder folder;
  write_text(folder / "two.csv", two_spheres);
  SceneReport report;
  Scene scene = build_scene(parse_case(hot_floor("[]"), folder.path()), report);
  const auto engine = make_engine(scene, {BackendChoice::host, 1});
  EXPECT_THROW(engine->set_boundary_heat(1, 300, {}), ContractError) << "there is one boundary";
  EXPECT_THROW(engine->set_boundary_heat(0, 300, 3), ContractError);
  EXPECT_THROW(engine->set_boundary_heat(0, 0, {}), ContractError);
  EXPECT_THROW(engine->set_boundary_heat(0, {}, std::nan("")), ContractError);
  engine->advance(10);
  const double before = temperatures(*engine).at(0);
  EXPECT_GT(before, 300);
  engine->set_boundary_heat(0, {}, {});
  engine->advance(10);
  EXPECT_EQ(temperatures(*engine).at(0), before) << "no heat passes";
  scene.heat.reset();
  scene.boundaries[0].temperature.reset();
  const auto cold = make_engine(scene, {BackendChoice::host, 1});
  EXPECT_THROW(cold->set_boundary_heat(0, 300, {}), ContractError);
}

}  // namespace scree::test::staged_heat_test
