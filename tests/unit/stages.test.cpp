#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "host/output/output_folder.hpp"
#include "refused_cases.hpp"
#include "resume_command.hpp"
#include "scratch_folder.hpp"
#include "scree/errors.hpp"
#include "simulated_case.hpp"

/// Stages of a run: when they end, and what they change.
namespace scree::test::stages_test {

constexpr const char* head = R"({ "time": { "duration": 0.1, "step": 2e-5 }, "precision": "double",
  "materials": { "glass": { "density": 2500, "young_modulus": 1e7, "poisson_ratio": 0.25, "friction": 0.4,
                            "restitution": 0.4 } },
  "particles": [ { "material": "glass", "radius": 0.01, "group": "beads",
                   "lattice": { "type": "simple_cubic", "box": [[0, 0, 0.0001], [0.02, 0.02, 0.0201]], "spacing": 0.02 } } ],
  "groups": { "beads": {} },
  "boundaries": {
    "floor": { "type": "plane", "point": [0, 0, 0], "normal": [0, 0, 1], "material": "glass" },
    "plate": { "type": "plane", "point": [0, 0, 0.5], "normal": [0, 0, -1], "material": "glass",
               "drive": { "translation": { "mass": 0.5, "free": ["z"], "force": [0, 0, 4.905] } } } },
  "domain": { "outlets": { "below": { "point": [0, 0, -0.02], "normal": [0, 0, -1] } } },
  "output": { "series": { "every": 0.0007 }, "checkpoints": { "every": 0.05 } })";

std::string with_stages(const std::string& stages) { return std::string(head) + ", \"stages\": " + stages + "}"; }

/// A bead on a floor: one sphere of radius 0.01 m and mass 0.010472 kg.
struct Bead : SimulatedCase {
  explicit Bead(const std::string& stages, const std::string& time = "time.duration=0.2")
      : SimulatedCase(with_stages(stages), {"output={}", time}) {}

  [[nodiscard]] double height() { return engine->snapshot().position.at(0)[2]; }
};

TEST(Stages, ABoundaryThatIsTakenOutLetsTheBeadFall) {
  Bead run(R"([ { "name": "rest", "until": { "duration": 0.02 } },
                { "name": "fall", "boundaries": { "floor": { "present": false } }, "until": { "duration": 0.03 } } ])");
  run.simulation.begin();
  run.simulation.advance(1000);
  const double start = run.height();
  const Real3 velocity = run.engine->snapshot().velocity.at(0);
  EXPECT_NEAR(start, 0.01, 1e-4);
  const RunSummary summary = (run.simulation.advance(5000), run.simulation.finish());
  EXPECT_EQ(summary.steps, 2500u);  // both durations, in steps of 2e-5 s
  EXPECT_FALSE(summary.interrupted);
  // leapfrog: exact for a constant acceleration, from the velocity half a step earlier
  const double t = 1500 * 2e-5;
  EXPECT_NEAR(run.height(), start + velocity[2] * t - 0.5 * 9.81 * t * (t + 2e-5), 1e-12);
  EXPECT_EQ(run.engine->counts().boundary_contacts, 0u);
  EXPECT_NE(run.notes.find("stage \"rest\" ends (its 0.02 s are over); stage \"fall\" begins"), std::string::npos)
      << run.notes;
  EXPECT_EQ(run.warnings, "");
}

TEST(Stages, ABoundaryThatComesBackIsTouchedAgain) {
  Bead run(R"([ { "name": "rest", "until": { "duration": 0.01 } },
                { "name": "away", "boundaries": { "floor": { "present": false } }, "gravity": [0, 0, 0],
                  "until": { "duration": 0.002 } },
                { "name": "back", "boundaries": { "floor": { "present": true } }, "gravity": [0, 0, -9.81] } ])");
  run.simulation.begin();
  run.simulation.advance(500);
  EXPECT_EQ(run.engine->counts().boundary_contacts, 1u);
  run.simulation.advance(590);
  EXPECT_EQ(run.engine->counts().boundary_contacts, 0u);
  run.simulation.advance(5000);
  EXPECT_EQ(run.engine->counts().boundary_contacts, 1u);
  EXPECT_NEAR(run.height(), 0.01, 1e-4);
}

