#pragma once

#include "scree/scene.hpp"

namespace scree {

/// How far contacts of jkr may reach before they break, as a multiple of the sum of the radii (of the radius at a
/// wall); 1 where no pair of materials has this law. For Scene::interaction_range.
[[nodiscard]] double adhesion_range(const Scene& scene);

}  // namespace scree
