#pragma once

#include <limits>

#include "scree/scene_stages.hpp"

namespace scree {

/// Whether something other than times and stages of the cell can end a stage, so that a run must look at its state.
[[nodiscard]] bool looks_at_state(const RunStageEnd& end);

/// [s] The shortest and the longest time that a stage, or several of them in a row, can last.
struct StageLength {
  double least = 0, most = std::numeric_limits<double>::infinity();
};
[[nodiscard]] StageLength length_of(const SceneStage& stage);

}  // namespace scree
