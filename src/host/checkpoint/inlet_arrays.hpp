#pragma once

#include <string>
#include <vector>

#include "scree/engine_state.hpp"
#include "scree/simulation.hpp"

namespace scree {

/// Appends the state of inlets to that of an engine, as arrays of their own.
void append_inlets(EngineState& state, const std::vector<InletState>& inlets);

/// Takes these arrays out again, and leaves those of the engine. Throws StateError if they do not fit together.
[[nodiscard]] std::vector<InletState> take_inlets(EngineState& state);

/// Takes out the arrays of a group, such as "probes/", whose names begin with it.
[[nodiscard]] std::vector<StateArray> take_group(EngineState& state, const std::string& group);

}  // namespace scree
