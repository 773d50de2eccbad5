#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <fstream>
#include <string>

#include "case_errors.hpp"
#include "host/geometry/real3.hpp"
#include "host/run/exit_code.hpp"
#include "host/run/servos.hpp"
#include "refused_cases.hpp"
#include "runs_case.hpp"
#include "scratch_folder.hpp"
#include "scree/build_scene.hpp"
#include "scree/case_file.hpp"
#include "scree/simulation.hpp"
#include "servo_cases.hpp"
#include "simulated_case.hpp"

/// Walls that hold a stress or a force.
namespace scree::test::servos_test {

/// A box of six walls around 216 grains; grains have friction with each other, walls have none.
std::string triaxial(const std::string& more = "") {
  const auto wall = [](const char* name, const char* point, const char* normal, const char* stress) {
    return std::string("\"") + name + R"(": { "type": "plane", "material": "wall", "point": )" + point +
           R"(, "normal": )" + normal + R"(, "servo": { "stress": )" + stress + R"(, "inertial_number": 3e-3 } })";
  };
  return R"({ "time": { "duration": 0.25 }, "gravity": [0, 0, 0], "precision": "double",
  "materials": { "grain": { "density": 2500, "young_modulus": 1e8, "poisson_ratio": 0.25, "friction": 0.4,
                            "restitution": 0.3 },
                 "wall": { "density": 2500, "young_modulus": 1e8, "poisson_ratio": 0.25, "friction": 0,
                           "restitution": 0.3 } },
  "particles": [ { "material": "grain", "radius": { "uniform": [0.0017, 0.002] }, "lattice": { "type": "simple_cubic",
                   "box": [[0, 0, 0], [0.02582, 0.02582, 0.02582]], "spacing": 0.0043, "jitter": 0.8 } } ],
  "boundaries": { )" +
         wall("left", "[0, 0, 0]", "[1, 0, 0]", "1e4") + ", " + wall("right", "[0.0259, 0, 0]", "[-1, 0, 0]", "1e4") +
         ", " + wall("front", "[0, 0, 0]", "[0, 1, 0]", "1.5e4") + ", " +
         wall("back", "[0, 0.0259, 0]", "[0, -1, 0]", "1.5e4") + ", " +
         wall("bottom", "[0, 0, 0]", "[0, 0, 1]", "2e4") + ", " + wall("top", "[0, 0, 0.0259]", "[0, 0, -1]", "2e4") +
         " }" + more + "}";
}

TEST(Servos, AStageWaitsUntilTheWallsHoldTheirStresses) {
  const Case input = parse_case(triaxial(R"(, "stages": [
    { "name": "consolidate", "until": { "not_before": 0.01, "duration": 0.24,
                                        "all_of": [ { "servo_error": 0.02, "unbalanced_force": 0.05 } ] } },
    { "name": "next", "until": { "duration": 1e-4 } } ])"),
                                ".");
  SceneReport report;
  const Scene scene = build_scene(input, report);
  const auto engine = make_engine(scene, {BackendChoice::host, 2});
  std::vector<std::string> notes;
  RunOptions options;
  options.note = [&](const std::string& note) { notes.push_back(note); };
  Simulation simulation(input, scene, *engine, options);
  simulation.run();
  ASSERT_EQ(notes.size(), 3u);
  EXPECT_IN("walls hold their stress or force up to 0.0", notes[1]);
  EXPECT_IN("and the unbalanced force is 0.0", notes[1]);
  const double held[6] = {1e4, 1e4, 1.5e4, 1.5e4, 2e4, 2e4};  // a little later, in steps of a thousandth of the stage
  const auto loads = engine->boundary_loads();
  for (std::size_t wall = 0; wall < 6; ++wall) {
    const SceneServo& servo = *scene.boundaries[wall].servo;
    const double stress = -geometry::dot(loads[wall].force, servo.direction) / area_now(scene, servo, loads);
    EXPECT_NEAR(stress, held[wall], 0.05 * held[wall]) << wall;
  }
}

TEST(Servos, AServoErrorNeedsAWallThatHoldsSomething) {
  expect_first_problem(
      [] {
        SceneReport report;
        (void)build_scene(
            parse_case(triaxial(), ".", {"boundaries={}", R"(stages=[{"name":"a","until":{"servo_error":0.1}}])"}),
            report);
      },
      "stages.0.until.servo_error", "needs a boundary with a \"servo\"");
}

