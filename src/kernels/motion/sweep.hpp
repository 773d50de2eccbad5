#pragma once

#include "kernels/contact/clump_ledger.hpp"

namespace scree::inline SCREE_BACKEND {

template <class R>
struct RunState;

/// The pair contacts of a step, and the motion of all bodies and clumps under their forces, as the plan of the batch
/// has it. On the host both go through memory once. `clump_steps` [n_clumps] is for the energy ledger, empty without
/// one.
template <class R>
void sweep(RunState<R>& run, Span<ClumpStep> clump_steps);

}  // namespace scree::inline SCREE_BACKEND
