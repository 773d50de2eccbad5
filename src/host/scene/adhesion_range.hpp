#pragma once

#include "scree/scene.hpp"

namespace scree {

/// How far adhesive contacts and liquid bridges may reach before they break, as a multiple of the sum of the radii (of
/// the radius at a wall); 1 where no law holds bodies that are apart. For Scene::interaction_range.
[[nodiscard]] double adhesion_range(const Scene& scene);

}  // namespace scree
