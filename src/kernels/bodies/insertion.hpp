#pragma once

#include <cstdint>
#include <vector>

#include "kernels/backend/portability.hpp"
#include "scree/engine.hpp"

/// Bodies from particles, at the start and during a run.
namespace scree::inline SCREE_BACKEND {

template <class R>
struct RunState;

/// Appends the bodies and clumps of `particles`, without a place in the lists. Throws BackendError when there are more
/// than ids can tell apart.
template <class R>
void append_bodies(RunState<R>& run, const ParticleSet& particles);
/// Appends them during a run: the lists know them as without neighbours until the next search.
template <class R>
void insert_bodies(RunState<R>& run, const ParticleSet& particles);
/// Those that reach into a box, with all their images, by id.
template <class R>
[[nodiscard]] SphereList bodies_in(RunState<R>& run, const Real3& low, const Real3& high);
/// [n_spheres] 1 where a sphere meets no boundary.
template <class R>
[[nodiscard]] std::vector<std::uint8_t> clear_of_boundaries(RunState<R>& run, const SphereList& spheres);

}  // namespace scree::inline SCREE_BACKEND
