#include <gtest/gtest.h>

#include <cmath>
#include <sstream>
#include <string>

#include "host/commands/check_start.hpp"
#include "refused_cases.hpp"
#include "resume_command.hpp"
#include "scratch_folder.hpp"
#include "scree/build_scene.hpp"
#include "scree/case_file.hpp"
#include "scree/simulation.hpp"
#include "simulated_case.hpp"

/// What stages switch beside boundaries, groups and gravity, and conditions on positions, flows and several things.
namespace scree::test::staged_settings_test {

constexpr const char* head = R"({ "time": { "duration": 0.4, "step": 2e-5 }, "precision": "double",
  "materials": { "glass": { "density": 2500, "young_modulus": 1e7, "poisson_ratio": 0.25, "friction": 0.4,
                            "restitution": 0.4 },
                 "wood": { "density": 700, "young_modulus": 1e7, "poisson_ratio": 0.25, "friction": 0.6,
                           "restitution": 0.4 } },
  "particles": [ { "material": "glass", "radius": 0.01,
                   "lattice": { "type": "simple_cubic", "box": [[0, 0, 0], [0.02, 0.02, 0.02]], "spacing": 0.02 } },
                 { "material": "glass", "radius": 0.002,
                   "inlet": { "name": "feed", "rate": 1000, "region": { "box": [[0.1, 0, 0.1], [0.2, 0.1, 0.2]] } } } ],
  "boundaries": {
    "floor": { "type": "plane", "point": [0, 0, 0], "normal": [0, 0, 1], "material": "wood" },
    "lift": { "type": "plane", "point": [0, 0, 0.5], "normal": [0, 0, -1], "material": "wood",
              "motion": [ { "type": "translation", "velocity": [0, 0.01, 0.02] } ] } },
  "domain": { "outlets": { "side": { "point": [0.25, 0, 0], "normal": [1, 0, 0] } } })";

struct StagedRun : SimulatedCase {
  explicit StagedRun(const std::string& stages, const std::vector<std::string>& settings = {})
      : SimulatedCase(std::string(head) + ", \"stages\": " + stages + "}", settings) {
    simulation.begin();
  }
};

TEST(StagedSettings, AnInletBringsWhatItsStagesSay) {
  StagedRun run(R"([ { "name": "off", "inlets": { "feed": { "on": false } }, "until": { "duration": 0.02 } },
               { "name": "on", "inlets": { "feed": { "on": true } }, "until": { "duration": 0.03 } },
               { "name": "faster", "inlets": { "feed": { "rate": 2000 } }, "until": { "duration": 0.02 } },
               { "name": "off again", "inlets": { "feed": { "on": false } } } ])");
  const auto inserted = [&](std::uint64_t step) {
    return (run.simulation.advance(step), run.engine->counts().inserted);
  };
  EXPECT_EQ(inserted(1000), 0u);   // inlets act at multiples of 100 steps
  EXPECT_EQ(inserted(2500), 30u);  // 0.03 s at 1000 per second
  EXPECT_EQ(inserted(3500), 70u);  // 0.02 s at 2000 per second
  EXPECT_EQ(inserted(5000), 70u);
}

TEST(StagedSettings, FrictionOfAPairChanges) {
  StagedRun run(R"([ { "name": "rough", "inlets": { "feed": { "on": false } }, "until": { "duration": 0.01 } },
               { "name": "smooth", "until": { "duration": 0.01 },
                 "friction": [ { "between": ["wood", "glass"], "value": 0.1 }, { "value": 3 } ] },
               { "name": "none", "friction": [ { "between": ["wood", "*"], "value": 0 } ] } ])",
                {"particles.0.velocity=[0.3,0,0]"});
  const auto velocity = [&](std::uint64_t step) {
    return (run.simulation.advance(step), run.engine->snapshot().velocity.at(0));
  };
  // A bead slides on the floor: what it loses along x is the friction times the impulse of the normal force, which
  // gravity and its vertical velocity tell.
  const auto expect_friction = [&](double friction, std::uint64_t from, std::uint64_t to) {
    const Real3 before = velocity(from), after = velocity(to);
    const double impulse = 9.81 * static_cast<double>(to - from) * 2e-5 + after[2] - before[2];
    EXPECT_GT(impulse, 0.01);
    EXPECT_NEAR(before[0] - after[0], friction * impulse, 1e-12);
  };
  expect_friction(0.4, 100, 500);
  expect_friction(0.1, 501, 1000);  // the forces of step 501 are those after the change
  expect_friction(0, 1001, 1500);
}

