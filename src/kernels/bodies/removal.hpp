#pragma once

#include <cstdint>
#include <vector>

#include "kernels/backend/portability.hpp"

/// Takes bodies out of a run between two steps.
namespace scree::inline SCREE_BACKEND {

template <class R>
struct RunState;

/// Parks the bodies at these places in memory, none of them a member of a clump. They count as removed by this outlet,
/// and their heat as removed. The next search drops them.
template <class R>
void remove_bodies(RunState<R>& run, const std::vector<index_t>& places, std::uint32_t outlet);

}  // namespace scree::inline SCREE_BACKEND