// While the floor is away the bead falls through its place; the floor would throw it out.
TEST(Stages, ABoundaryThatComesBackIntoParticlesIsAWarning) {
  Bead run(R"([ { "name": "rest", "until": { "duration": 0.01 } },
                { "name": "away", "boundaries": { "floor": { "present": false } }, "until": { "duration": 0.02 } },
                { "name": "back", "boundaries": { "floor": { "present": true } } } ])");
  run.simulation.begin();
  run.simulation.advance(1499);
  EXPECT_EQ(run.warnings, "");
  run.simulation.advance(1501);
  EXPECT_NE(run.warnings.find("step 1500: boundary \"floor\" comes back into 1 particle, which it pushes out"),
            std::string::npos)
      << run.warnings;
}

TEST(Stages, AMotionCountsFromTheStartOfItsStage) {
  Bead run(R"([ { "name": "rest", "until": { "duration": 0.02 } },
                { "name": "up", "until": { "duration": 0.07 },
                  "boundaries": { "floor": { "motion": [ { "type": "translation", "velocity": [0, 0, 0.1],
                                                           "from": 0.005, "until": 0.015 } ] } } },
                { "name": "down", "boundaries": { "floor": { "motion": [
                    { "type": "table", "direction": [0, 0, 1], "position": [[0, 0], [0.01, -0.0005]] } ] } } } ])");
  run.simulation.begin();
  run.simulation.advance(1000);
  const double rest = run.height();
  run.simulation.advance(4500);
  EXPECT_NEAR(run.height() - rest, 0.001, 2e-6);  // ten milliseconds at 0.1 m/s; the bead has come to rest again
  run.simulation.advance(8000);
  EXPECT_NEAR(run.height() - rest, 0.0005, 2e-6);
}

