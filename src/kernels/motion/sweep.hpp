#pragma once

#include "kernels/contact/clump_ledger.hpp"
#include "kernels/contact/pair_contacts.hpp"
#include "kernels/state/step_times.hpp"

namespace scree::inline SCREE_BACKEND {

template <class R>
struct RunState;

/// The pair contacts of a step, and the motion of all bodies and clumps under their forces. On the host both go through
/// memory once. With a periodic cell the cell deforms by the step. `clump_steps` [n_clumps] is for the energy ledger,
/// empty without one.
template <class R>
void sweep(RunState<R>& run, const PairViews<R>& pairs, const StepTimes& times, Span<ClumpStep> clump_steps);

}  // namespace scree::inline SCREE_BACKEND
