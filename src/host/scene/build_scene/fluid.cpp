#include "host/scene/build_scene/fluid.hpp"

#include <cmath>

#include "host/geometry/real3.hpp"
#include "host/scene/build_scene/flow_grid.hpp"
#include "host/scene/build_scene/problems.hpp"
#include "host/scene/build_scene/shapes.hpp"
#include "host/scene/meetings.hpp"
#include "host/text/text.hpp"

namespace scree {
namespace {

/// [m] Radii of all particles that hinder each other, also of those that inlets and breakage may bring. A clump or a
/// level-set grain counts as the sphere of its volume.
RadiusRange hindering_radii(const Scene& scene) {
  RadiusRange all;
  visit_whole_particles(scene, [&](double radius, std::uint32_t) { all.note(radius); });
  for (const SceneInlet& inlet : scene.inlets) all.note(inlet.smallest_particle()), all.note(inlet.largest_particle());
  visit_fragments(scene.breakage, [&](double radius, std::size_t) { all.note(radius); });
  return all;
}

/// A surface at an angle to an edge that repeats would meet a particle at another height than its images.
void check_surface(const Case& input, const FluidSurface& surface, const PeriodicCell& cell,
                   std::vector<InputProblem>& problems) {
  const std::string names = input.domain.periodic && input.domain.periodic->edges ? "abc" : "xyz";
  for (std::size_t k = 0; k < 3; ++k) {
    const Real3& edge = cell.edges[k];
    if (!cell.periodic[k]) continue;
    if (std::fabs(geometry::dot(surface.normal, edge)) <= geometry::no_lean * geometry::length(edge)) continue;
    problems.push_back({"fluid.surface.normal", std::string("must be at a right angle to the edge ") + names[k] +
                                                    " of the periodic cell, along which the surface does not repeat"});
    return;
  }
}

}  // namespace

void make_fluid(const Case& input, Scene& scene, std::vector<InputProblem>& problems) {
  if (!input.fluid) return;
  const FluidSettings& given = *input.fluid;
  SceneFluid& fluid = scene.fluid.emplace();
  fluid.density = given.density;
  fluid.viscosity = given.viscosity;
  fluid.drag = given.drag;
  fluid.hindrance = given.hindrance;
  fluid.surface = given.surface;
  if (fluid.surface) {
    fluid.surface->normal = geometry::unit(fluid.surface->normal);
    if (scene.cell) check_surface(input, *fluid.surface, *scene.cell, problems);
  }
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
  const RadiusRange radii = hindering_radii(scene);
  const double largest = 2 * radii.largest, mean = radii.any() ? radii.smallest + radii.largest : 1;
  const std::optional<double> given = input.fluid->hindrance_width;
  if (given && *given < largest) {
    throw CaseError("fluid.hindrance_width", "must be at least the largest diameter, " + short_number_text(largest) +
                                                 " m, got " + number_text(*given));
  }
  scene.fluid->hindrance_width = given.value_or(4 * mean);
}

}  // namespace scree
