#pragma once

#include "kernels/backend/portability.hpp"

namespace scree::inline SCREE_BACKEND {

/// Calls visit(i) for those of n items that belong to a lane: on the host a contiguous range, on a GPU every lanes-th
/// item, so that neighbouring threads read neighbouring items.
template <class Visit>
SCREE_INLINE void visit_items_of(std::size_t lane, std::size_t lanes, std::size_t n, Visit&& visit) {
  if constexpr (SCREE_ON_CUDA) {
    for (std::size_t i = lane; i < n; i += lanes) { visit(i); }
  } else {
    for (std::size_t i = n * lane / lanes; i < n * (lane + 1) / lanes; ++i) { visit(i); }
  }
}

/// Number of lanes in which sums over all bodies are formed.
inline constexpr std::size_t n_lanes = SCREE_ON_CUDA ? 8192 : 256;
template <class Visit>
SCREE_INLINE void visit_lane(std::size_t lane, std::size_t n, Visit&& visit) {
  visit_items_of(lane, n_lanes, n, visit);
}

}  // namespace scree::inline SCREE_BACKEND
