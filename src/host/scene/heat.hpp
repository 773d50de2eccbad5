#pragma once

#include <string>
#include <vector>

#include "scree/case.hpp"
#include "scree/scene.hpp"

namespace scree {

/// Sets the thermal data of the scene. Needs materials and pairs. Without Case::heat it does nothing.
void resolve_heat(const Case& input, Scene& scene);

/// [-] For Scene::interaction_range: the largest distance at which bodies exchange heat, over the sum of the radii (at
/// a wall: over the radius); 1 without gas and radiation.
[[nodiscard]] double heat_range(const Scene& scene);

/// Adds a warning for each shape of clumps whose spheres overlap much. Radiation and conduction through the gas count
/// the whole surface of each sphere, so they are too large for such clumps.
void warn_of_hot_clumps(const Scene& scene, std::vector<std::string>& warnings);

/// Warns of a time step that is longer than the estimated limit of the explicit integration of temperatures: the heat
/// capacity of the smallest particle over the conductances to twelve neighbours.
void check_heat_step(const Scene& scene, std::vector<std::string>& warnings);

}  // namespace scree
