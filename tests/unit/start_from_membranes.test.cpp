#include <string>
#include <vector>

#include "case_errors.hpp"
#include "host/measure/membrane_volume.hpp"
#include "host/run/exit_code.hpp"
#include "start_runs.hpp"

/// Cases that start from a run with a membrane, whose sheet goes on.
namespace scree::test::start_from_membranes_test {

/// A sheet under a pressure from inside, which stretches its bonds.
const std::string sheet = R"({ "material": "latex", "radius": 0.0013, "group": "sheet",
  "membrane": { "name": "sleeve", "from": [0, 0, 0], "to": [0, 0, 0.02], "radius": 0.0082,
                "pressure": [[0, 0], [0.002, -2e3]], "ends": "rings" } })";
/// The same sheet under its last pressure.
const std::string pressed_sheet = R"({ "material": "latex", "diameter": 0.0026, "group": "skin",
  "membrane": { "name": "sleeve", "from": [0, 0, 0], "to": [0, 0, 0.02], "radius": 0.0082, "pressure": -2e3,
                "ends": "hoops" } })";
const std::string ball = R"({ "material": "grain", "radius": 0.0018, "positions": [[0.06, 0, 0.005]] })";
constexpr std::uint32_t grains = 60;

/// Grains in a sleeve between a floor and a lid.
std::string specimen(const std::string& precision, const std::string& bond, const std::string& rest) {
  return R"({ "time": { "duration": 0.006, "step": 5e-6 }, "gravity": [0, 0, 0], "precision": ")" + precision + R"(",
  "materials": {
    "grain": { "density": 2500, "young_modulus": 1e7, "poisson_ratio": 0.25, "friction": 0.4, "restitution": 0.3 },
    "latex": { "density": 1000, "young_modulus": 3e5, "poisson_ratio": 0.2, "friction": 0.2, "restitution": 0.3 } },
  "contacts": [
    { "between": ["latex", "latex"], "law": "bonded",
      "bond": { "tensile_strength": 2.9e5, "cohesion": 1e9, "damping": 0.05)" +
         bond + R"( } },
    { "between": ["*", "*"], "law": "hertz_mindlin" } ],
  "boundaries": {
    "floor": { "type": "plane", "point": [0, 0, 0], "normal": [0, 0, 1], "material": "grain" },
    "lid": { "type": "plane", "point": [0, 0, 0.02], "normal": [0, 0, -1], "material": "grain" } },)" +
         rest + " }";
}