/// Ring shear: a lid that turns while it holds its force.
TEST(Servos, AWallMayTurnAndSlideAcrossItsDirection) {
  const std::string ring = R"({ "time": { "duration": 0.6 }, "gravity": [0, 0, 0], "precision": "double",
  "materials": { "g": { "density": 2500, "young_modulus": 1e7, "poisson_ratio": 0.25, "friction": 0.4,
                        "restitution": 0.3 } },
  "particles": [ { "material": "g", "radius": 4e-3, "fill": { "cylinder": { "from": [0, 0, 0], "to": [0, 0, 0.03],
                   "radius": 0.03 }, "count": 130 } } ],
  "boundaries": {
    "shell": { "type": "cylinder", "from": [0, 0, -0.02], "to": [0, 0, 0.06], "radius": 0.03, "material": "g" },
    "floor": { "type": "plane", "point": [0, 0, 0], "normal": [0, 0, 1], "material": "g" },
    "lid": { "type": "plane", "point": [0, 0, 0.031], "normal": [0, 0, -1], "material": "g",
             "servo": { "force": 5, "inertial_number": 0.02 } } },
  "stages": [ { "name": "press", "until": { "servo_error": 0.02, "duration": 0.4 } },
              { "name": "shear", "boundaries": { "lid": { "motion": [ { "type": "rotation", "axis": [0, 0, 1],
                                                                        "rate": 3 } ] } } } ] })";
  const Case input = parse_case(ring, ".");
  SceneReport report;
  const Scene scene = build_scene(input, report);
  const auto engine = make_engine(scene, {BackendChoice::host, 2});
  Simulation simulation(input, scene, *engine, {});
  double force = 0, torque = 0, rows = 0;
  while (engine->time() < 0.599) {
    simulation.advance(engine->step() + 100);
    if (engine->time() < 0.3) { continue; }
    const BoundaryLoad lid = engine->boundary_loads().at(2);
    force += lid.force[2], torque += lid.torque[2], ++rows;
    EXPECT_EQ(lid.velocity[0], 0) << "the servo moves it along its direction only";
  }
  EXPECT_NEAR(force / rows, 5, 0.75) << "the packing gets denser, and the lid follows against its own resistance";
  // Friction resists the turn: at most mu N times the outermost place of a contact, 0.4 x 5 N x 3 cm.
  EXPECT_LT(torque / rows, -0.1 * 0.4 * 5 * 0.03);
  EXPECT_GT(torque / rows, -0.4 * 5.5 * 0.03);
}

TEST(Servos, InASlabTheAreaIsTheSectionOfTheCell) {
  const std::string slab = R"({ "time": { "duration": 0.1 }, "gravity": [0, 0, 0],
  "materials": { "g": { "density": 2500, "young_modulus": 1e7, "poisson_ratio": 0.25, "friction": 0.4,
                        "restitution": 0.3 } },
  "particles": [ { "material": "g", "radius": 2e-3, "positions": [[0.01, 0.01, 0.01]] } ],
  "domain": { "periodic": { "size": [0.04, 0.03, 0.02], "axes": ["x", "y"] } },
  "boundaries": {
    "floor": { "type": "plane", "point": [0, 0, 0], "normal": [0, 0, 1], "material": "g" },
    "lid": { "type": "plane", "point": [0, 0, 0.02], "normal": [0, 0, -1], "material": "g",
             "servo": { "stress": 1e4 } } } })";
  SceneReport report;
  EXPECT_NEAR(build_scene(parse_case(slab, "."), report).boundaries[1].servo->area, 0.04 * 0.03, 1e-15);
  EXPECT_NO_THROW(  // shear keeps the section
      (void)build_scene(parse_case(slab, ".", {"domain.velocity_gradient=[[0,1,0],[0,0,0],[0,0,0]]"}), report));
  expect_first_problem(
      [&] {
        (void)build_scene(parse_case(slab, ".", {"domain.velocity_gradient=[[-1,0,0],[0,0,0],[0,0,0]]"}), report);
      },
      "boundaries.lid.servo", "needs an \"area\"");
}

