#pragma once

#include "scree/scene.hpp"

namespace scree {

/// Gives a film of liquid to the particles of a set that have none yet: `fraction` [-] of the volume of a sphere or
/// clump; that of a clump is shared among its spheres by their surfaces. `shapes`: those that Clump::shape means.
void append_films(double fraction, const std::vector<ClumpShape>& shapes, ParticleSet& set);

}  // namespace scree