/// Two grains beside the sleeve leave at once, so that the ids of the nodes move up in a start.
std::string packing(const std::string& precision, const std::string& outlet_x = "0.05") {
  return specimen(precision, "",
                  R"("particles": [
    { "material": "grain", "radius": 0.0018, "positions": [[0.06, 0, 0.005], [0.06, 0, 0.01]] },
    { "material": "grain", "radius": 0.0018, "fill": { "cylinder": { "from": [0, 0, 0], "to": [0, 0, 0.02],
      "radius": 0.008 }, "count": 60 } }, )" +
                      sheet + R"( ],
    "groups": { "sheet": { "damping": 0.3 }, "rings": { "fixed": ["x", "y"], "damping": 0.3 } },
    "domain": { "outlets": { "side": { "point": [)" +
                      outlet_x + R"(, 0, 0], "normal": [1, 0, 0] } } },
    "output": { "checkpoints": { "every": 0.01 } })");
}

std::string next_case(const std::string& precision, const std::string& bond = R"(, "form": "kept")",
                      const std::string& entries = pressed_sheet) {
  return specimen(precision, bond, R"("start": "packing", "particles": [ )" + entries + R"( ],
    "groups": { "hoops": { "fixed": ["x", "y"], "damping": 0.3 }, "skin": { "damping": 0.3 } },
    "stages": [ { "name": "hold", "until": { "duration": 0.002 } },
                { "name": "ease", "membranes": { "sleeve": { "pressure": -1500 } } } ],
    "output": { "checkpoints": { "every": 0.01 } })");
}

double volume_of(Engine& engine, const SceneMembrane& membrane) {
  return membrane_volume(engine.snapshot({}), membrane);
}

class StartOfMembranes : public testing::TestWithParam<const char*>, protected StartRuns {
 protected:
  void SetUp() override {
    write_text(folder_ / "packing.json", packing(GetParam()));
    write_text(folder_ / "case.json", next_case(GetParam()));
    ASSERT_EQ(run("packing.json", "packing"), exit_done) << terminal_.str();
  }
  void expect_problem(const std::string& text, const std::string& path, const std::string& part) {
    write_text(folder_ / "wrong.json", text);
    expect_first_problem(
        [&] {
          SceneReport report;
          static_cast<void>(build_scene(read_case(folder_ / "wrong.json"), report));
        },
        path, part);
  }
  void expect_problem_of(const std::vector<std::string>& settings, const std::string& path, const std::string& part) {
    expect_first_problem(
        [&] {
          SceneReport report;
          static_cast<void>(build_scene(read_case(folder_ / "case.json", settings), report));
        },
        path, part);
  }
};
INSTANTIATE_TEST_SUITE_P(Precisions, StartOfMembranes, testing::Values("mixed", "double"));

// The run that goes on and the run that starts have the same contacts and bonds with the same forces, so the tension of
// the sheet has come along. Then they differ by half a step in which forces acted, once: after 200 steps by 4e-5 of the
// radius in places, and by 3e-6 in the volume. If bonds were made anew, without their tension, the pressure from inside
// would widen the sheet by some percent once more.
TEST_P(StartOfMembranes, TheSheetGoesOn) {
  const auto old = old_engine();
  Started next = started();
  ASSERT_EQ(next.scene.membranes.size(), 1U);
  const SceneMembrane& membrane = next.scene.membranes[0];
  EXPECT_EQ(membrane.first, grains);
  SceneMembrane before = membrane;
  before.first = grains + 2;
  const std::uint64_t bonds = 3U * membrane.lattice.nodes() - 2U * membrane.lattice.around;
  EXPECT_EQ(old->counts().bonds, bonds);
  EXPECT_EQ(next.engine->membrane_pressure(0), -2e3);
  (void)expect_same_next_forces(*old, *next.engine, bonds - 1);
  EXPECT_EQ(next.engine->counts().bonds, bonds);
  old->advance(200);
  next.engine->advance(200);
  EXPECT_EQ(next.engine->counts().bonds, bonds);
  const double expected = volume_of(*old, before);
  EXPECT_NEAR(volume_of(*next.engine, membrane) / expected, 1, 1e-5);
  const auto a = old->snapshot({}).position, b = next.engine->snapshot({}).position;
  ASSERT_EQ(a.size(), b.size());
  double farthest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    farthest = std::max(farthest, geometry::length(geometry::subtract(a[i], b[i])));
  }
  EXPECT_LT(farthest, 1e-4 * 0.0013);
}

// The entry names the groups of the nodes, and stages find the membrane by its name.
TEST_P(StartOfMembranes, HasTheGroupsAndStagesOfTheCase) {
  const Started next = started();
  const SceneMembrane& membrane = next.scene.membranes.at(0);
  const std::uint32_t around = membrane.lattice.around, nodes = membrane.lattice.nodes();
  ASSERT_EQ(next.scene.particles.size(), grains + nodes) << "no node is placed anew";
  for (std::uint32_t k = 0; k < nodes; ++k) {
    EXPECT_EQ(next.scene.particles.group[grains + k], k < around || k >= nodes - around ? 1U : 2U);
  }
  ASSERT_EQ(next.scene.stages.at(1).membranes.size(), 1U);
  EXPECT_EQ(next.scene.stages.at(1).membranes[0].membrane, 0U);
}

// A new membrane may stand beside the one that goes on. Membranes have the order of the case, particles that of ids.
TEST_P(StartOfMembranes, StandsBesideANewOne) {
  const std::string other = R"({ "material": "latex", "radius": 0.0013, "membrane": { "name": "other",
    "from": [0.04, 0, 0], "to": [0.04, 0, 0.02], "radius": 0.0082, "pressure": 0 } }, )";
  write_text(folder_ / "case.json", next_case(GetParam(), R"(, "form": "near")", other + pressed_sheet));
  Started next = started();
  ASSERT_EQ(next.scene.membranes.size(), 2U);
  EXPECT_EQ(next.scene.membranes[0].name, "other");
  EXPECT_EQ(next.scene.membranes[1].name, "sleeve");
  const std::uint32_t nodes = next.scene.membranes[1].lattice.nodes();
  EXPECT_EQ(next.scene.membranes[1].first, grains);
  EXPECT_EQ(next.scene.membranes[0].first, grains + nodes);
  EXPECT_EQ(next.engine->membrane_pressure(1), -2e3);
  EXPECT_EQ(next.scene.stages.at(1).membranes.at(0).membrane, 1U);
  next.engine->advance(1);
  EXPECT_GE(next.engine->counts().bonds, 2U * (3U * nodes - 2U * next.scene.membranes[1].lattice.around));
}

