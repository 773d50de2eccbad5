#pragma once

#include <vector>

#include "scree/errors.hpp"
#include "scree/scene.hpp"

namespace scree {

/// Refuses contacts between a driven boundary and particles whose centres are fixed, where `contact_time` makes the
/// springs: these go with the mass of the particle, and a particle that is held has none. The boundary would pass
/// through it.
void check_held_particles(const Scene& scene, std::vector<InputProblem>& problems);

}  // namespace scree
