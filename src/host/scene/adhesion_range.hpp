#pragma once

#include <vector>

#include "scree/scene.hpp"

namespace scree {

/// [-] [n_materials * n_materials] For MaterialPair::range: the largest distance of the centres at which adhesive
/// contacts and liquid bridges of a pair of materials may still exist, over the sum of the radii (at a wall: over the
/// radius). It is 1 for pairs whose law does not hold bodies that are apart, and for pairs that never touch.
[[nodiscard]] std::vector<double> adhesion_ranges(const Scene& scene);
/// [-] The largest of adhesion_ranges(), for Scene::interaction_range.
[[nodiscard]] double adhesion_range(const Scene& scene);
/// [-] The range of one bridge with a volume [m3] between bodies whose radii sum to `reach` [m]. The bridge reaches to
/// the gap at which it ruptures.
[[nodiscard]] double range_of_bridge(const LiquidBridges& liquid, double volume, double reach);

}  // namespace scree
