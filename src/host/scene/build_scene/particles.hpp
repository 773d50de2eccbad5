#pragma once

#include <vector>

#include "scree/build_scene.hpp"
#include "scree/case.hpp"
#include "scree/errors.hpp"
#include "scree/scene.hpp"

namespace scree {

/// Particles that were placed together.
struct PlacedParticles {
  ParticleSet particles;
  std::vector<SceneMembrane> membranes;  ///< membranes of some of these particles; ids count from the first of them
};

/// Places the particles of all entries of the case. Ids run through the entries in the order of the case.
/// - `scene` must have its shapes, cell, boundaries and stages. The particles that it has already, from a start, are
/// not
///   in the result, and no fill places particles on them.
/// - Files, lattices, positions and membranes are placed first, so that fills keep clear of them whatever their order
/// in
///   the case is. A fill keeps clear of earlier fills.
/// - Particles with given places may overlap a little, as in settled beds. A pair that overlaps more than its entries
///   allow (ParticleGroup::allow_overlap) is a problem.
/// - Clumps are placed by the balls around them, in random orientations unless an orientation is given. Clumps with
/// given
///   places and orientations may be as near as their spheres allow, and grains as near as their surfaces allow.
/// - In a periodic cell all of this holds across its faces.
/// Adds problems of the input to `problems`. The result is complete only if no problem was added.
[[nodiscard]] PlacedParticles place_particles(const Case& input, const Scene& scene, SceneReport& report,
                                              std::vector<InputProblem>& problems);

/// Appends the particles of entries to those of a start. Adds a problem if there are more particles than ids.
void append_particles(const Case& input, const ParticleSet& more, ParticleSet& all,
                      std::vector<InputProblem>& problems);

}  // namespace scree
