#pragma once

#include <vector>

#include "scree/engine_state.hpp"
#include "scree/simulation.hpp"

namespace scree::breakage {

/// Adds the totals of breakage so far to the arrays "stages/" of a checkpoint.
void save_totals(const BreakageReport& totals, std::vector<StateArray>& arrays);
/// The totals of breakage in the arrays of a checkpoint; zeros if there are none. Throws StateError if they are
/// impossible.
[[nodiscard]] BreakageReport saved_totals(const std::vector<StateArray>& arrays);

}  // namespace scree::breakage
