#pragma once

#include "kernels/backend/portability.hpp"

namespace scree::inline SCREE_BACKEND {

/// The counters of a pool of pages, which kernels change; see history/page_pool.hpp.
struct PoolCounters {
  alignas(64) std::uint64_t taken = 0;    ///< pages taken so far; where the next free page stands in the ring
  alignas(64) std::uint64_t given = 0;    ///< pages given back so far, including all pages at the start
  alignas(64) std::uint64_t waiting = 0;  ///< contacts deferred in this step
};

}  // namespace scree::inline SCREE_BACKEND
