#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "case_errors.hpp"
#include "host/run/exit_code.hpp"
#include "host/run/joining.hpp"
#include "runs_case.hpp"
#include "scree/build_scene.hpp"
#include "scree/case_file.hpp"
#include "series_columns.hpp"

/// Particles that join groups when stages begin.
namespace scree::test::joining_test {

using Ids = std::vector<std::uint32_t>;

/// Ids 0 and 1 are spheres of glass, 2 to 4 a clump of steel with its centre at x = 0.03, 5 a sphere of steel. Nothing
/// touches, and nothing acts.
const std::string base = R"({ "time": { "duration": 0.01, "step": 1e-4 }, "gravity": [0, 0, 0], "precision": "double",
  "materials": {
    "glass": { "density": 2500, "young_modulus": 1e7, "poisson_ratio": 0.25, "friction": 0.4, "restitution": 0.5 },
    "steel": { "density": 7800, "young_modulus": 1e7, "poisson_ratio": 0.25, "friction": 0.4, "restitution": 0.5 } },
  "shapes": { "rod": { "type": "clump", "spheres": [ { "center": [-1, 0, 0], "radius": 1 },
                       { "center": [0, 0, 0], "radius": 1 }, { "center": [1, 0, 0], "radius": 1 } ] } },
  "particles": [
    { "material": "glass", "radius": 0.001, "positions": [[0.01, 0, 0], [0.02, 0, 0]], "velocity": [0, 1, 0] },
    { "material": "steel", "shape": "rod", "positions": [[0.03, 0, 0]], "radius": 0.002 },
    { "material": "steel", "radius": 0.001, "positions": [[0.04, 0, 0]], "group": "old" } ],
  "groups": { "old": {}, "plate": { "fixed": ["x", "y", "z"], "velocity": [0, 0, 2] } } })";

Ids joining(const JoiningParticles& which) {
  SceneReport report;
  const Scene scene = build_scene(parse_case(base, "."), report);
  const auto engine = make_engine(scene, {BackendChoice::host, 1});
  return ids_that_join(which, scene, *engine);
}

TEST(Joining, ParticlesMeetEveryCondition) {
  const BoxRegion left{{0, -1, -1}, {0.031, 1, 1}}, right{{0.0295, -1, -1}, {1, 1, 1}};
  EXPECT_EQ(joining({.region = left}), (Ids{0, 1, 2})) << "a clump counts by its centre";
  EXPECT_EQ(joining({.region = right}), (Ids{2, 5}));
  EXPECT_EQ(joining({.materials = {"steel"}}), (Ids{2, 5}));
  EXPECT_EQ(joining({.groups = {"old"}}), (Ids{5}));
  EXPECT_EQ(joining({.region = left, .materials = {"steel", "glass"}}), (Ids{0, 1, 2}));
  EXPECT_EQ(joining({.region = left, .groups = {"old"}}), Ids{});
}

class JoiningRun : public testing::Test, protected RunsCase {};

TEST_F(JoiningRun, TakesTheMotionOfTheGroup) {
  write_text(folder_ / "drop.json", base);
  arguments_.settings = {
      R"(stages=[ { "name": "wait", "until": { "duration": 0.002 } },
                  { "name": "lift", "groups": { "plate": { "join": { "materials": ["glass"],
                    "region": { "box": [[0, -1, -1], [0.015, 1, 1]] } } } } } ])",
      R"(output={"series":{"every":0.001,"probes":{"p":{"type":"track","particles":[0,1]},
                                                    "n":{"type":"content","groups":["plate"]}}}})"};
  const std::string expected = whole();
  const auto series = columns_of(folder_ / "whole/series.csv");
  const auto at = [&](const std::string& column) { return series.at(column).back(); };
  EXPECT_NEAR(at("p_0_position_y[m]"), 0.002, 1e-12) << "it moved along y until it joined";
  EXPECT_NEAR(at("p_0_position_z[m]"), 2 * 0.008, 1e-12);
  EXPECT_NEAR(at("p_1_position_y[m]"), 0.01, 1e-12);
  EXPECT_EQ(at("n_particles"), 1);
  EXPECT_EQ(series.at("n_particles").front(), 0);
  expect_as_whole_when_interrupted(expected, {10, 20, 21, 50});
}

