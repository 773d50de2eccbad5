#include "host/commands/check_fluid.hpp"

#include <cmath>
#include <numbers>
#include <vector>

#include "host/geometry/real3.hpp"
#include "host/geometry/sphere_volume.hpp"
#include "host/scene/meetings.hpp"
#include "host/text/text.hpp"

namespace scree {
namespace {

/// [kg/s] Force of the drag on a sphere over its speed [m/s].
double drag_over_speed(const SceneFluid& fluid, double radius, double speed) {
  const double creeping = 6 * std::numbers::pi * fluid.viscosity * radius;
  const double reynolds = 2 * fluid.density * radius * speed / fluid.viscosity;
  return creeping * drag_over_stokes(fluid.drag, reynolds, [](double number) { return std::pow(number, 0.687); });
}

/// [m/s] Speed at which the drag balances the weight less the buoyancy. It is at most the speed of creeping flow.
double terminal_speed(const SceneFluid& fluid, double radius, double pull) {
  double low = 0, high = pull / drag_over_speed(fluid, radius, 0);
  for (int k = 0; k < 200; ++k) {
    const double middle = 0.5 * (low + high);
    (middle * drag_over_speed(fluid, radius, middle) < pull ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

/// "glass of radius 1 mm sinks at 0.2 m/s, Reynolds number 400, and follows the flow in 0.02 s"
std::string sphere_text(const Scene& scene, std::size_t material, double radius) {
  const SceneFluid& fluid = *scene.fluid;
  const double grain = radius / fluid.grain_scale, density = scene.materials[material].density;
  const double volume = geometry::sphere_volume(grain);
  const double pull = (density - fluid.density) * volume * geometry::length(scene.gravity);
  const double speed = terminal_speed(fluid, grain, std::abs(pull));
  const std::string of = scene.material_names[material] + " of radius " + short_number_text(1e3 * grain, 3) + " mm ";
  const double time = density * volume / drag_over_speed(fluid, grain, speed);
  const std::string follows = "follows the flow in " + short_number_text(time, 3) + " s";
  if (speed == 0) { return of + follows; }
  return of + (pull > 0 ? "sinks" : "rises") + " at " + short_number_text(speed, 3) + " m/s, Reynolds number " +
         short_number_text(2 * fluid.density * grain * speed / fluid.viscosity, 3) + ", and " + follows;
}

}  // namespace

std::string fluid_text(const Scene& scene) {
  const SceneFluid& fluid = *scene.fluid;
  std::string text =
      short_number_text(fluid.density) + " kg/m3, viscosity " + short_number_text(fluid.viscosity) + " Pa s";
  if (fluid.hindrance != Hindrance::none) {
    text += "; grains hinder each other over " + short_number_text(1e3 * fluid.hindrance_width, 3) + " mm";
  }
  if (!scene.clump_shapes.empty()) { return text; }
  const std::vector<RadiusRange> radii = radii_by_material(scene);
  for (std::size_t m = 0; m < radii.size(); ++m) {
    if (!radii[m].any()) { continue; }
    text += "; " + sphere_text(scene, m, radii[m].smallest);
    if (radii[m].largest > radii[m].smallest) { text += "; " + sphere_text(scene, m, radii[m].largest); }
  }
  return text;
}

}  // namespace scree
