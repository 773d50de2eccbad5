#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "host/scene/build_scene/flow_grid.hpp"
#include "scree/build_scene.hpp"
#include "scree/case_file.hpp"
#include "scree/errors.hpp"

// Files of the flow of a fluid, and the checks of the key "fluid".
namespace scree::flow_grid_test {

std::string fault_of(const std::string& content) {
  try {
    static_cast<void>(parse_flow_grid(content, "air.csv"));
  } catch (const CaseError& error) { return error.problems().front().text(); }
  return "none";
}

constexpr const char* header = "x,y,z,velocity_x,velocity_y,velocity_z\n";

TEST(FlowGrid, PointsStandInAnyOrder) {
  const FlowGrid grid = parse_flow_grid(std::string(header) +
                                            "1,0,5,10,0,0\n0,2,5,2,0,0\n0,0,5,0,0,-1\n1,2,5,12,0,0\n2,0,5,20,0,0\n"
                                            "# a comment\n2,2,5,22,0,7\n",
                                        "air.csv");
  EXPECT_EQ(grid.points, (std::array<std::uint32_t, 3>{3, 2, 1}));
  EXPECT_EQ(grid.first, (Real3{0, 0, 5}));
  EXPECT_EQ(grid.spacing, (Real3{1, 2, 0}));
  ASSERT_EQ(grid.velocity.size(), 6u);
  EXPECT_EQ(grid.velocity[0], (Real3{0, 0, -1}));
  EXPECT_EQ(grid.velocity[1], (Real3{10, 0, 0}));
  EXPECT_EQ(grid.velocity[3], (Real3{2, 0, 0}));
  EXPECT_EQ(grid.velocity[5], (Real3{22, 0, 7}));
}

// ParaView writes quotes, other columns, and few digits.
TEST(FlowGrid, FilesOfParaView) {
  for (const char sign : {':', '_'}) {
    std::string text = "\"U:0\",\"U:1\",\"U:2\",\"p\",\"vtkValidPointMask\",\"Points:0\",\"Points:1\",\"Points:2\"\n";
    std::replace(text.begin(), text.end(), ':', sign);
    for (const char* x : {"0", "0.33333", "0.66667", "1"}) {
      for (const char* y : {"-1", "1"}) { text += "1,2,3,nan,1," + std::string(x) + "," + y + ",0.5\n"; }
    }
    const FlowGrid grid = parse_flow_grid(text, "air.csv");
    EXPECT_EQ(grid.points, (std::array<std::uint32_t, 3>{4, 2, 1}));
    EXPECT_EQ(grid.velocity[7], (Real3{1, 2, 3}));
  }
}

TEST(FlowGrid, FaultsNameFileAndLine) {
  const std::string corners = "0,0,0,1,0,0\n1,0,0,1,0,0\n0,1,0,1,0,0\n";
  EXPECT_EQ(fault_of(""), "air.csv: holds no point of a flow");
  EXPECT_EQ(fault_of(header), "air.csv: holds no point of a flow");
  EXPECT_EQ(fault_of("x,y,velocity_x,velocity_y,velocity_z\n"),
            "air.csv: line 1: column \"z\" (or \"Points:2\") is missing");
  EXPECT_EQ(fault_of("x,x,y,z,velocity_x,velocity_y,velocity_z\n"), "air.csv: line 1: column \"x\" occurs twice");
  EXPECT_EQ(fault_of(header + corners), "air.csv: the grid has gaps: it has 2 x 2 x 1 points, but only 3 lines");
  EXPECT_EQ(fault_of(header + corners + "1,0,0,1,0,0\n"), "air.csv: line 5: the point (1, 0, 0) is that of line 3");
  EXPECT_EQ(
      fault_of(std::string(header) + "0,0,0,1,0,0\n1,0,0,1,0,0\n3,0,0,1,0,0\n"),
      "air.csv: line 3: the grid is not regular: x = 1 is none of 3 values from 0 on at equal distances of 1.5 m");
  EXPECT_EQ(fault_of(header + corners + "1,1,0,1,0\n"), "air.csv: line 5: has 5 values, but the header has 6");
  EXPECT_EQ(fault_of(header + corners + "1,1,0,1,zero,0\n"), "air.csv: line 5: velocity_y: \"zero\" is not a number");
  EXPECT_NE(fault_of(header + corners + "1,1,0,1,inf,0\n"), "none");
}

/// A case with a fluid; `rest` are further keys.
std::string case_with(const std::string& fluid, const std::string& rest = "") {
  return R"({"time": {"duration": 0.01, "step": 1e-5}, "materials": {"sand": {"density": 2650, "young_modulus": 1e7,
    "poisson_ratio": 0.2, "friction": 0.5, "restitution": 0.5}},
    "particles": [{"material": "sand", "radius": 0.001, "positions": [[0, 0, 0]]}], "fluid": )" +
         fluid + rest + "}";
}
std::string problem_of(const std::string& text) {
  try {
    SceneReport report;
    static_cast<void>(build_scene(parse_case(text, "."), report));
  } catch (const CaseError& error) { return error.problems().front().text(); }
  return "none";
}

