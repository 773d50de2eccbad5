#include <algorithm>
#include <cmath>
#include <vector>

#include "host/geometry/real3.hpp"
#include "host/scene/build_scene/shapes.hpp"
#include "host/scene/time_step.hpp"
#include "host/text/text.hpp"

namespace scree {
namespace {

/// The values of the modes of a grain that limit the time step. For a shape they have the units of GrainModes.
struct ModeSpeed {
  double frequency_squared = 0;  ///< [1/s2] square of the angular frequency of the fastest mode
  double mobility = 0;           ///< [1/kg] largest sum over the modes of squared displacement of the surface over mass
};

double steepest_of(const std::vector<ModeKnot>& table) {
  double most = 0, amplitude = 0, force = 0;
  for (const ModeKnot& knot : table) {
    most = std::max(most, (knot.force - force) / (knot.amplitude - amplitude));
    amplitude = knot.amplitude;
    force = knot.force;
  }
  return most;
}

ModeSpeed speed_of_shape(const GrainShape& shape) {
  const GrainModes& modes = shape.modes;
  ModeSpeed speed;
  for (std::size_t a = 0; a < modes.count; ++a) {
    double reach = 0;
    for (std::size_t k = 0; k < shape.node.size(); ++k) {
      reach = std::max(reach, geometry::squared_length(modes.at_node[a * shape.node.size() + k]));
    }
    const double mass = modes.mass[a * modes.count + a];
    const double stiffness = std::max(modes.stiffness[a * modes.count + a], steepest_of(modes.table));
    speed.frequency_squared = std::max(speed.frequency_squared, stiffness / mass);
    speed.mobility += reach / mass;
  }
  return speed;
}

/// The values of a grain of this size and material, from those of its shape.
ModeSpeed scaled(const ModeSpeed& of_shape, const GrainModes& modes, const Material& material, double size) {
  if (modes.absolute) return of_shape;
  const double mass_unit = material.density * size * size * size, stiffness_unit = material.young_modulus * size;
  return {of_shape.frequency_squared * (stiffness_unit / mass_unit), of_shape.mobility / mass_unit};
}

}  // namespace

TimeStepLimit deforming_step(const Scene& scene, double rigid_step) {
  TimeStepLimit limit{rigid_step, ""};
  std::vector<ModeSpeed> of_shape;
  of_shape.reserve(scene.grain_shapes.size());
  for (const GrainShape& shape : scene.grain_shapes) of_shape.push_back(speed_of_shape(shape));
  const auto look = [&](std::size_t shape, std::size_t material, double size) {
    const auto& grain = scene.clump_shapes.at(shape).grain;
    if (!grain || scene.grain_shapes[*grain].modes.count == 0) return;
    const GrainShape& form = scene.grain_shapes[*grain];
    const Material& of = scene.materials[material];
    const ModeSpeed speed = scaled(of_shape[*grain], form.modes, of, size);
    const double mass = of.density * form.volume * size * size * size;
    constexpr double safety = 0.8;  // fraction of the critical step 2 / w
    const double own = speed.frequency_squared / (4 * safety * safety);
    const double step = 1 / std::sqrt(own + (1 + mass * speed.mobility) / (rigid_step * rigid_step));
    if (!(step < limit.value)) return;
    limit.value = step;
    limit.reason = "stable step of grains " + form.name + " that deform: contacts act on " +
                   short_number_text(1 / (1 / mass + speed.mobility), 3) + " kg, the fastest mode needs " +
                   short_number_text(6.283185307179586 / std::sqrt(speed.frequency_squared), 3) + " s";
  };
  for (const Clump& clump : scene.particles.clumps) {
    look(clump.shape, scene.particles.material.at(clump.first), clump.size);
  }
  for (const SceneInlet& inlet : scene.inlets) {
    if (inlet.shape) {
      look(*inlet.shape, inlet.material, inlet.smallest_clump / equivalent_radius(scene.clump_shapes.at(*inlet.shape)));
    }
  }
  return limit;
}

}  // namespace scree
