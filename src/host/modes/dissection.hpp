#pragma once

#include <cstdint>
#include <vector>

#include "host/modes/cut_cells.hpp"

namespace scree::modes {

/// [n_points] The order of the points of a mesh by nested dissection, which keeps the factor of its stiffness sparse. A
/// layer of points at right angles to the longest direction separates two halves. The halves come before the layer, and
/// are divided in the same way.
[[nodiscard]] std::vector<std::int32_t> dissection_order(const CutCells& cells);

}  // namespace scree::modes
