#pragma once

#include <vector>

#include "scree/scene.hpp"

namespace scree {

/// Gives a film of liquid to the particles of a set that have no film yet. The volume of a film is `fraction` [-] times
/// the volume of the sphere or clump. All spheres of a clump must have the same fraction; they share the film by their
/// surfaces. `shapes` are the shapes that Clump::shape refers to.
void append_films(const std::vector<double>& fraction, const std::vector<ClumpShape>& shapes, ParticleSet& set);

}  // namespace scree
