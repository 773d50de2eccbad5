#pragma once

#include <cstddef>
#include <vector>

#include "scree/scene.hpp"

namespace scree {

/// The boundaries at their places at t = 0. Only tables of positions displace a boundary at that time. A box that such
/// a table turns is left as it is, because it would no longer be a box along the axes.
[[nodiscard]] std::vector<SceneBoundary> placed_at_start(std::vector<SceneBoundary> boundaries);

/// Whether a boundary is present when the run starts. It is not if it has a later time `from`, or if the first stage
/// takes it away.
[[nodiscard]] bool is_there_at_start(const std::vector<SceneBoundary>& boundaries,
                                     const std::vector<SceneStage>& stages, std::size_t boundary);

}  // namespace scree
