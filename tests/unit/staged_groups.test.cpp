#include <gtest/gtest.h>

#include <string>

#include "refused_cases.hpp"
#include "resume_command.hpp"
#include "scratch_folder.hpp"
#include "scree/errors.hpp"
#include "scree/simulation.hpp"
#include "simulated_case.hpp"

/// Stages that hold, move, turn and let go the particles of groups.
namespace scree::test::staged_groups_test {

constexpr const char* head = R"({ "time": { "duration": 0.05, "step": 2e-5 }, "precision": "double",
  "materials": { "glass": { "density": 2500, "young_modulus": 1e7, "poisson_ratio": 0.25, "friction": 0.4,
                            "restitution": 0.4 } },
  "shapes": { "pill": { "type": "clump", "spheres": [ { "center": [0, 0, 0], "radius": 1 }, { "center": [1, 0, 0], "radius": 1 } ] } },
  "particles": [
    { "material": "glass", "radius": 0.005,
      "lattice": { "type": "simple_cubic", "box": [[0, 0, 0], [0.05, 0.05, 0.03]], "spacing": 0.0102 } },
    { "material": "glass", "radius": 0.006, "group": "tool", 
      "lattice": { "type": "simple_cubic", "box": [[0.019, 0.019, 0.034], [0.032, 0.032, 0.047]], "spacing": 0.02 }, "velocity": [0, 0, -0.1] },
    { "material": "glass", "shape": "pill", "radius": 0.004, "group": "pills", 
      "lattice": { "type": "simple_cubic", "box": [[0, 0, 0.048], [0.05, 0.05, 0.07]], "spacing": 0.02 } } ],
  "groups": { "tool": { "force": [0, 0, -0.01] }, "pills": { "damping": 0.1 } },
  "boundaries": {
    "floor": { "type": "plane", "point": [0, 0, 0], "normal": [0, 0, 1], "material": "glass" } },
  "output": { "checkpoints": { "every": 0.05 } })";

std::string with_stages(const std::string& stages) { return std::string(head) + ", \"stages\": " + stages + "}"; }

struct ToolRun : SimulatedCase {
  explicit ToolRun(const std::string& stages, const std::vector<std::string>& settings = {})
      : SimulatedCase(with_stages(stages), settings) {
    simulation.begin();
  }
  /// Place of the tool after so many steps.
  [[nodiscard]] Real3 at(std::uint64_t step) {
    simulation.advance(step);
    const Snapshot now = engine->snapshot({.group = true});
    for (std::size_t i = 0; i < now.group.size(); ++i) {
      if (now.group[i] == 1) { return now.position[i]; }
    }
    ADD_FAILURE() << "no tool";
    return {};
  }
};

// "Settle, pull the tool up, turn it, let it go": its path follows from the stages alone while it is held.
TEST(StagedGroups, AToolIsPulledOutOfABed) {
  ToolRun run(R"([ { "name": "settle", "until": { "duration": 0.01 } },
    { "name": "pull", "until": { "duration": 0.01 },
      "groups": { "tool": { "fixed": ["x", "y", "z", "rx", "ry", "rz"], "velocity": [0.1, 0, 0.5], "force": [0, 0, 0] } } },
    { "name": "rest", "until": { "duration": 0.01 }, "groups": { "tool": { "velocity": [0, 0, 0] } } },
    { "name": "drop", "groups": { "tool": { "fixed": [], "gravity": false } } } ])");
  const Real3 settled = run.at(500), pulled = run.at(1000), held = run.at(1500), let_go = run.at(2000);
  EXPECT_NEAR(pulled[0] - settled[0], 0.001, 1e-12);
  EXPECT_NEAR(pulled[2] - settled[2], 0.005, 1e-12);
  EXPECT_EQ(held, pulled);
  EXPECT_EQ(let_go, held);  // above the bed, without velocity, force and gravity
}

