#pragma once

#include <vector>

#include "scree/errors.hpp"
#include "scree/meeting_materials.hpp"
#include "scree/scene.hpp"

namespace scree {

/// Refuses values of bonds that do not apply to the pairs of materials that can touch. Removes values for level-set
/// grains from pairs without grains. Needs the materials of grains that separate_grains() makes.
void check_bonds(Scene& scene, std::vector<InputProblem>& problems);

/// [-] For Scene::interaction_range: how far bonds of level-set grains can reach, over the sum of the radii of the
/// balls around two grains; 1 without such bonds. The engine breaks a bond when the grains are farther apart.
[[nodiscard]] double bond_range(const Scene& scene);

}  // namespace scree
