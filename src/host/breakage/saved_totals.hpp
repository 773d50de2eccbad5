#pragma once

#include <vector>

#include "scree/engine_state.hpp"
#include "scree/simulation.hpp"

namespace scree::breakage {

/// Adds what has broken so far to the arrays "stages/" of a checkpoint.
void save_totals(const BreakageReport& totals, std::vector<StateArray>& arrays);
/// What has broken so far; nothing if the arrays do not tell it. Throws StateError for numbers that cannot be.
[[nodiscard]] BreakageReport saved_totals(const std::vector<StateArray>& arrays);

}  // namespace scree::breakage
