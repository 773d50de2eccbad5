#pragma once

#include "scree/scene.hpp"

namespace scree {

/// The distance up to which adhesive contacts and liquid bridges can act, as a multiple of the sum of the radii (of the
/// radius at a wall); 1 if no law holds bodies that are apart. For Scene::interaction_range.
[[nodiscard]] double adhesion_range(const Scene& scene);
/// [-] The range of one bridge with a volume [m3] between bodies whose radii sum to `reach` [m]. It reaches as far as
/// the gap at which it ruptures.
[[nodiscard]] double range_of_bridge(const LiquidBridges& liquid, double volume, double reach);

}  // namespace scree
