#pragma once

#include <cstdint>
#include <vector>

#include "host/modes/cut_cells.hpp"

namespace scree::modes {

/// [points] an order of the points of a mesh in which the factor of its stiffness stays sparse: nested dissection. A
/// layer of points across the longest direction parts the mesh into two halves, which come first and are parted again.
[[nodiscard]] std::vector<std::int32_t> dissection_order(const CutCells& cells);

}  // namespace scree::modes
