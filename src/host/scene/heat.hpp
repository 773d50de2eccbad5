#pragma once

#include <string>
#include <vector>

#include "scree/case.hpp"
#include "scree/scene.hpp"

namespace scree {

/// Sets the thermal data of the scene, once materials, pairs, boundaries and particles are known. Without Case::heat it
/// does nothing.
void resolve_heat(const Case& input, Scene& scene);

/// [-] Farthest distance over the sum of the radii (at a wall over the radius) at which bodies exchange heat; 1 without
/// gas and radiation. For Scene::interaction_range.
[[nodiscard]] double heat_range(const Scene& scene);

/// Adds a warning for each shape of clumps whose spheres overlap so much that radiation and conduction through the gas,
/// which know spheres only, are far too large.
void warn_of_hot_clumps(const Scene& scene, std::vector<std::string>& warnings);

/// Warns of a time step that is longer than the estimated limit of the explicit integration of temperatures: the heat
/// capacity of the smallest particle over the conductances to twelve neighbours.
void check_heat_step(const Scene& scene, std::vector<std::string>& warnings);

}  // namespace scree
