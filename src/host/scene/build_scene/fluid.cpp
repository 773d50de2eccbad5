#include "host/scene/build_scene/fluid.hpp"

#include "host/geometry/real3.hpp"
#include "host/scene/build_scene/flow_grid.hpp"
#include "host/scene/build_scene/problems.hpp"
#include "host/scene/meetings.hpp"
#include "host/text/text.hpp"

namespace scree {

void make_fluid(const Case& input, Scene& scene, std::vector<InputProblem>& problems) {
  if (!input.fluid) return;
  const FluidSettings& given = *input.fluid;
  SceneFluid& fluid = scene.fluid.emplace();
  fluid.density = given.density;
  fluid.viscosity = given.viscosity;
  fluid.drag = given.drag;
  fluid.hindrance = given.hindrance;
  fluid.surface = given.surface;
  if (fluid.surface) fluid.surface->normal = geometry::unit(fluid.surface->normal);
  fluid.flow = given.velocity_table;
  const Real3 velocity = given.velocity.value_or(Real3{});
  if (fluid.flow.empty()) fluid.flow.push_back({0, velocity[0], velocity[1], velocity[2]});
  if (!given.velocity_file) return;
  if (scene.cell) {
    problems.push_back({"fluid.velocity_file", "is not possible in a periodic cell, in which a flow must repeat"});
  }
  collect_from_file(problems, "fluid.velocity_file",
                    [&] { fluid.grid = read_flow_grid(input.folder / *given.velocity_file); });
}

void choose_hindrance_width(const Case& input, Scene& scene) {
  if (!scene.fluid || scene.fluid->hindrance == Hindrance::none) return;
  const RadiusRange radii = all_radii(scene);
  const double largest = 2 * radii.largest, mean = radii.any() ? radii.smallest + radii.largest : 1;
  const std::optional<double> given = input.fluid->hindrance_width;
  if (given && *given < largest) {
    throw CaseError("fluid.hindrance_width", "must be at least the largest diameter, " + short_number_text(largest) +
                                                 " m, got " + number_text(*given));
  }
  scene.fluid->hindrance_width = given.value_or(4 * mean);
}

}  // namespace scree