TEST(Servos, AWallDoesNotMoveAlongItsDirection) {
  const auto expect = [](const std::vector<std::string>& settings, const std::string& path, const std::string& text) {
    expect_first_problem(
        [&] {
          SceneReport report;
          (void)build_scene(parse_case(triaxial(), ".", settings), report);
        },
        path, text);
  };
  const std::string along = " to the direction of the servo, along which only its stress, force or \"speed\" moves";
  expect({R"(boundaries.top.motion=[{"type":"translation","velocity":[0,0,-1]}])"}, "boundaries.top.motion.0.velocity",
         "must be perpendicular" + along);
  expect({R"(boundaries.top.motion=[{"type":"rotation","axis":[1,0,0],"rate":1}])"}, "boundaries.top.motion.0.axis",
         "must be parallel" + along);
  expect({R"(stages=[{"name":"a","boundaries":{"top":{"motion":[{"type":"translation","velocity":[0,0.1,0.1]}]}}}])"},
         "stages.0.boundaries.top.motion.0.velocity", "must be perpendicular" + along);
  SceneReport report;
  EXPECT_NO_THROW((void)build_scene(
      parse_case(
          triaxial(), ".",
          {R"(boundaries.top.motion=[{"type":"oscillation","direction":[1,0,0],"amplitude":1e-4,"frequency":9}])"}),
      report));
}

TEST(Servos, ATriaxialBoxReachesItsThreeStresses) {
  const Case input = parse_case(triaxial(), ".");
  SceneReport report;
  const Scene scene = build_scene(input, report);
  const auto engine = make_engine(scene, {BackendChoice::host, 2});
  ASSERT_EQ(engine->counts().particles, 216u);
  Simulation simulation(input, scene, *engine, {.folder = {}});
  simulation.run();

  const auto loads = engine->boundary_loads();
  const std::array<double, 6> goals{1e4, 1e4, 1.5e4, 1.5e4, 2e4, 2e4};
  double volume = 1;
  for (std::size_t w = 0; w < 6; ++w) {
    const SceneServo& servo = *scene.boundaries[w].servo;
    const double area = area_now(scene, servo, loads);
    double force = 0;
    for (std::size_t k = 0; k < 3; ++k) { force -= loads[w].force[k] * servo.direction[k]; }
    EXPECT_NEAR(force / area, goals[w], 5e-4 * goals[w]) << scene.boundaries[w].name;
    volume *= std::sqrt(std::sqrt(area));  // (ab bc ca)^2 = V^4
  }

  // Love and Weber: forces on each particle, times where they act from its centre.
  std::array<double, 3> stress{};
  std::vector<ContactDetail> details;
  const auto contacts = engine->touching_contacts(&details);
  const Snapshot particles = engine->snapshot();
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    for (std::size_t k = 0; k < 3; ++k) {
      const double arm =
          contacts[c].with_boundary ? details[c].center[k] - contacts[c].point[k] : contacts[c].branch[k];
      stress[k] += contacts[c].force[k] * arm / volume;
    }
  }
  for (std::size_t k = 0; k < 3; ++k) { EXPECT_NEAR(stress[k], goals[2 * k], 0.02 * goals[2 * k]) << k; }
  EXPECT_LT(volume, 0.9 * 0.0259 * 0.0259 * 0.0259);
}

// Consolidate, then compress with a given speed, then hold a stress again: the usual triaxial test between walls.
TEST(Servos, AStageMovesAWallWithASpeed) {
  SimulatedCase run(triaxial(R"(, "stages": [ { "name": "consolidate", "until": { "duration": 0.01 } },
    { "name": "compress", "boundaries": { "top": { "servo": { "speed": 0.02 } } }, "until": { "duration": 0.02 } },
    { "name": "wait", "boundaries": { "top": { "servo": { "speed": 0 } } }, "until": { "duration": 0.005 } },
    { "name": "hold", "boundaries": { "top": { "servo": { "stress": 2e4 } } } } ])"),
                    {}, 2);
  run.simulation.begin();
  const auto height = [&](double time) {
    run.simulation.advance(static_cast<std::uint64_t>(std::ceil(time / run.scene.time_step - 1e-9)));
    return std::pair{run.engine->boundary_loads()[5].shift[2], run.engine->time()};
  };
  const auto [start, from] = height(0.0101);
  const auto [end, until] = height(0.0298);
  EXPECT_NEAR(end - start, -0.02 * (until - from), 1e-9);
  const double waits = height(0.031).first;
  EXPECT_EQ(height(0.034).first, waits);
  static_cast<void>(height(0.25));
  const auto loads = run.engine->boundary_loads();
  EXPECT_NEAR(loads[5].force[2] / area_now(run.scene, *run.scene.boundaries[5].servo, loads), 2e4, 200);
}

