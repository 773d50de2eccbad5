#pragma once

#include "kernels/backend/portability.hpp"

namespace scree::inline SCREE_BACKEND {

/// Whether a functor of for_selected moves its history to the stage and back by whole vectors, because the history is
/// long. Then load_state and each_state handle only the other components, the history is the last part of Input and
/// Output, and row(item) points to its `row_width` numbers in memory. Work that needs jumps is done between evaluate
/// and store. On a GPU finish() does it; items for which finish() returns false are deferred to a launch of their own.
/// On the host a queue() collects such items from each stage and finishes them after they were stored.
template <class F>
inline constexpr bool keeps_rows = requires {
  requires F::keeps_rows;
};

}  // namespace scree::inline SCREE_BACKEND
