#include "host/scene/build_scene/unit_slips.hpp"

#include <gtest/gtest.h>

#include "case_errors.hpp"
#include "scree/case_file.hpp"

/// Values that look like those of another unit.
namespace scree::test::unit_slips_test {

std::vector<std::string> warnings_of(const std::vector<std::string>& settings) {
  const Case input = parse_case(R"({ "time": { "duration": 1 },
    "materials": { "glass": { "density": 2500, "young_modulus": 1e7, "poisson_ratio": 0.25, "friction": 0.5,
                              "restitution": 0.5, "thermal": { "conductivity": 1, "heat_capacity": 800 } } },
    "contacts": [ { "between": ["*", "*"] } ],
    "particles": [ { "material": "glass", "radius": 1e-3, "positions": [[0, 0, 0]] } ] })",
                                ".", settings);
  std::vector<std::string> warnings;
  warn_of_unit_slips(input, warnings);
  return warnings;
}

TEST(UnitSlips, AreNamedWithTheValueInSIUnits) {
  EXPECT_TRUE(warnings_of({}).empty());
  EXPECT_TRUE(warnings_of({R"(fluid={"density": 1.2, "viscosity": 1.8e-5})"}).empty());
  const std::vector<std::pair<std::string, std::string>> slips{
      {"materials.glass.density=2.5",
       "materials.glass.density: 2.5 kg/m3 is lighter than foam; if it is meant in g/cm3, write 2500"},
      {"materials.glass.young_modulus=70",
       "materials.glass.young_modulus: 70 Pa is softer than jelly; if it is meant in GPa, write 7e+10"},
      {"materials.glass.friction=30",
       "materials.glass.friction: 30 is large for a coefficient; if it is meant in degrees, write 0.5774"},
      {"gravity=[0, 0, -9810]", "gravity: 9810 m/s2 is a thousand times that of the earth"},
      {R"(heat={"temperature": 20})",
       "heat.temperature: 20 K is very cold; if it is meant in degrees Celsius, write 293.1"},
      {R"(fluid={"density": 1000, "viscosity": 1e-6})",
       "fluid.viscosity: 1e-06 Pa s is low for a liquid; if it is meant in m2/s (kinematic), write 0.001"},
      {R"(contacts.0.liquid={"surface_tension": 72, "volume": 1e-12})",
       "contacts.0.liquid.surface_tension: 72 N/m is more than that of mercury; if it is meant in mN/m, write 0.072"}};
  for (const auto& [setting, expected] : slips) {
    const auto found = warnings_of({setting});
    ASSERT_EQ(found.size(), 1U) << setting;
    EXPECT_IN(expected, found[0]);
  }
}

// A screen that swings by 1.5 mm at 20 Hz moves at up to 0.19 m/s, and by 1.5 m at 188 m/s.
TEST(UnitSlips, OfOscillationsAreNamed) {
  const auto with = [](const std::string& motion) {
    const std::string list = R"([{"type":"oscillation",)" + motion + "}]";
    auto found = warnings_of({R"(boundaries={"screen":{"type":"plane","point":[0,0,-1],"normal":[0,0,1],)"
                              R"("material":"glass","motion":)" +
                              list + "}}"});
    const auto staged =
        warnings_of({R"(boundaries={"screen":{"type":"plane","point":[0,0,-1],"normal":[0,0,1],"material":"glass"}})",
                     R"(stages=[{"name":"a","boundaries":{"screen":{"motion":)" + list + "}}}]"});
    EXPECT_EQ(found.size(), staged.size()) << motion;
    for (const auto& text : staged) { EXPECT_IN("stages.0.boundaries.screen.motion.0.", text); }
    return found;
  };
  EXPECT_TRUE(with(R"("direction":[0,0,1],"amplitude":1.5e-3,"frequency":20,"phase":1.57)").empty());
  EXPECT_TRUE(with(R"("axis":[0,1,0],"amplitude":0.087,"frequency":20)").empty());
  EXPECT_EQ(with(R"("direction":[0,0,1],"amplitude":1.5,"frequency":20)"),
            (std::vector<std::string>{"boundaries.screen.motion.0.amplitude: 1.5 m makes 188 m/s at this frequency; if "
                                      "it is meant in mm, write 0.0015"}));
  EXPECT_EQ(with(R"("axis":[0,1,0],"amplitude":10,"frequency":2,"phase":90)"),
            (std::vector<std::string>{"boundaries.screen.motion.0.phase: 90 rad is more than a whole turn; if it is "
                                      "meant in degrees, write 1.571",
                                      "boundaries.screen.motion.0.amplitude: 10 rad is more than a whole turn; if it "
                                      "is meant in degrees, write 0.1745"}));
}

}  // namespace scree::test::unit_slips_test