// A third run goes on from the second one, which resumes to the same bits.
TEST_P(StartOfMembranes, ResumeAndAreAStartThemselves) {
  ASSERT_EQ(run("case.json", "whole"), exit_done) << terminal_.str();
  const std::string expected = hash();
  ASSERT_EQ(run("case.json", "parts", false, 300), exit_done) << terminal_.str();
  ASSERT_EQ(run("case.json", "parts", true), exit_done) << terminal_.str();
  EXPECT_EQ(hash(), expected);
  std::string third = next_case(GetParam());
  third.replace(third.find("\"start\": \"packing\""), 18, "\"start\": \"whole\"");
  write_text(folder_ / "case.json", third);
  Started next = started();
  next.engine->advance(1);
  const MembraneLattice& lattice = next.scene.membranes.at(0).lattice;
  EXPECT_EQ(next.engine->counts().bonds, 3U * lattice.nodes() - 2U * lattice.around);
}

TEST_P(StartOfMembranes, WhatCannotBeIsSaid) {
  const std::string path = "particles.0.membrane";
  expect_problem(next_case(GetParam(), R"(, "form": "kept")", ball), "start",
                 "has the membrane \"sleeve\", but \"particles\" has none");
  expect_problem_of({"particles.0.membrane.name=\"sleve\"", "stages=[]"}, "start", "has the membrane \"sleeve\"");
  expect_problem_of({"particles.0.membrane.to=[0, 0, 0.021]"}, path + ".to", "must be [0");
  expect_problem_of({"particles.0.membrane.radius=0.0083"}, path + ".radius", "must be 0.0082 as in the run");
  expect_problem_of({"particles.0.diameter=0.0013"}, "particles.0.diameter", "must be 0.0026 m as in the run");
  expect_problem_of({"particles.0.material=\"grain\""}, path, "needs a law that bonds its nodes");
  expect_problem_of({"particles.0.velocity=[0, 0, 1]"}, "particles.0.velocity", "is not allowed for the membrane");
  expect_problem(next_case(GetParam(), ""), path, "would lose the tension of its bonds");
  expect_problem(next_case(GetParam(), R"(, "form": "kept" }, "rolling": { "stiffness": 0.2, "friction": 0.1)"), path,
                 "would lose all of its bonds: the rule of \"contacts\" between \"latex\" and itself");
  const std::string other = R"({ "material": "latex", "radius": 0.0013, "membrane": { "name": "other",
    "from": [0.04, 0, 0], "to": [0.04, 0, 0.02], "radius": 0.0082, "pressure": 0 } }, )";
  expect_problem(next_case(GetParam(), R"(, "form": "kept")", other + pressed_sheet), path, "would have no bonds");
}

TEST_P(StartOfMembranes, NeedsAllOfItsNodes) {
  write_text(folder_ / "packing.json", packing(GetParam(), "0.0094"));
  ASSERT_EQ(run("packing.json", "packing", false, 3), exit_done) << terminal_.str();
  expect_problem_of({}, "start", "of its membrane \"sleeve\" have left that run");
}

TEST_P(StartOfMembranes, OlderCheckpointsDoNotTellTheNodes) {
  Checkpoint checkpoint = read_checkpoint(newest());
  std::erase_if(checkpoint.state.arrays, [](const StateArray& array) { return array.name == membrane_nodes_name; });
  write_checkpoint(newest(), checkpoint);
  expect_problem_of({}, "start", "is of an older version, which does not tell where the nodes of membranes are");
  checkpoint = read_checkpoint(newest());
  append_membranes(checkpoint.state, {{grains + 2, 12, 1000000}});
  write_checkpoint(newest(), checkpoint);
  expect_problem_of({}, "start", "the array membranes/nodes: row 0 must be the first id");
}

}  // namespace scree::test::start_from_membranes_test
