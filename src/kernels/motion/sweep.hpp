#pragma once

#include "kernels/backend/portability.hpp"

namespace scree::inline SCREE_BACKEND {

template <class R>
struct RunState;

template <class R>
struct LedgerSteps;

/// Launches the pair contacts of a step and the motion of all bodies and clumps. The plan of the batch has the values
/// of the step. On the host contacts and motion pass through memory once, together. Fills `ledger`, which is empty
/// without an energy ledger. If this may end the step and a GPU does so in the last of these launches, returns true.
template <class R>
[[nodiscard]] bool sweep(RunState<R>& run, const LedgerSteps<R>& ledger, bool may_end_step);

}  // namespace scree::inline SCREE_BACKEND
