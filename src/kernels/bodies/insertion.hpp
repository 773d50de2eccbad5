#pragma once

#include <cstdint>
#include <vector>

#include "kernels/backend/portability.hpp"
#include "scree/engine.hpp"

/// Makes bodies from particles, at the start and during a run.
namespace scree::inline SCREE_BACKEND {

template <class R>
struct RunState;

/// Appends the bodies and clumps of `particles`, but not to the lists. `at_start` tells that they are the particles of
/// the scene. Throws BackendError if there are not enough ids.
template <class R>
void append_bodies(RunState<R>& run, const ParticleSet& particles, bool at_start);
/// Appends the bodies and clumps of `particles` during a run. In the lists they have no neighbours until the next
/// search.
template <class R>
void insert_bodies(RunState<R>& run, const ParticleSet& particles);
/// All bodies that reach into a box, or have an image that does, in ascending order of id.
template <class R>
[[nodiscard]] SphereList bodies_in(RunState<R>& run, const Real3& low, const Real3& high);
/// [n_spheres] 1 if a sphere touches no boundary.
template <class R>
[[nodiscard]] std::vector<std::uint8_t> clear_of_boundaries(RunState<R>& run, const SphereList& spheres);

}  // namespace scree::inline SCREE_BACKEND