/// Two sheets that meet under a bead, and part at 0.02 m/s each from 0.02 s on. By `motions` of the boundaries or of a
/// stage.
struct DoubleGate {
  DoubleGate(const std::string& left, const std::string& right, const std::string& stages) {
    const std::string quad = "f 1 2 3 4\n", both = " -0.1 0\nv ", ends = " 0.1 0\nv ";
    write_text(folder_ / "left.obj", "v -0.2" + both + "0" + both + "0" + ends + "-0.2 0.1 0\n" + quad);
    write_text(folder_ / "right.obj", "v 0" + both + "0.2" + both + "0.2" + ends + "0 0.1 0\n" + quad);
    const auto mesh = [](const std::string& name, const std::string& motion) {
      return "\"" + name + R"(": { "type": "mesh", "material": "glass", "file": ")" + name + ".obj\"" + motion + "}";
    };
    input = parse_case(R"({ "time": { "duration": 0.3, "step": 2e-5 }, "precision": "double",
      "materials": { "glass": { "density": 2500, "young_modulus": 1e7, "poisson_ratio": 0.25, "friction": 0,
                                "restitution": 0.4 } },
      "particles": [ { "material": "glass", "radius": 0.01, "lattice": {
                         "box": [[-0.01, 0.003, 0], [0.01, 0.023, 0.02]], "spacing": 0.02 } } ],
      "boundaries": {)" + mesh("left", left) +
                           "," + mesh("right", right) + "}, \"stages\": " + stages + "}",
                       folder_.path().string());
    SceneReport report;
    scene = build_scene(input, report);
    engine = make_engine(scene, {BackendChoice::host, 1});
  }
  ScratchFolder folder_;
  Case input;
  Scene scene;
  std::unique_ptr<Engine> engine;
};

TEST(Stages, MeshesThatAStagePartsAreTwoSurfaces) {
  const auto motion = [](const std::string& speed, const std::string& from) {
    return R"("motion": [ { "type": "translation", "velocity": [)" + speed + ", 0, 0], \"from\": " + from + "} ]";
  };
  const std::string by_stage = R"([ { "name": "rest", "until": { "duration": 0.02 } },
    { "name": "part", "boundaries": { "left": {)" +
                               motion("-0.02", "0") + R"(}, "right": {)" + motion("0.02", "0") + "} } } ]";
  DoubleGate of_stage("", "", by_stage);
  DoubleGate of_case("," + motion("-0.02", "0.02"), "," + motion("0.02", "0.02"), "[]");
  for (DoubleGate* const gate : {&of_case, &of_stage}) {
    Simulation simulation(gate->input, gate->scene, *gate->engine, {.folder = {}, .warn = {}, .note = {}});
    simulation.begin();
    for (std::uint64_t step = 1000; step <= 15000; step += 500) {
      simulation.advance(step);
      const Real3 place = gate->engine->snapshot().position.at(0);
      // It lies on both rims, 1 % of the radius deep at most: the overlap under its weight is 0.4 %.
      const double half = 0.02 * (static_cast<double>(step) * 2e-5 - 0.02);
      EXPECT_NEAR(place[2], std::sqrt(1e-4 - half * half), 1e-4) << step;
      EXPECT_NEAR(place[0], 0, 1e-9) << step;
    }
  }
}

TEST(Stages, ABeltStartsAndStops) {
  Bead run(R"([ { "name": "rest", "until": { "duration": 0.02 } },
                { "name": "start", "until": { "duration": 0.08 }, "boundaries": { "floor": {
                    "surface_motion": [ { "type": "translation", "velocity": [0.07, 0, 0], "from": 0.01 } ] } } },
                { "name": "stop", "boundaries": { "floor": { "surface_motion": [] } } } ])");
  const auto speed = [&] { return run.engine->snapshot().velocity.at(0)[0]; };
  run.simulation.begin();
  run.simulation.advance(1500);
  EXPECT_EQ(speed(), 0);
  run.simulation.advance(3400);
  EXPECT_NEAR(speed(), 0.02, 1e-4);  // 2/7 of the belt: it rolls
  run.simulation.advance(8000);
  EXPECT_NEAR(speed(), 0, 1e-4);
}

TEST(Stages, ConditionsEndAStage) {
  const auto end_of = [](const std::string& until, const std::string& more = "") {
    Bead run(R"([ { "name": "first", "until": )" + until + more + R"(}, { "name": "second" } ])");
    run.simulation.run();
    const auto found = run.notes.find("ends (");
    return found == std::string::npos ? "" : run.notes.substr(found + 6, run.notes.find(");", found) - found - 6);
  };
  EXPECT_EQ(end_of(R"({ "at_least": 1 })"), "particles in the run: 1");
  EXPECT_EQ(end_of(R"({ "at_most": 0 })", R"(, "boundaries": { "floor": { "present": false } })"),
            "particles in the run: 0");
  EXPECT_EQ(end_of(R"({ "removed": { "by": "below" } })", R"(, "boundaries": { "floor": { "present": false } })"),
            "particles removed by \"below\": 1");
  // the weight of the bead is 0.1027 N
  EXPECT_EQ(end_of(R"({ "boundary_force": { "boundary": "floor", "above": 0.1 } })").substr(0, 25),
            "the force on \"floor\" is 0");
  EXPECT_EQ(end_of(R"({ "boundary_force": { "boundary": "floor", "above": 1000 } })"), "");
  EXPECT_EQ(end_of(R"({ "speed": 1e-4, "not_before": 0.004 })").substr(0, 20), "the largest speed is");
  EXPECT_EQ(end_of(R"({ "kinetic_energy": 1e-10, "not_before": 0.004 })").substr(0, 26), "the mean kinetic energy is");
  EXPECT_EQ(end_of(R"({ "unbalanced_force": 1e-3, "not_before": 0.004 })").substr(0, 23), "the unbalanced force is");
}

// The bead falls through the outlet at 0.08 s. A stage that waits for rest waits on, until the run ends, or until
// another condition says that nobody is left.
TEST(Stages, NobodyIsNotAtRest) {
  for (const std::string rest : {R"("speed": 1)", R"("kinetic_energy": 1)", R"("unbalanced_force": 1)"}) {
    for (const std::string more : {"", R"(, "at_most": 0)"}) {
      Bead run(R"([ { "name": "fall", "boundaries": { "floor": { "present": false } },
                      "until": { "not_before": 0.1, )" +
                   rest + more + R"( } }, { "name": "next" } ])",
               "time.duration=0.105");
      run.simulation.run();
      ASSERT_EQ(run.engine->counts().particles, 0U);
      if (more.empty()) {
        EXPECT_NE(run.warnings.find("the run ended before stage \"fall\" did"), std::string::npos) << run.notes;
      } else {
        EXPECT_NE(run.notes.find("stage \"fall\" ends (particles in the run: 0)"), std::string::npos) << run.notes;
      }
    }
  }
}

TEST(Stages, AFixedParticleIsInNoBalance) {
  Bead run(R"([ { "name": "rest", "until": { "duration": 0.02 } },
                { "name": "hold", "groups": { "beads": { "fixed": ["x", "y", "z"], "velocity": [0, 0, 0] } },
                  "until": { "unbalanced_force": 1e9, "not_before": 0.001 } }, { "name": "next" } ])",
           "time.duration=0.03");
  run.simulation.run();
  EXPECT_EQ(run.engine->counts().boundary_contacts, 1U);
  EXPECT_NE(run.warnings.find("the run ended before stage \"hold\" did"), std::string::npos) << run.notes;
}

