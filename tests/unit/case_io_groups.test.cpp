#include <gtest/gtest.h>

#include <string>

#include "case_errors.hpp"
#include "scree/build_scene.hpp"
#include "scree/case_file.hpp"

namespace scree::test::case_io_groups_test {

const std::string base = R"({
  "time": { "duration": 1, "step": 1e-3 },
  "materials": { "m": { "density": 1000, "young_modulus": 1e6, "poisson_ratio": 0.2, "friction": 0,
    "restitution": 1 } },
  "particles": [
    { "material": "m", "radius": 0.1, "group": "lid", "lattice": { "box": [[0, 0, 0], [1, 1, 0.2]], "spacing": 0.2 },
      "velocity": [5, 6, 7], "angular_velocity": [1, 2, 3] },
    { "material": "m", "radius": 0.1, "lattice": { "box": [[0, 0, 1], [1, 1, 1.2]], "spacing": 0.2 } },
    { "material": "m", "radius": 0.1, "inlet": { "rate": 10, "region": { "box": [[0, 0, 3], [1, 1, 4]] } } } ],
  "groups": { "lid": { "fixed": ["x", "z", "ry"], "velocity": [1, 0, 2], "force": [0, 3, 0], "damping": 0.25 } },
  "domain": { "delete_in": { "hole": { "sphere": { "center": [0, 0, 0], "radius": 1 }, "from": 0.1, "until": 0.3 } } },
  "integration": { "damping": 0.5, "damp_gravity": false, "viscous_damping": 2 }
})";

std::string error_with(const std::vector<std::string>& settings) {
  return error_of([&] { (void)parse_case(base, "/nowhere", settings); });
}

TEST(GroupCase, ResolvesToTheScene) {
  SceneReport report;
  const Scene scene = build_scene(parse_case(base, "/nowhere"), report);
  ASSERT_EQ(scene.groups.size(), 2U);
  EXPECT_EQ(scene.groups[0].damping, 0.5);
  EXPECT_EQ(scene.groups[1].fixed, 1U + 4U + 16U);
  EXPECT_EQ(scene.groups[1].damping, 0.25);
  EXPECT_EQ(scene.groups[1].force, (Real3{0, 3, 0}));
  EXPECT_FALSE(scene.integration.damp_gravity);
  EXPECT_EQ(scene.integration.viscous_damping, 2);
  EXPECT_EQ(scene.particles.group.front(), 1U);
  EXPECT_EQ(scene.particles.group.back(), 0U);
  EXPECT_EQ(scene.particles.velocity.front(), (Real3{1, 6, 2})) << "imposed on x and z only";
  EXPECT_EQ(scene.particles.angular_velocity.front(), (Real3{1, 2, 3}));
  ASSERT_EQ(scene.inlets.size(), 1U);
  EXPECT_EQ(scene.inlets[0].entry, 2U);
  EXPECT_EQ(scene.inlets[0].median_radius, 0.1);
  ASSERT_EQ(scene.deletions.size(), 1U);
  EXPECT_EQ(scene.deletions[0].first_step, 100U);
  EXPECT_EQ(scene.deletions[0].end_step, 300U);
  EXPECT_EQ(scene.outlet_names, std::vector<std::string>{"hole"});
}

TEST(GroupCase, WritesAndReadsBackTheSame) {
  const std::string once = write_case(parse_case(base, "/nowhere"));
  EXPECT_EQ(write_case(parse_case(once, "/nowhere")), once);
  EXPECT_IN(R"("damp_gravity": false)", once);
  EXPECT_IN(R"("fixed": ["x", "z", "ry"])", once);
  EXPECT_IN(R"("group": "lid")", once);
}

TEST(GroupCase, ARunWithoutSettingsHasNoGroups) {
  SceneReport report;
  std::string text = base;
  text.replace(text.find(R"("group": "lid",)"), 15, "");
  const Scene scene = build_scene(parse_case(text, "/nowhere", {"groups={}", "integration={}"}), report);
  EXPECT_TRUE(scene.groups.empty());
  EXPECT_TRUE(scene.particles.group.empty());
}

TEST(GroupCase, OfParticlesMustBeKnown) {
  EXPECT_IN("particles.1.group: unknown group \"lit\"; did you mean \"lid\"?", error_with({"particles.1.group=lit"}));
  EXPECT_IN(
      "particles.0.group: unknown group \"lid\"; none is known; a group is named first: \"groups\": {\"lid\": {}}",
      error_with({"groups={}"}));
}

