#pragma once

#include <vector>

#include "scree/case.hpp"
#include "scree/engine_state.hpp"
#include "scree/scene.hpp"
#include "scree/simulation.hpp"

namespace scree {

/// Whether what inlets have brought up to a time [s] is what they can have brought, and the state tells as many
/// particles. To be asked before an engine takes the state: it makes room for them. Throws StateError.
void expect_possible_inlets(const Case& input, const Scene& scene, const std::vector<InletState>& inlets,
                            const EngineState& state, double time);

/// Whether sizes, masses and materials of a state that an engine has taken are those that it had at the start, or those
/// of inlets. Throws StateError.
void expect_possible_particles(const Scene& scene, const EngineState& start, const EngineState& state);

}  // namespace scree