TEST(Servos, AForceHoldsAWeight) {
  // a lid with a force of 0.2 N: the floor carries it and the weight
  SimulatedCase run(bead_below(R"("type": "plane", "point": [0, 0, 0.0201], "normal": [0, 0, -1],
                                  "servo": { "stress": 2000, "area": 1e-4, "inertial_number": 0.02 })",
                               R"(, "stages": [ { "name": "hold", "until": { "duration": 0.2 } },
    { "name": "more", "boundaries": { "lid": { "servo": { "stress": 5000 } } } } ])"));
  run.simulation.begin();
  run.simulation.advance(10000);
  EXPECT_NEAR(run.engine->boundary_loads().at(1).force[2], 0.2, 1e-4);
  EXPECT_NEAR(run.engine->boundary_loads().at(0).force[2], -0.2 - 0.010472 * 9.81, 1e-4);
  run.simulation.advance(15000);
  EXPECT_NEAR(run.engine->boundary_loads().at(1).force[2], 0.5, 2.5e-4);
}

// A run that ends before a wall has arrived says so; one whose wall was taken away does not.
TEST(Servos, AWallThatDoesNotArriveIsAWarning) {
  const std::string lid = R"("type": "plane", "point": [0, 0, 0.1], "normal": [0, 0, -1],
                             "servo": { "stress": 2000, "area": 1e-4, "inertial_number": 0.001 })";
  const auto warnings_of = [&](const std::string& more) {
    SimulatedCase run(bead_below(lid, more), {"time.duration=0.01"});
    run.simulation.run();
    return run.warnings;
  };
  EXPECT_IN("boundaries.lid.servo: no particle pushes it at the end, though it should hold 2000 Pa", warnings_of(""));
  EXPECT_EQ(warnings_of(R"(, "stages": [ { "name": "gone", "boundaries": { "lid": { "present": false } },
                                           "until": { "duration": 1 } } ])")
                .find("servo"),
            std::string::npos);
}

// Sides that a fast platen drives outward hold their stress as long as their resistance allows it; beyond, a warning
// says so.
TEST(Servos, SidesOfASampleThatIsCompressed) {
  struct Outcome {
    double side = 0;  ///< [Pa] mean of the four sides over the second half of the compression
    std::string warnings;
  };
  const auto compressed = [](const std::string& speed, double duration) {
    const std::string half = R"({ "servo": { "speed": )" + speed + " } }";
    const Case input = parse_case(triaxial(R"(, "stages": [
      { "name": "consolidate", "boundaries": { "front": { "servo": { "stress": 1e4 } }, "back": { "servo": { "stress": 1e4 } },
          "bottom": { "servo": { "stress": 1e4 } }, "top": { "servo": { "stress": 1e4 } } }, "until": { "duration": 0.1 } },
      { "name": "compress", "boundaries": { "top": )" +
                                           half + R"(, "bottom": )" + half + R"( },
        "until": { "duration": )" + std::to_string(duration) +
                                           R"( } },
      { "name": "rest", "until": { "duration": 1e-4 } } ])"),
                                  ".");
    SceneReport report;
    const Scene scene = build_scene(input, report);
    const auto engine = make_engine(scene, {BackendChoice::host, 2});
    Outcome outcome;
    Simulation simulation(input, scene, *engine,
                          {.folder = {}, .warn = [&](const std::string& text) { outcome.warnings += text; }});
    simulation.begin();
    const auto until = [&](double time) {
      simulation.advance(static_cast<std::uint64_t>(std::ceil((time - engine->time()) / scene.time_step - 1e-9)));
    };
    until(0.1 + 0.5 * duration);
    constexpr int samples = 200;
    for (int k = 1; k <= samples; ++k) {
      until(0.1 + duration * (0.5 + 0.5 * k / samples));
      const auto loads = engine->boundary_loads();
      for (std::size_t w = 0; w < 4; ++w) {
        const SceneServo& servo = *scene.boundaries[w].servo;
        outcome.side -= geometry::dot(loads[w].force, servo.direction) / area_now(scene, servo, loads) / (4 * samples);
      }
    }
    simulation.run();
    return outcome;
  };
  // Samples of a force that varies by a third: their mean is known to some 1 %.
  const Outcome slow = compressed("0.05", 0.04), fast = compressed("0.3", 0.008);
  EXPECT_NEAR(slow.side, 1e4, 300);
  EXPECT_EQ(slow.warnings.find("times what it should hold"), std::string::npos) << slow.warnings;
  EXPECT_GT(fast.side, 1.2e4);
  EXPECT_IN("at the end of stage \"compress\": boundaries.left.servo: the particles push it with a mean of",
            fast.warnings);
}

