#pragma once

#include <vector>

#include "scree/scene.hpp"

namespace scree {

/// Gives a film of liquid to the particles of a set that have none yet: their `fraction` [-] of the volume of the
/// sphere or clump. The spheres of a clump have the same fraction, and share the film by their surfaces. `shapes`:
/// those that Clump::shape means.
void append_films(const std::vector<double>& fraction, const std::vector<ClumpShape>& shapes, ParticleSet& set);

}  // namespace scree
