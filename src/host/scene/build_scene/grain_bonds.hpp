#pragma once

#include <vector>

#include "scree/errors.hpp"
#include "scree/meeting_materials.hpp"
#include "scree/scene.hpp"

namespace scree {

/// After separate_grains() has given grains materials of their own: refuses values of bonds that the pairs of materials
/// that meet cannot have. Pairs without level-set grains lose the values of grains.
void check_bonds(Scene& scene, std::vector<InputProblem>& problems);

/// How far bonds of level-set grains can reach, over the sum of the radii of the balls that hold two grains; 1 if there
/// are none. For Scene::interaction_range: farther apart, the engine breaks them.
[[nodiscard]] double bond_range(const Scene& scene);

}  // namespace scree