TEST(FluidOfACase, BecomesThatOfTheScene) {
  SceneReport report;
  const Scene scene = build_scene(parse_case(case_with(R"({"density": 1000, "viscosity": 1e-3, "velocity": [1, 2, 3],
                              "surface": {"point": [0, 0, 1], "normal": [0, 0, 2]}})",
                                                       R"(, "parcels": {"scale": 1})"),
                                             "."),
                                  report);
  ASSERT_TRUE(scene.fluid.has_value());
  EXPECT_EQ(scene.groups.size(), 1u);
  EXPECT_EQ(scene.fluid->flow, (std::vector<FlowRow>{{0, 1, 2, 3}}));
  EXPECT_EQ(scene.fluid->drag, DragLaw::schiller_naumann);
  EXPECT_EQ(scene.fluid->surface->normal, (Real3{0, 0, 1}));
}

// A clump of five spheres in a row hinders others as the sphere of its volume, however small its spheres are: the
// surroundings are four diameters of that sphere. To 1e-9, since the volume of a clump is a sum over slices.
TEST(FluidOfACase, SurroundingsFollowFromTheVolumeOfClumps) {
  const auto row = [](const char* fluid) {
    std::string text = case_with(fluid, R"(, "shapes": {"row": {"type": "clump", "spheres": [
      {"center": [0, 0, 0], "radius": 0.001}, {"center": [0, 0, 0.002], "radius": 0.001},
      {"center": [0, 0, 0.004], "radius": 0.001}, {"center": [0, 0, 0.006], "radius": 0.001},
      {"center": [0, 0, 0.008], "radius": 0.001}]}})");
    const std::string radius = R"("radius": 0.001, "positions")";
    return text.replace(text.find(radius), radius.size(), R"("shape": "row", "positions")");
  };
  SceneReport report;
  const Scene scene =
      build_scene(parse_case(row(R"({"density": 1000, "viscosity": 1e-3, "hindrance": "di_felice"})"), "."), report);
  EXPECT_NEAR(scene.fluid->hindrance_width / (8e-3 * std::cbrt(5.0)), 1, 1e-9);
  EXPECT_EQ(problem_of(row(R"({"density": 1000, "viscosity": 1, "hindrance": "di_felice", "hindrance_width": 0.003})")),
            "fluid.hindrance_width: must be at least the largest diameter, 0.00342 m, got 0.003");
}

