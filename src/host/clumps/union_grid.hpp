#pragma once

#include <cstddef>
#include <vector>

#include "host/clumps/clump.hpp"

namespace scree::clumps {

/// Moments of a union of spheres, about 0, from equal cells that fill the box of the union exactly, `n` on its shortest
/// edge: a cell counts when its centre is in a sphere. Only cells that spheres reach cost time.
/// Throws CaseError (path: "resolution") for more than 4e9 of them.
[[nodiscard]] Moments on_grid(const std::vector<ClumpSphere>& spheres, std::size_t n);

/// Cells on the shortest edge when the case gives no resolution: `default_resolution`, or more, so that the radius of a
/// typical sphere (the mean by mass) has 32 cells; fewer where spheres would reach more than 5e8 cells.
[[nodiscard]] std::size_t usual_resolution(const std::vector<ClumpSphere>& spheres);

}  // namespace scree::clumps