TEST(StagedSettings, DampingChanges) {
  StagedRun run(R"([ { "name": "free", "inlets": { "feed": { "on": false } }, "gravity": [0, 0, 0], 
                 "boundaries": { "floor": { "present": false } }, "until": { "duration": 0.01 } },
               { "name": "damped", "viscous_damping": 50, "until": { "duration": 0.01 } },
               { "name": "free again", "viscous_damping": 0, "damping": 0.5 } ])",
                {"particles.0.velocity=[0.3,0,0]"});
  const auto speed = [&](std::uint64_t step) {
    return (run.simulation.advance(step), run.engine->snapshot().velocity.at(0)[0]);
  };
  EXPECT_DOUBLE_EQ(speed(500), 0.3);
  EXPECT_NEAR(speed(1000), 0.3 * std::exp(-0.5), 1e-12);  // exact for a constant rate
  const double left = speed(1000);
  EXPECT_DOUBLE_EQ(speed(1200), left);  // Cundall's damping acts on forces, and there are none
}

TEST(StagedSettings, TheTimeStepChanges) {
  StagedRun run(R"([ { "name": "given", "inlets": { "feed": { "on": false } }, "until": { "duration": 0.01 } },
               { "name": "short", "time": { "step": 5e-6 }, "until": { "duration": 0.005 } },
               { "name": "adapted", "time": { "safety": 0.1 }, "until": { "duration": 0.05 } } ])");
  run.simulation.advance(500);
  EXPECT_NEAR(run.engine->time(), 0.01, 1e-12);
  EXPECT_NE(run.notes.find("step 500, "), std::string::npos) << run.notes;
  run.simulation.advance(501);
  EXPECT_NEAR(run.engine->time() - run.engine->previous_time(), 5e-6, 1e-12);
  run.simulation.advance(1600);
  run.simulation.advance(1700);
  const double step = run.engine->time() - run.engine->previous_time();
  run.simulation.advance(4000);
  const double later = run.engine->time() - run.engine->previous_time();
  EXPECT_GT(later, step);  // it grows by at most 5 % at each look
  EXPECT_LE(later, 0.1 * run.engine->watch().critical);
  EXPECT_NE(run.report.time_step_reason.find("stages change it"), std::string::npos);
}

TEST(StagedSettings, AStepThatFollowsTheContactsIsThatOfAnAdaptiveRun) {
  const std::string end = R"("until": { "duration": 0.05 } } ])";
  StagedRun staged(R"([ { "name": "a", "time": { "safety": 0.1 }, )" + end);
  StagedRun adaptive(R"([ { "name": "a", )" + end, {"time.step=\"auto\"", "time.adaptive=true", "time.safety=0.1"});
  staged.simulation.advance(2000);
  adaptive.simulation.advance(2000);
  EXPECT_EQ(staged.engine->time(), adaptive.engine->time());
  EXPECT_EQ(staged.engine->hash(), adaptive.engine->hash());
}

std::string end_of(const std::string& until, const std::string& more = "",
                   const std::vector<std::string>& settings = {}) {
  StagedRun run(R"([ { "name": "first", "until": )" + until + more + R"(}, { "name": "second" } ])", settings);
  while (!run.simulation.over() && run.notes.find("ends (") == std::string::npos) {
    run.simulation.advance(run.engine->step() + 100);
  }
  const auto found = run.notes.find("ends (");
  return found == std::string::npos ? "" : run.notes.substr(found + 6, run.notes.find(");", found) - found - 6);
}

TEST(StagedConditions, PositionsOfBoundaries) {
  // 0.02 m/s up for 2e-3 s per look
  EXPECT_EQ(end_of(R"({ "boundary_position": { "boundary": "lift", "along": [0, 0, 2], "above": 0.0007 } })"),
            "\"lift\" has moved by 0.00072 m");
  EXPECT_EQ(end_of(R"({ "boundary_position": { "boundary": "lift", "along": [0, 0, -1], "below": -0.0007 } })"),
            "\"lift\" has moved by -0.00072 m");
  EXPECT_EQ(end_of(R"({ "boundary_position": { "boundary": "lift", "above": 0.0007 } })"),
            "\"lift\" has moved by 0.0007155 m");  // root of 5 times 0.01 m/s
}

TEST(StagedConditions, ComponentsOfForces) {
  EXPECT_EQ(end_of(R"({ "boundary_force": { "boundary": "floor", "along": [0, 0, -1], "above": 0.1 } })").substr(0, 24),
            "the force on \"floor\" is ");
  EXPECT_EQ(end_of(R"({ "boundary_force": { "boundary": "floor", "along": [0, 0, 1], "above": 0.1 } })"), "");
  EXPECT_EQ(end_of(R"({ "boundary_force": { "boundary": "floor", "along": [0, 0, 1], "below": -0.1 } })").substr(0, 25),
            "the force on \"floor\" is -");
}