// A plane, a flat mesh and a closed one press a bead with the same force.
TEST(Servos, MeshesHoldForces) {
  const ScratchFolder folder;
  std::ofstream(folder.path() / "flat.obj") << "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3\nf 1 3 4\n";
  std::ofstream(folder.path() / "closed.obj")
      << "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0.03 0.01 1\nv 1 0 1\nv 1 1 1.1\nv 0 1 1\n"
         "f 1 3 2\nf 1 4 3\nf 5 6 7\nf 5 7 8\nf 1 2 6\nf 1 6 5\nf 2 3 7\nf 2 7 6\nf 3 4 8\nf 3 8 7\nf 4 1 5\nf 4 5 8\n";
  const auto mesh = [](const std::string& file) {
    return R"("type": "mesh", "file": ")" + file + R"(", "scale": 0.1, "translate": [-0.03, -0.04, 0.0201],
              "servo": { "force": 0.2, "direction": [0, 0, -2], "inertial_number": 0.02 })";
  };
  for (const std::string& lid : {std::string(R"("type": "plane", "point": [0, 0, 0.0201], "normal": [0, 0, -1],
                       "servo": { "force": 0.2, "inertial_number": 0.02 })"),
                                 mesh("flat.obj"), mesh("closed.obj")}) {
    const Case input = parse_case(bead_below(lid), folder.path());
    SceneReport report;
    const Scene scene = build_scene(input, report);
    const auto engine = make_engine(scene, {BackendChoice::host, 1});
    Simulation simulation(input, scene, *engine, {.folder = {}});
    simulation.run();
    EXPECT_NEAR(engine->boundary_loads().at(1).force[2], 0.2, 1e-4) << lid;
  }
}

void expect_problem(const std::string& walls, const std::string& path, const std::string& text) {
  expect_refused(bead(walls), path, text);
}

TEST(Servos, WhatCannotBeIsSaid) {
  const std::string plane = R"("a": { "type": "plane", "point": [0, 0, 0], "normal": [0, 0, 1], "material": "glass", )";
  const std::string sphere = R"("a": { "type": "sphere", "center": [0, 0, 0], "radius": 1, "material": "glass", )";
  expect_problem(plane + R"("servo": { "stress": 1 } })", "boundaries.a.servo", "needs an \"area\"");
  expect_problem(plane + R"("servo": { "stress": 0, "area": 1 } })", "boundaries.a.servo", "above 0");
  expect_problem(plane + R"("servo": { "stress": -1, "area": 1 } })", "boundaries.a.servo.stress", "at least 0");
  expect_problem(plane + R"("servo": { "force": [[0, 1], [1, -1]] } })", "boundaries.a.servo.force.1.1", "at least 0");
  expect_problem(plane + R"("servo": { "force": [[1, 1], [1, 2]] } })", "boundaries.a.servo.force.1.0", "time before");
  expect_problem(plane + R"("servo": { "force": 1, "area": 1 } })", "boundaries.a.servo.area", "belongs to");
  expect_problem(plane + R"("servo": { "force": 1, "direction": [1, 0, 0] } })", "boundaries.a.servo", "normal of the");
  expect_problem(plane + R"("servo": { "force": 1 }, "drive": { "translation": { "mass": 1 } } })",
                 "boundaries.a.servo", "no \"drive\"");
  expect_problem(sphere + R"("servo": { "force": 1 } })", "boundaries.a.servo", "");
}

/// A run that is cut and resumed, also between two looks at the areas, goes on to the same bits.
class ResumedServos : public testing::Test, protected RunsCase {};

TEST_F(ResumedServos, GoOnToTheSameBits) {
  write_text(folder_ / "drop.json", triaxial(R"(, "stages": [
    { "name": "first", "until": { "duration": 0.004 } },
    { "name": "second", "boundaries": { "top": { "servo": { "stress": [[0, 2e4], [0.01, 4e4]] } }, "bottom": { "servo": { "stress": 3e4 } } } } ],
    "output": { "series": { "every": 0.001 }, "checkpoints": { "every": 1 } })"));
  arguments_.settings = {"time.duration=0.012"};
  expect_as_whole_when_interrupted(whole(), {50, 100, 377, 450, 801});
}

}  // namespace scree::test::servos_test