TEST_F(JoiningRun, SaysWhatCannotBe) {
  write_text(folder_ / "drop.json", base);
  const auto problem = [&](const std::string& join, const std::string& text) {
    arguments_.settings = {R"(stages=[{"name":"a","groups":{"plate":{"join":)" + join + "}}}]"};
    EXPECT_EQ(run("stages.0.groups.plate.join" + text), exit_bad_input) << join;
  };
  problem("{}", ": must have at least one of \"region\", \"materials\", \"groups\"");
  problem(R"({"materials":["wood"]})", ".materials.0: unknown name \"wood\"");
  problem(R"({"groups":["new"]})", ".groups.0: unknown name \"new\"");
  problem(R"({"region":{"mesh":{"file":"none.stl"}}})", ".region.mesh.file: ");
  problem(R"({"region":{"cell":{}}})", ".region.cell: ");
  problem(R"({"region":{"face":{"rectangle":{"corner":[0,0,0],"edges":[[1,0,0],[0,1,0]]}}}})", ".region");
}

TEST_F(JoiningRun, WarnsWhenNobodyJoins) {
  write_text(folder_ / "drop.json", base);
  arguments_.settings = {R"(stages=[{"name":"a","groups":{"plate":{"join":{"region":{"box":[[5,5,5],[6,6,6]]}}}}}])"};
  ASSERT_EQ(run(), exit_done);
  EXPECT_IN("stages.0.groups.plate.join: no particle joins the group", terminal_.str());
}

// An inlet has brought nothing yet when the stage begins.
TEST_F(JoiningRun, WarnsWhenNobodyIsThere) {
  write_text(folder_ / "drop.json", base);
  arguments_.settings = {
      R"(particles=[{"material":"glass","radius":0.001,"group":"old",
                     "inlet":{"rate":1000,"region":{"box":[[0,0,0],[0.01,0.01,0.01]]},"from":0.001}}])",
      R"(stages=[{"name":"a","groups":{"plate":{"join":{"region":{"box":[[5,5,5],[6,6,6]]}}}}}])"};
  ASSERT_EQ(run(), exit_done) << terminal_.str();
  EXPECT_IN("stages.0.groups.plate.join: no particle joins the group", terminal_.str());
}

// In a cell that deforms the velocity of a group counts from the mean flow, for all of its particles.
TEST_F(JoiningRun, IsPossibleInACellThatDeforms) {
  write_text(folder_ / "drop.json", base);
  arguments_.settings = {R"(domain={"periodic":{"size":[0.1,0.1,0.1]},"velocity_gradient":[[0,0,1],[0,0,0],[0,0,0]]})",
                         R"(stages=[{"name":"a","until":{"duration":0.002}},
                 {"name":"b","groups":{"plate":{"join":{"materials":["glass"]}}}}])",
                         R"(output={"series":{"every":0.001,"probes":{"p":{"type":"track","particles":[0]}}}})"};
  ASSERT_EQ(run(), exit_done) << terminal_.str();
  const auto series = columns_of(folder_ / "out/series.csv");
  EXPECT_NEAR(series.at("p_0_position_z[m]").back(), 2 * 0.008, 1e-12);
}

// A particle that leaves the group of a probe is still there: it did not pass the plane if it stopped before.
TEST_F(JoiningRun, FlowProbesFollowWhoLeavesTheirGroup) {
  write_text(folder_ / "drop.json", base);
  arguments_.settings = {"time.duration=0.03", R"(groups={"old":{},"held":{"fixed":["x","y","z"],"velocity":[0,0,0]}})",
                         R"(particles.0.group="old")",
                         R"(stages=[{"name":"a","until":{"duration":0.01}},
                 {"name":"b","groups":{"held":{"join":{"materials":["glass"]}}}}])",
                         R"(output={"series":{"every":0.02,"probes":{
           "near":{"type":"flow","plane":{"point":[0,0.009,0],"normal":[0,1,0]},"groups":["old"]},
           "far":{"type":"flow","plane":{"point":[0,0.011,0],"normal":[0,1,0]},"groups":["old"]}}}})"};
  ASSERT_EQ(run(), exit_done) << terminal_.str();
  const auto series = columns_of(folder_ / "out/series.csv");
  EXPECT_EQ(series.at("near_count").back(), 2) << "they passed it before they left the group";
  EXPECT_EQ(series.at("far_count").back(), 0);
}

}  // namespace scree::test::joining_test