// 1000 beads of 8.378e-5 kg per second fly to the side at 1 m/s. The last ones of a place arrive after 0.15 s, so from
// 0.15 to 0.2 s there are 50 of them, give or take two.
TEST(StagedConditions, FlowsOverWindows) {
  const std::string more =
      R"(, "gravity": [0, 0, 0], "boundaries": { "floor": { "present": false }, "lift": { "present": false } })";
  const std::vector<std::string> fly{"particles.1.inlet.velocity=[1,0,0]"};
  EXPECT_EQ(end_of(R"({ "flow": { "by": "side", "window": 0.01, "above": 1e3 } })", more, fly), "");
  EXPECT_EQ(end_of(R"({ "flow": { "by": "side", "window": 0.01, "below": 0 } })", more, fly),
            "the flow through \"side\" is 0 kg/s");
  const std::string text =
      end_of(R"({ "flow": { "by": "side", "window": 0.05, "above": 0.04 }, "not_before": 0.2 })", more, fly);
  const std::string start = "the flow through \"side\" is ";
  ASSERT_EQ(text.substr(0, start.size()), start);
  EXPECT_NEAR(std::stod(text.substr(start.size())), 1000 * 8.378e-5, 2 * 8.378e-5 / 0.05);
}

TEST(StagedConditions, AllOfThemTogether) {
  const std::string both =
      R"({ "all_of": [ { "boundary_position": { "boundary": "lift", "along": [0, 0, 1], "above": 0.0007 } },
                              { "duration": 0.05 }, { "at_least": 40 } ] })";
  EXPECT_EQ(end_of(both), "\"lift\" has moved by 0.001 m and 0.05 s have passed and particles in the run: 51");
  EXPECT_EQ(end_of(R"({ "all_of": [ { "at_least": 2, "at_most": 1 } ] })"), "");
}

void expect_problem(const std::string& stages, const std::string& path, const std::string& text) {
  expect_refused(std::string(head) + ", \"stages\": " + stages + "}", path, text);
}

