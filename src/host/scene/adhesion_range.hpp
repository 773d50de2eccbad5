#pragma once

#include <vector>

#include "scree/scene.hpp"

namespace scree {

/// [-] [n_materials * n_materials] How far adhesive contacts and liquid bridges of each pair of materials may reach
/// before they break, as a multiple of the sum of the radii (of the radius at a wall); 1 for pairs whose law does not
/// hold bodies that are apart, and for pairs that never touch. For MaterialPair::range.
[[nodiscard]] std::vector<double> adhesion_ranges(const Scene& scene);
/// [-] The largest of them. For Scene::interaction_range.
[[nodiscard]] double adhesion_range(const Scene& scene);
/// [-] The range of one bridge with a volume [m3] between bodies whose radii sum to `reach` [m]. It reaches as far as
/// the gap at which it ruptures.
[[nodiscard]] double range_of_bridge(const LiquidBridges& liquid, double volume, double reach);

}  // namespace scree