TEST(Stages, ARunThatEndsTooEarlySaysSo) {
  Bead run(R"([ { "name": "settle", "until": { "at_most": 0 } } ])");
  run.simulation.run();
  EXPECT_NE(run.warnings.find("the run ended before stage \"settle\" did"), std::string::npos) << run.warnings;
}

// What a display shows as the end: that of the stages where all that are left have durations, else that of the run.
TEST(Stages, ProgressGoesToTheEndOfTheStages) {
  const auto first_and_last = [](const std::string& stages, const std::string& time = "time.duration=0.2") {
    Bead run(stages, time);
    std::vector<RunProgress> seen;
    run.simulation.run([&](const RunProgress& progress) { seen.push_back(progress); });
    return std::pair(seen.at(0), seen.back());
  };
  const std::string first = R"([ { "name": "a", "until": { "duration": 0.002, "at_least": 1 } }, )";
  const std::string bounded = first + R"({ "name": "b", "until": { "duration": 0.004 } } ])";
  const auto fixed = first_and_last(bounded);  // "a" ends at its first look, at step 100: with its duration
  EXPECT_EQ(fixed.first.last_step, 300U);
  EXPECT_EQ(fixed.second.step, 300U);
  EXPECT_NEAR(fixed.second.end_time, 0.006, 1e-12);
  const auto open = first_and_last(first + R"({ "name": "b", "until": { "at_least": 1, "not_before": 0.004 } } ])");
  EXPECT_EQ(open.first.last_step, 10000U);
  const auto adaptive = first_and_last(bounded, R"(time={"duration":0.2,"adaptive":true})");
  EXPECT_EQ(adaptive.first.last_step, 0U);
  EXPECT_NEAR(adaptive.first.end_time, 0.006, 1e-9);
}

// A stage whose duration is lost in the rounding of the step or of the time must not hang the run.
TEST(Stages, TheShortestStageLastsForAStep) {
  const std::string stages = R"([ { "name": "a", "until": { "duration": 1e-15 } },
                { "name": "b", "until": { "duration": 0.002 } },
                { "name": "c", "until": { "duration": 1e-30, "at_most": 0 } }, { "name": "d" } ])";
  Bead fixed(stages, "time.duration=0.004");
  EXPECT_EQ(fixed.simulation.run().steps, 200U);
  EXPECT_EQ(fixed.warnings, "");
  for (const char* line : {"step 1, t = 2e-05 s: stage \"a\" ends", "step 101, ", "step 102, "}) {
    EXPECT_NE(fixed.notes.find(line), std::string::npos) << fixed.notes;
  }
  EXPECT_NE(fixed.notes.find("stage \"c\" ends (its 1e-30 s are over); stage \"d\" begins"), std::string::npos);
  Bead adaptive(stages, R"(time={"duration":0.004,"adaptive":true})");
  EXPECT_GE(adaptive.simulation.run().time, 0.004);
  EXPECT_NE(adaptive.notes.find("stage \"c\" ends (its 1e-30 s are over); stage \"d\" begins"), std::string::npos)
      << adaptive.notes;
}

// The last step of a stage that no run sees the end of is no number of steps.
TEST(Stages, AnEndThatNeverComesIsNone) {
  for (const char* until : {R"({ "duration": 1e12, "at_most": 0 })", R"({ "duration": 1e30 })",
                            R"({ "not_before": 1e12, "at_most": 1 })"}) {
    Bead run(
        std::string(R"([ { "name": "a", "until": { "duration": 0.001 } }, { "name": "b", "until": )") + until + "} ]",
        "time.duration=0.005");
    EXPECT_EQ(run.simulation.run().steps, 250U) << until;
    EXPECT_NE(run.warnings.find("the run ended before stage \"b\" did"), std::string::npos) << run.warnings;
  }
}

