#include <gtest/gtest.h>

#include <cmath>

#include "case_problems.hpp"
#include "host/scene/heat.hpp"
#include "scree/build_scene.hpp"

// Heat of a case: its rules, and what becomes of it in a scene. The physics is in tests/physics/heat.test.cpp.
namespace scree::test::heat_test {

const std::string thermal_glass = R"(materials.glass.thermal={"conductivity": 1, "heat_capacity": 800})",
                  thermal_steel = R"(materials.steel.thermal={"conductivity": 50, "heat_capacity": 450})";

List problems_of_hot(List settings) {
  settings.insert(settings.begin(), {"heat={}", thermal_glass, thermal_steel});
  return problems_with(settings);
}

TEST(HeatRules, WhatACaseWithoutHeatMustLeaveOut) {
  const std::string why = ": has no effect without \"heat\"; add it, or leave this out";
  EXPECT_EQ(problems_with({thermal_glass}), List{}) << "materials may come from a list";
  EXPECT_EQ(problems_with({"particles.0.temperature=300"}), List{"particles.0.temperature" + why});
  EXPECT_EQ(problems_with({"boundaries.floor.temperature=300"}), List{"boundaries.floor.temperature" + why});
  EXPECT_EQ(problems_with({"boundaries.floor.heat_flux=3"}), List{"boundaries.floor.heat_flux" + why});
  EXPECT_EQ(problems_with({R"(output.frames={"every": 1, "fields": ["id", "temperature"]})"}),
            List{"output.frames.fields.1" + why});
}

TEST(HeatRules, WhatHeatNeeds) {
  EXPECT_EQ(problems_of_hot({}), List{});
  EXPECT_EQ(problems_with({"heat={}", thermal_glass}),
            List{"materials.steel.thermal: is missing; \"heat\" needs it for each material"});
  EXPECT_EQ(problems_of_hot({"heat.radiation={}", "materials.steel.thermal.emissivity=0.5"}),
            List{"materials.glass.thermal.emissivity: is missing; \"heat.radiation\" needs it"});
  EXPECT_EQ(problems_of_hot({"heat.temperature=0"}), List{"heat.temperature: must be greater than 0, got 0"});
  EXPECT_EQ(problems_of_hot({"heat.dissipation=1.5"}), List{"heat.dissipation: must be in [0, 1], got 1.5"});
  EXPECT_EQ(problems_of_hot({R"(heat.gas={"conductivity": 0.02})"}), List{"heat.gas.least_gap: is missing"});
  EXPECT_EQ(problems_of_hot({"boundaries.floor.heat_flux=3", "boundaries.floor.temperature=300"}),
            List{"boundaries.floor.heat_flux: excludes temperature; give one of them"});
}

TEST(HeatRules, WhatDoesNotGoWithHeat) {
  EXPECT_EQ(problems_of_hot({R"(parcels={"scale": 2})"}),
            List{"heat: does not go with \"parcels\": their contacts do not conduct as those of their grains do"});
  EXPECT_EQ(problems_of_hot({R"(shapes.egg={"type": "level_set", "sphere": {"radius": 1e-3}, "grid_spacing": 1e-4})"}),
            List{"shapes.egg: is a level-set grain, which has no temperature; \"heat\" is for spheres and clumps"});
  EXPECT_EQ(problems_of_hot({"materials.glass.thermal.young_modulus=7e10", "contacts.1.law=cundall_strack"}),
            List{"contacts.1.law: must have Hertz's force, since a material has a true modulus "
                 "(thermal.young_modulus), got cundall_strack"});
}

Scene scene_of(List settings, SceneReport& report) {
  settings.insert(settings.begin(), {"heat={}", thermal_glass, thermal_steel});
  return build_scene(parse_case(base, "/nowhere", settings), report);
}

TEST(HeatScene, HasTemperaturesPairsAndRange) {
  SceneReport report;
  const Scene scene = scene_of(
      {"heat.temperature=350", R"(heat.gas={"conductivity": 0.02, "thickness": 0.3, "least_gap": 1e-6})",
       "boundaries.floor.temperature=500", "heat.dissipation=0.5", "materials.glass.thermal.young_modulus=8e7"},
      report);
  EXPECT_EQ(scene.particles.temperature, std::vector<double>(10, 350.0));
  EXPECT_EQ(scene.boundaries[0].temperature, 500);
  EXPECT_TRUE(scene.energies) << "losses are known to the ledger";
  EXPECT_GE(scene.interaction_range, 1.3);
  EXPECT_LT(scene.interaction_range, 1.31);
  const ThermalPair& mixed = scene.heat->pairs[1];
  EXPECT_NEAR(mixed.per_radius, 4 * 1.0 * 50 / 51, 1e-12);
  const double glass = std::sqrt(1.0 * 2500 * 800), steel = std::sqrt(50.0 * 7800 * 450);
  EXPECT_NEAR(mixed.share_of_first, glass / (glass + steel), 1e-12);
  EXPECT_NEAR(scene.heat->pairs[0].radius_factor, 0.5, 1e-12) << "the cube root of 1/8";
  EXPECT_TRUE(report.warnings.empty());
}

TEST(HeatScene, WarnsOfAStepThatIsTooLong) {
  SceneReport report;
  static_cast<void>(scene_of({"materials.glass.thermal.heat_capacity=1e-6"}, report));
  ASSERT_EQ(report.warnings.size(), 1u);
  EXPECT_EQ(report.warnings[0].rfind("heat: the time step of ", 0), 0u) << report.warnings[0];
}

TEST(HeatScene, WarnsOfClumpsThatRadiateFromBuriedSurfaces) {
  const auto warnings = [](const char* shift, const char* heat) {
    SceneReport report;
    const std::string shapes =
        std::string(R"(shapes={"pair":{"type":"clump","spheres":[{"center":[0,0,0],"radius":1},)") + R"({"center":[)" +
        shift + R"(,0,0],"radius":1}]}})";
    static_cast<void>(scene_of({shapes, "particles.0.shape=pair", heat}, report));
    return report.warnings;
  };
  // A sphere whose centre is s off shows (1 + s/2r)/2 of its surface: the excess is 2/(1 + s/2r).
  const auto near = warnings("0.1", R"(heat={"gas":{"conductivity":0.026,"least_gap":1e-6}})");
  ASSERT_EQ(near.size(), 1u);
  EXPECT_NE(near[0].find("\"pair\" have 1.9 times the surface of the clump"), std::string::npos) << near[0];
  EXPECT_NE(near[0].find("between two clumps up to 3.6 times"), std::string::npos) << near[0];
  EXPECT_TRUE(warnings("1.9", R"(heat={"gas":{"conductivity":0.026,"least_gap":1e-6}})").empty())
      << "they hardly overlap";
  EXPECT_TRUE(warnings("0.1", "heat={}").empty()) << "conduction needs contacts, which have their own surfaces";
}

}  // namespace scree::test::heat_test
