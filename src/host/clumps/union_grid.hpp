#pragma once

#include <cstddef>
#include <vector>

#include "host/clumps/clump.hpp"

namespace scree::clumps {

/// Moments of a union of spheres about the origin, from equal cells that fill its bounding box, with `n` cells on the
/// shortest edge. A cell counts if its centre is in a sphere. Only cells in spheres cost time. Throws CaseError (path:
/// "resolution") if there are more than 4e9 of them.
[[nodiscard]] Moments on_grid(const std::vector<ClumpSphere>& spheres, std::size_t n);

/// The number of cells on the shortest edge if the case gives no resolution: at least `default_resolution`, and such
/// that the mean radius by mass has 32 cells, but fewer if spheres would contain more than 5e8 cells.
[[nodiscard]] std::size_t usual_resolution(const std::vector<ClumpSphere>& spheres);

}  // namespace scree::clumps
