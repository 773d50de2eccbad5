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
  std::vector<SceneMembrane> membranes;  ///< that some of them form, whose ids count from the first of these particles
};

/// Places the particles of all groups; ids run through the groups in the order of the case. The particles of `scene`
/// are there already, from a start: nothing is placed on them. They are not in the result. Files, lattices
/// and membranes are placed first, so that fills keep clear of them wherever they stand in the list; fills keep clear
/// of earlier fills. Particles of files and lattices may overlap lightly, as settled beds do; a pair deeper than what
/// its entries allow (ParticleGroup::allow_overlap) is a problem. Adds what is wrong to `problems`; the result means
/// something only if nothing was added. Clumps are placed by the balls about them, in random orientations unless one is
/// given; given clumps may be as near as their spheres are, and grains as their surfaces. In a periodic cell all of
/// this holds across its faces. `scene` must have its shapes, cell, boundaries and stages.
[[nodiscard]] PlacedParticles place_particles(const Case& input, const Scene& scene, SceneReport& report,
                                              std::vector<InputProblem>& problems);

/// Appends particles of the same case to others: those that came with a start, and those that stand beside them. A
/// problem if they are more than ids can tell apart.
void append_particles(const Case& input, const ParticleSet& more, ParticleSet& all,
                      std::vector<InputProblem>& problems);

}  // namespace scree
