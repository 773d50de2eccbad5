#pragma once

#include "kernels/contact/mode_ledger.hpp"

namespace scree::inline SCREE_BACKEND {

template <class R>
struct RunState;

/// Launches the pair contacts of a step and the motion of all bodies and clumps. The plan of the batch has the values
/// of the step. On the host contacts and motion pass through memory once, together. Fills `ledger`, which is empty
/// without an energy ledger.
template <class R>
void sweep(RunState<R>& run, const LedgerSteps& ledger);

}  // namespace scree::inline SCREE_BACKEND