TEST(FluidOfACase, Problems) {
  const std::string water = R"({"density": 1000, "viscosity": 1e-3})";
  EXPECT_EQ(problem_of(case_with(water)), "none");
  EXPECT_EQ(problem_of(case_with(R"({"density": 1000, "viscosity": 1, "hindrance_width": 1})")),
            "fluid.hindrance_width: needs \"hindrance\"");
  EXPECT_EQ(problem_of(
                case_with(R"({"density": 1000, "viscosity": 1, "hindrance": "di_felice", "hindrance_width": 0.0015})")),
            "fluid.hindrance_width: must be at least the largest diameter, 0.002 m, got 0.0015");
  EXPECT_EQ(problem_of(case_with(R"({"density": 1000})")), "fluid.viscosity: is missing");
  EXPECT_EQ(problem_of(case_with(R"({"density": 1, "viscosity": 1, "velocity": [0, 0, 1],
                                    "velocity_table": [[0, 1, 0, 0]]})")),
            R"(fluid: must have at most one of "velocity", "velocity_table" and "velocity_file")");
  EXPECT_EQ(problem_of(case_with(R"({"density": 1, "viscosity": 1, "velocity_table": [[0, 1, 0, 0], [0, 1, 0, 0]]})")),
            "fluid.velocity_table.1.0: must be greater than the time before, 0, got 0");
  EXPECT_EQ(problem_of(case_with(water, R"(, "integration": {"damping": 0.1})")),
            R"(integration.damping: does not go with "fluid", whose drag damps the motion; leave it out)");
  EXPECT_EQ(problem_of(case_with(water, R"(, "stages": [{"name": "a", "viscous_damping": 3}])")),
            R"(stages.0.viscous_damping: does not go with "fluid", whose drag damps the motion; leave it out)");
  // In a bed at rest under water contacts carry the weight less the buoyancy: a condition on contacts and weight would
  // never hold.
  const std::string no_balance =
      R"(unbalanced_force: does not go with "fluid", whose buoyancy and drag it does not count; )"
      R"(give "kinetic_energy" or "speed" instead)";
  EXPECT_EQ(problem_of(case_with(water, R"(, "stages": [{"name": "a", "until": {"unbalanced_force": 0.1,
                                                                                "not_before": 0.001}}])")),
            "stages.0.until." + no_balance);
  EXPECT_EQ(problem_of(case_with(water, R"(, "stages": [{"name": "a", "until": {"not_before": 0.001, "all_of": [
                                           {"speed": 1}, {"unbalanced_force": 0.1}]}}])")),
            "stages.0.until.all_of.1." + no_balance);
  EXPECT_EQ(problem_of(case_with(water, R"(, "domain": {"periodic": {"size": [1, 1, 1]},
                                           "velocity_gradient": [[0, 0, 1], [0, 0, 0], [0, 0, 0]]})")),
            R"(domain.velocity_gradient: does not go with "fluid", which does not deform with the cell)");
}

// A surface must repeat with a periodic cell: otherwise a particle at a face would be in the fluid and its image not.
TEST(FluidOfACase, ASurfaceRepeatsWithTheCell) {
  const auto problem = [](const std::string& normal, const std::string& axes) {
    return problem_of(case_with(
        R"({"density": 1000, "viscosity": 1e-3, "surface": {"point": [0, 0, 0.1], "normal": )" + normal + "}}",
        R"(, "domain": {"periodic": {"size": [1, 1, 1], "axes": )" + axes + "}}"));
  };
  EXPECT_EQ(problem("[0, 0, 2]", R"(["x", "y"])"), "none");
  EXPECT_EQ(problem("[0, 0.1, 2]", R"(["x"])"), "none");
  EXPECT_EQ(
      problem("[0, 0.1, 2]", R"(["x", "y"])"),
      "fluid.surface.normal: must be at a right angle to the edge y of the periodic cell, along which the surface "
      "does not repeat");
  EXPECT_EQ(
      problem("[0, 0, 1]", R"(["x", "y", "z"])"),
      "fluid.surface.normal: must be at a right angle to the edge z of the periodic cell, along which the surface "
      "does not repeat");
}

}  // namespace scree::flow_grid_test