TEST(GroupCase, UnusedOnesAreMentioned) {
  SceneReport report;
  (void)build_scene(parse_case(base, "/nowhere", {"groups.roof={}"}), report);
  ASSERT_EQ(report.warnings.size(), 1U);
  EXPECT_IN("groups.roof: no entry of \"particles\" belongs to it", report.warnings[0]);
}

TEST(GroupCase, SettingsThatContradictEachOther) {
  EXPECT_IN("groups.lid.velocity.1: is imposed only where \"y\" is fixed, got 3",
            error_with({"groups.lid.velocity.1=3"}));
  EXPECT_IN("groups.lid.angular_velocity.0: is imposed only where \"rx\" is fixed, got 1",
            error_with({"groups.lid.angular_velocity=[1,0,0]"}));
  EXPECT_IN("groups.lid.force.0: has no effect, since \"x\" is fixed, got 4", error_with({"groups.lid.force=[4,0,0]"}));
  EXPECT_IN("groups.lid.torque.1: has no effect, since \"ry\" is fixed, got 4",
            error_with({"groups.lid.torque=[0,4,0]"}));
  EXPECT_IN("groups.lid.fixed.1: unknown word \"X\"", error_with({"groups.lid.fixed=[\"x\",\"X\"]"}));
  EXPECT_IN("groups.lid.fixed.2: \"x\" is listed twice", error_with({"groups.lid.fixed=[\"x\",\"z\",\"x\"]"}));
  EXPECT_IN("groups.lid.damping: must be in [0, 1), got 1", error_with({"groups.lid.damping=1"}));
  EXPECT_IN("groups.lid.gravity: must be true or false, got 0", error_with({"groups.lid.gravity=0"}));
  EXPECT_IN("groups.lid.rotation: needs x, y, z, rx, ry and rz to be fixed, but y is not",
            error_with({"groups.lid.rotation={\"axis\":[0,0,1],\"rate\":1}"}));
  EXPECT_IN("groups.lid.velocity: is not allowed with \"rotation\", which gives it",
            error_with({"groups.lid={\"fixed\":[\"x\",\"y\",\"z\",\"rx\",\"ry\",\"rz\"],\"velocity\":[0,0,1],"
                        "\"rotation\":{\"axis\":[0,0,1],\"rate\":1}}"}));
}

TEST(GroupCase, InletsSayWhatTheyNeed) {
  EXPECT_IN("particles.2.inlet: must have exactly one of \"rate\", \"mass_flow\", got \"rate\", \"mass_flow\"",
            error_with({"particles.2.inlet.mass_flow=1"}));
  EXPECT_IN("particles.2.inlet.region: is missing", error_with({"particles.2.inlet={\"rate\":1}"}));
  EXPECT_IN("particles.2.inlet.rate: must be greater than 0, got 0", error_with({"particles.2.inlet.rate=0"}));
  EXPECT_IN("particles.2.inlet.until: must be greater than \"from\" 2, got 1",
            error_with({"particles.2.inlet.from=2", "particles.2.inlet.until=1"}));
  EXPECT_IN("particles.2.velocity: is not allowed with \"inlet\"; give inlet.velocity",
            error_with({"particles.2.velocity=[0,0,1]"}));
  EXPECT_IN("particles.2: must have exactly one of", error_with({"particles.2.file=x.csv"}));
}

TEST(GroupCase, DeletionRegionsSayWhatTheyNeed) {
  EXPECT_IN("domain.delete_in.hole: must have exactly one of \"box\", \"cylinder\", \"sphere\", got none",
            error_with({"domain.delete_in.hole={\"from\":1}"}));
  EXPECT_IN("domain.delete_in.hole.until: must be greater than \"from\" 0.5, got 0.3",
            error_with({"domain.delete_in.hole.from=0.5"}));
  EXPECT_IN("domain.delete_in.hole: the name is taken by an outlet", error_of([&] {
              SceneReport report;
              (void)build_scene(
                  parse_case(base, "/nowhere", {"domain.outlets.hole={\"point\":[0,0,0],\"normal\":[0,0,1]}"}), report);
            }));
  EXPECT_IN("integration.viscous_damping: must be at least 0, got -1", error_with({"integration.viscous_damping=-1"}));
}

}  // namespace scree::test::case_io_groups_test
