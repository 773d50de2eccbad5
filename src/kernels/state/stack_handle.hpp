#pragma once

#include "kernels/backend/portability.hpp"

namespace scree::inline SCREE_BACKEND {

/// Where the segments of a contact's load history are that it does not keep itself; see history/segment_pool.hpp.
struct StackHandle {
  std::uint32_t page;   ///< that of the uppermost one
  std::uint32_t count;  ///< segments in pages; 0: it has no page
};

}  // namespace scree::inline SCREE_BACKEND
