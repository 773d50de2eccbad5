#pragma once

#include <string>
#include <vector>

#include "scree/engine_state.hpp"
#include "scree/simulation.hpp"

namespace scree {

/// Appends the state of inlets to the state of an engine, as separate arrays.
void append_inlets(EngineState& state, const std::vector<InletState>& inlets);

/// Removes the arrays of append_inlets() from a state and returns the state of the inlets. Throws StateError if the
/// arrays do not fit together.
[[nodiscard]] std::vector<InletState> take_inlets(EngineState& state);

/// Removes the arrays whose names begin with `group`, such as "probes/", from a state and returns them.
[[nodiscard]] std::vector<StateArray> take_group(EngineState& state, const std::string& group);

}  // namespace scree