void expect_problem(const std::string& stages, const std::string& path, const std::string& text) {
  expect_refused(with_stages(stages), path, text);
}

TEST(Stages, WhatCannotBeIsSaid) {
  expect_problem(R"([ { "name": "a", "until": {} } ])", "stages.0.until", "must have at least one of");
  expect_problem(R"([ { "name": "a" }, { "name": "b" } ])", "stages.0.until", "is missing");
  expect_problem(R"([ { "name": "a", "until": { "duration": 1 } }, { "name": "a" } ])", "stages.1.name",
                 "is the name of");
  expect_problem(R"([ { "name": "a", "until": { "speed": 1 } } ])", "stages.0.until.not_before", "is missing");
  expect_problem(R"([ { "name": "a", "boundaries": { "flor": { "present": true } } } ])", "stages.0.boundaries.flor",
                 "unknown boundary");
  expect_problem(R"([ { "name": "a", "boundaries": { "floor": { "force": [0, 0, 1] } } } ])",
                 "stages.0.boundaries.floor.force", "needs \"drive.translation\"");
  expect_problem(R"([ { "name": "a", "boundaries": { "floor": {
                        "surface_motion": [ { "type": "rotation", "axis": [0, 1, 1], "rate": 1 } ] } } } ])",
                 "stages.0.boundaries.floor.surface_motion.0.axis", "must be the normal of the plane");
  expect_problem(R"([ { "name": "a", "groups": { "bead": { "force": [0, 0, 1] } } } ])", "stages.0.groups.bead",
                 "unknown group");
  expect_problem(R"([ { "name": "a", "until": { "removed": { "by": "belw" } } } ])", "stages.0.until.removed.by",
                 "unknown outlet or region");
}

/// Beads that fall on a floor that later turns, is pulled away, and so on: whatever the step at which the run stops, it
/// goes on to the same bits.
class ResumedStages : public testing::Test, protected RunsCase {};

TEST_F(ResumedStages, GoOnToTheSameBits) {
  write_text(folder_ / "drop.json", with_stages(R"([
    { "name": "rest", "until": { "speed": 0.05, "not_before": 0.004, "duration": 0.01 } },
    { "name": "tilt", "until": { "duration": 0.012 }, "gravity": [1, 0, -9.81],
      "groups": { "beads": { "force": [0, 0.01, 0] } },
      "boundaries": { "floor": { "motion": [ { "type": "oscillation", "direction": [0, 0, 1], "amplitude": 1e-4,
                                               "frequency": 100 } ],
                                 "surface_motion": [ { "type": "table", "direction": [1, 2, 0],
                                                       "velocity": [[0, 0], [0.004, 0.5], [0.009, 0]] } ] },
                      "plate": { "force": [0, 0, -2] } } },
    { "name": "fall", "boundaries": { "floor": { "present": false } }, "until": { "removed": { "by": "below" } } } ])"));
  arguments_.settings = {"output.series.energies=true", "time.duration=0.2"};
  const std::string expected = whole();
  const auto log = read_text(folder_ / "whole/run.log");
  EXPECT_NE(log.find("it was the last one"), std::string::npos);
  EXPECT_NE(log.find("step 200, "), std::string::npos);
  EXPECT_NE(log.find("step 800, "), std::string::npos);
  expect_as_whole_when_interrupted(expected, {199, 200, 201, 777, 800, 801, 2500});
}

TEST_F(ResumedStages, ARunThatItsStagesHaveEndedSaysWhyItGoesNoFurther) {
  write_text(folder_ / "drop.json", with_stages(R"([ { "name": "only", "until": { "duration": 0.01 } } ])"));
  ASSERT_EQ(run(), exit_done);
  arguments_.settings = {"time.duration=0.3"};
  arguments_.resume = true;
  ASSERT_EQ(run(), exit_done);
  EXPECT_NE(terminal_.str().find("its last stage was over there, so no step is made"), std::string::npos)
      << terminal_.str();
}

}  // namespace scree::test::stages_test