// Particles of an inlet take the velocities that their group has by then.
TEST(StagedGroups, NewParticlesFollowTheChangedGroup) {
  const char* stages = R"([ { "name": "first", "until": { "duration": 0.01 } },
    { "name": "second", "groups": { "fed": { "fixed": ["x", "y", "z"], "velocity": [0, 0, 3] } } } ])";
  ToolRun run(stages, {R"(particles.1={"material": "glass", "radius": 0.002, "group": "fed", "inlet": {"rate": 2000,
      "region": {"box": [[0, 0, 0.1], [0.05, 0.05, 0.2]]}}})",
                       R"(groups={"tool": {}, "fed": {}, "pills": {}})"});
  run.simulation.advance(500);
  EXPECT_GT(run.engine->counts().inserted, 10u);
  run.simulation.advance(1000);
  const Snapshot now = run.engine->snapshot({.group = true});
  std::size_t fed = 0;
  for (std::size_t i = 0; i < now.group.size(); ++i) {
    if (now.group[i] != 2) { continue; }
    ++fed;
    EXPECT_EQ(now.velocity[i], (Real3{0, 0, 3})) << i;
  }
  EXPECT_GT(fed, 30u);
}

void expect_problem(const std::string& stages, const std::string& path, const std::string& text) {
  expect_refused(with_stages(stages), path, text);
}

TEST(StagedGroups, WhatCannotBeIsSaid) {
  const auto one = [](const std::string& change) {
    return R"([ { "name": "a", "groups": { "tool": )" + change + " } } ]";
  };
  expect_problem(one("{}"), "stages.0.groups.tool", "must have at least one of \"join\"");
  expect_problem(one(R"({ "fixed": ["w"] })"), "stages.0.groups.tool.fixed.0", "");
  expect_problem(one(R"({ "fixed": ["x", "x"] })"), "stages.0.groups.tool.fixed.1", "listed twice");
  expect_problem(one(R"({ "velocity": [0, 0, 1] })"), "stages.0.groups.tool.velocity.2", "only where \"z\" is fixed");
  expect_problem(one(R"({ "fixed": ["x"], "force": [1, 0, 0] })"), "stages.0.groups.tool.force.0", "has no effect");
  expect_problem(one(R"({ "rotation": { "axis": [0, 0, 1], "rate": 1 } })"), "stages.0.groups.tool.rotation",
                 "needs x, y, z, rx, ry and rz to be fixed");
  expect_problem(one(R"({ "damping": 1 })"), "stages.0.groups.tool.damping", "");
  // what an earlier stage fixes stays fixed
  expect_problem(R"([ { "name": "a", "groups": { "tool": { "fixed": ["z"] } }, "until": { "duration": 0.01 } },
                      { "name": "b", "groups": { "tool": { "force": [0, 0, 1] } } } ])",
                 "stages.1.groups.tool.force.2", "has no effect");
}

/// The tool and the pills are held, moved, turned and let go; whatever the step at which the run stops, it goes on to
/// the same bits.
class ResumedStagedGroups : public testing::Test, protected RunsCase {};

TEST_F(ResumedStagedGroups, GoOnToTheSameBits) {
  write_text(folder_ / "drop.json", with_stages(R"([
    { "name": "settle", "until": { "duration": 0.008 } },
    { "name": "pull", "until": { "duration": 0.008 },
      "groups": { "tool": { "fixed": ["x", "y", "z"], "velocity": [0, 0, 0.3], "force": [0, 0, 0] },
                  "pills": { "fixed": ["x", "y", "z", "rx", "ry", "rz"],
                             "rotation": { "axis": [0, 0, 2], "origin": [0.02, 0.02, 0], "rate": 30 } } } },
    { "name": "let go", "until": { "duration": 0.008 },
      "groups": { "tool": { "fixed": [], "force": [0.01, 0, 0] }, "pills": { "fixed": ["z"], "velocity": [0, 0, -0.1] } } },
    { "name": "fall", "groups": { "pills": { "fixed": [], "damping": 0.4, "gravity": false } } } ])"));
  arguments_.settings = {"output.series={\"every\":0.0007,\"energies\":true}"};
  for (const char* precision : {"precision=mixed", "precision=double"}) {
    arguments_.settings.push_back(precision);
    const std::string expected = whole();
    expect_as_whole_when_interrupted(expected, {399, 400, 401, 600, 800, 801, 1200, 1201, 2000});
  }
}

}  // namespace scree::test::staged_groups_test
