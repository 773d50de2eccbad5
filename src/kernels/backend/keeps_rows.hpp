#pragma once

#include "kernels/backend/portability.hpp"

namespace scree::inline SCREE_BACKEND {

/// Whether items have so much to remember that it is worth to take it to the stage and back by whole vectors: their
/// state is loaded and stored without it (load_state, each_state), their Inputs and Outputs end with it, and row(item)
/// is where it stands in memory: `row_width` numbers. Between evaluate and store comes what needs jumps. On a GPU that
/// is finish(); items for which it answers no are deferred, to a launch of their own. On the host a queue() takes note
/// of such items from each stage, and deals with them after they were stored.
template <class F>
inline constexpr bool keeps_rows = requires {
  requires F::keeps_rows;
};

}  // namespace scree::inline SCREE_BACKEND