/// A bead over a floor and a wall that the bead overlaps, in a case with more keys; what the check of the case warns
/// of.
std::string warnings_of_check(const std::string& wall, const std::string& more) {
  const Case input = parse_case(R"({ "time": { "duration": 0.1, "step": 2e-5 },
    "materials": { "glass": { "density": 2500, "young_modulus": 1e7, "poisson_ratio": 0.25, "friction": 0.4,
                              "restitution": 0.4 } },
    "particles": [ { "material": "glass", "radius": 0.01, "lattice": {
                       "box": [[0, 0, 0], [0.02, 0.02, 0.02]], "spacing": 0.02 } } ],
    "boundaries": { "floor": { "type": "plane", "point": [0, 0, 0], "normal": [0, 0, 1], "material": "glass" },
                    "wall": { "type": "plane", "point": [0.015, 0, 0], "normal": [1, 0, 0], "material": "glass")" +
                                    wall + "} }" + more + "}",
                                ".");
  SceneReport report;
  const Scene scene = build_scene(input, report);
  std::string text;
  for (const std::string& warning : report.warnings) { text += warning + "\n"; }
  for (const auto& [key, line] : check_start(input, scene, report, scene.particles.size(), 1).lines) {
    if (key == "warning") { text += line + "\n"; }
  }
  return text;
}

TEST(StagedSettings, TheCheckSeesTheBoundariesOfTheStart) {
  EXPECT_NE(warnings_of_check("", "").find("boundaries.wall: 1 particle overlaps it at the start"), std::string::npos);
  const std::string absent = R"(, "stages": [ { "name": "first", "boundaries": { "wall": { "present": false } } )";
  EXPECT_EQ(warnings_of_check("", absent + "} ]"), "");
  EXPECT_EQ(warnings_of_check("", absent + R"(, "time": { "step": 1e-5 } } ])"), "");
  EXPECT_EQ(warnings_of_check(R"(, "present_from": 0.05)", ""), "");
}

TEST(StagedSettings, TheCheckSeesFastBoundariesOfAllStages) {
  const auto check = [](const std::string& speed) {
    return warnings_of_check("", R"(, "stages": [
      { "name": "first", "boundaries": { "wall": { "present": false } }, "until": { "duration": 0.05 } },
      { "name": "next", "boundaries": { "wall": { "motion": [ { "type": "translation", "velocity": [)" +
                                     speed + ", 0, 0] } ] } } } ]");
  };
  EXPECT_EQ(check("450"), "");  // 9 mm in a step
  EXPECT_EQ(check("550").find("boundaries.wall: at up to 550 m/s it goes up to 11 mm in a step"), 0u) << check("550");
}

TEST(StagedSettings, FrictionThatChangesNothingIsSaid) {
  const StagedRun run(R"([ { "name": "a", "friction": [ { "between": ["wood", "wood"], "value": 1 },
                                                        { "between": ["glass", "*"], "value": 1 },
                                                        { "between": ["wood", "glass"], "value": 2 } ] } ])");
  const std::string text = ": changes nothing; its materials never touch, or an earlier entry holds for them";
  EXPECT_EQ(run.report.warnings,
            (std::vector<std::string>{"stages.0.friction.0" + text, "stages.0.friction.2" + text}));
}

TEST(StagedSettings, WhatCannotBeIsSaid) {
  expect_problem(R"([ { "name": "a", "inlets": { "fed": { "on": true } } } ])", "stages.0.inlets.fed", "unknown inlet");
  expect_problem(R"([ { "name": "a", "inlets": { "feed": { "mass_flow": 1 } } } ])", "stages.0.inlets.feed.mass_flow",
                 "the inlet has a rate; change that");
  expect_problem(R"([ { "name": "a", "friction": [ { "between": ["glas", "*"], "value": 1 } ] } ])",
                 "stages.0.friction.0.between.0", "unknown material");
  expect_problem(R"([ { "name": "a", "output": { "frames": { "every": 1 } } } ])", "stages.0.output.frames",
                 "needs \"output.frames\"");
  expect_problem(R"([ { "name": "a", "output": { "frames": { "every": 1, "on": false } } } ])",
                 "stages.0.output.frames.every", "has no effect");
  expect_problem(R"([ { "name": "a", "time": { "step": 1, "safety": 0.5 } } ])", "stages.0.time", "exactly one");
  expect_problem(R"([ { "name": "a", "time": { "step": 1e-30 } } ])", "stages.0.time.step", "longer than 1e-15");
  expect_problem(R"([ { "name": "a", "until": { "boundary_position": { "boundary": "lift", "above": -1 } } } ])",
                 "stages.0.until.boundary_position.above", "without \"along\" it is a magnitude");
  expect_problem(R"([ { "name": "a", "until": { "all_of": [ {} ] } } ])", "stages.0.until.all_of.0",
                 "must have at least one of");
  expect_problem(R"([ { "name": "a", "until": { "all_of": [ { "speed": 1 } ] } } ])", "stages.0.until.not_before",
                 "is missing");
  expect_problem(R"([ { "name": "a", "boundaries": { "floor": { "servo": { "stress": 1 } } } } ])",
                 "stages.0.boundaries.floor.servo", "needs a \"servo\"");
}

/// Whatever the step at which a run stops, it goes on to the same bits and the same files.
class ResumedSettings : public testing::Test, protected RunsCase {};

TEST_F(ResumedSettings, GoOnToTheSameBits) {
  const std::string output = R"(, "output": { "series": { "every": 0.0007, "energies": true },
    "frames": { "every": 0.004, "fields": ["id", "velocity"] }, "contacts": { "every": 0.005 },
    "fields": { "grid": { "every": 0.004, "grid": { "box": [[0, 0, 0], [0.2, 0.2, 0.2]], "cells": [2, 2, 2] },
                          "width": 0.05 } },
    "checkpoints": { "every": 0.05 } })";
  write_text(folder_ / "drop.json", std::string(head) + output + R"(, "stages": [
    { "name": "first", "until": { "duration": 0.004 }, "output": { "frames": { "on": false } } },
    { "name": "second", "time": { "step": 1e-5 }, "damping": 0.1, "viscous_damping": 3, "inlets": { "feed": { "rate": 3000 } },
      "friction": [ { "between": ["wood", "glass"], "value": 0.1 } ],
      "output": { "frames": { "every": 0.0013 }, "series": { "every": 0.0003 }, "fields": { "grid": { "every": 0.0011 } } },
      "until": { "all_of": [ { "duration": 0.003 }, { "flow": { "by": "side", "window": 0.001, "below": 0 } } ] } },
    { "name": "third", "time": { "safety": 0.15 }, "inlets": { "feed": { "on": false } }, "viscous_damping": 0,
      "output": { "contacts": { "on": false } },
      "until": { "boundary_position": { "boundary": "lift", "above": 0.0003 } } } ] })");
  const std::string expected = whole();
  const auto expected_files = results_of("whole");
  EXPECT_GT(expected_files.size(), 8u);
  EXPECT_NE(expected_files.at("frames/frame_000000.vtkhdf").find("second"), std::string::npos);  // off in the first
  const auto log = read_text(folder_ / "whole/run.log");
  EXPECT_NE(log.find("stage \"third\" begins"), std::string::npos) << log;
  EXPECT_NE(log.find("it was the last one"), std::string::npos) << log;
  expect_as_whole_when_interrupted(expected, {100, 199, 200, 201, 300, 433, 500, 501, 555, 610});
}

}  // namespace scree::test::staged_settings_test
