#pragma once

#include "kernels/contact/clump_ledger.hpp"

namespace scree::inline SCREE_BACKEND {

template <class R>
struct RunState;

/// Launches the pair contacts of a step and the motion of all bodies and clumps. The plan of the batch has the values
/// of the step. On the host contacts and motion pass through memory once, together. `clump_steps` [n_clumps] is filled
/// for the energy ledger; it is empty without a ledger.
template <class R>
void sweep(RunState<R>& run, Span<ClumpStep> clump_steps);

}  // namespace scree::inline SCREE_BACKEND
