#pragma once

#include <vector>

#include "scree/case.hpp"
#include "scree/engine_state.hpp"
#include "scree/scene.hpp"
#include "scree/simulation.hpp"

namespace scree {

/// Checks that inlets can have inserted the particles in their states up to a time [s], and that the state has as many
/// particles, with the `fragments` of broken spheres. Call this before an engine takes the state, because the engine
/// allocates memory for these particles. Throws StateError if the numbers are impossible.
void expect_possible_inlets(const Case& input, const Scene& scene, const std::vector<InletState>& inlets,
                            const EngineState& state, double time, std::uint64_t fragments = 0);

/// Checks that the sizes, masses and materials in a state that an engine has taken belong to particles of the start, or
/// can belong to particles of inlets. Throws StateError if they do not.
void expect_possible_particles(const Scene& scene, const EngineState& start, const EngineState& state);

}  // namespace scree
