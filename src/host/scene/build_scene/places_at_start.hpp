#pragma once

#include <cstddef>
#include <vector>

#include "scree/scene.hpp"

namespace scree {

/// The boundaries where they stand at t = 0. Only tables of positions displace a boundary at that time; a box that such
/// a table turns stays as it is, since it would be no box any more.
[[nodiscard]] std::vector<SceneBoundary> placed_at_start(std::vector<SceneBoundary> boundaries);

/// Whether a boundary is there when the run starts: not with a later time of its own, nor if the first stage says so.
[[nodiscard]] bool is_there_at_start(const std::vector<SceneBoundary>& boundaries,
                                     const std::vector<SceneStage>& stages, std::size_t boundary);

}  // namespace scree
