#pragma once

#include "kernels/backend/portability.hpp"

namespace scree::inline SCREE_BACKEND {

/// The ids of the nodes of a membrane: [first, end).
struct SheetIds {
  index_t first, end;
  SCREE_INLINE bool has(index_t id) const { return id >= first && id < end; }
};

}  // namespace scree::inline SCREE_BACKEND
