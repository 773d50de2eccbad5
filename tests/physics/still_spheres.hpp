#pragma once

#include <algorithm>

#include "../engine/temperatures.hpp"
#include "host/scene/heat.hpp"
#include "scenes.hpp"

/// Hot spheres that stand still, as a group whose components are all fixed, for all tests of heat.
namespace scree::physics::still_spheres {

using test::temperatures;

inline constexpr double k1 = 2, k2 = 50, density = 2500, c1 = 800, c2 = 400, radius = 1e-3;

/// Two materials: of spheres and of walls, or of a second kind of spheres.
inline Scene still_scene(double time_step) {
  Scene scene = hertz_scene({1e8, 0.2, density}, {0, 0}, time_step);
  scene.groups.resize(1);
  scene.groups[0].fixed = 63;
  scene.materials[0].thermal = Thermal{k1, c1, 0.8, {}};
  scene.materials[1].thermal = Thermal{k2, c2, 0.5, {}};
  return scene;
}

inline void heat_up(Scene& scene, const HeatSettings& settings = {}) {
  Case input;
  input.heat = settings;
  resolve_heat(input, scene);
  scene.interaction_range = std::max(scene.interaction_range, heat_range(scene));
}

inline double capacity_of(double r, double specific) { return sphere_mass(r, density) * specific; }
/// [W/K] two half spaces that touch in a circle: 2 k a for one conductivity (Batchelor & O'Brien 1977).
inline double series(double ka, double kb, double a) { return 4 / (1 / ka + 1 / kb) * a; }

}  // namespace scree::physics::still_spheres
