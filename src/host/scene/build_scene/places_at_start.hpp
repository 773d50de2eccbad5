#pragma once

#include <vector>

#include "scree/scene.hpp"

namespace scree {

/// The boundaries where they stand at t = 0. Only tables of positions displace a boundary at that time; a box that such
/// a table turns stays as it is, since it would be no box any more.
[[nodiscard]] std::vector<SceneBoundary> placed_at_start(std::vector<SceneBoundary> boundaries);

}  // namespace scree
