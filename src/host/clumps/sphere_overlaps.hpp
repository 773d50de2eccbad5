#pragma once

#include <cstdint>
#include <vector>

#include "host/clumps/clump.hpp"

namespace scree::clumps {

[[nodiscard]] geometry::Bounds bounds_of(const std::vector<ClumpSphere>& spheres);

/// [n_spheres] For each sphere, the indices of earlier spheres that overlap it, in ascending order.
using EarlierOverlaps = std::vector<std::vector<std::uint32_t>>;
[[nodiscard]] EarlierOverlaps earlier_overlaps(const std::vector<ClumpSphere>& spheres);

}  // namespace scree::clumps
