#pragma once

#include "kernels/backend/portability.hpp"

namespace scree::inline SCREE_BACKEND {

/// Number of parts in which sums over all bodies are formed. On the host a part is a contiguous range of bodies. On a
/// GPU it takes every n_lanes-th body, so that neighbouring threads read neighbouring bodies.
inline constexpr std::size_t n_lanes = SCREE_ON_CUDA ? 8192 : 256;

template <class Visit>
SCREE_INLINE void visit_lane(std::size_t lane, std::size_t n, Visit&& visit) {
  if constexpr (SCREE_ON_CUDA) {
    for (std::size_t i = lane; i < n; i += n_lanes) { visit(i); }
  } else {
    for (std::size_t i = n * lane / n_lanes; i < n * (lane + 1) / n_lanes; ++i) { visit(i); }
  }
}

}  // namespace scree::inline SCREE_BACKEND
