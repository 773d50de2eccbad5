#pragma once

#include <vector>

#include "scree/errors.hpp"
#include "scree/scene.hpp"

namespace scree {

/// Refuses contacts between a driven boundary and particles with fixed centres if `contact_time` gives the springs.
/// Such springs are proportional to the effective mass of what moves; a boundary has none in a contact, and the
/// particle does not move. The spring would have no stiffness, and the boundary would pass through the particle.
void check_held_particles(const Scene& scene, std::vector<InputProblem>& problems);

}  // namespace scree
