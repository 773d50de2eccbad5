#pragma once

#include "kernels/backend/portability.hpp"
#include "scree/engine_state.hpp"

namespace scree::inline SCREE_BACKEND {

template <class R>
struct RunState;
template <class R>
class EnergyAccounts;
template <class R>
class StepLimits;
template <class R>
class NeighbourSearch;

/// The state of a run as named arrays. Settles the energy ledger first.
template <class R>
[[nodiscard]] EngineState save_run(RunState<R>& run, EnergyAccounts<R>& energies, StepLimits<R>& limits);
/// Restores the saved state of a run of the same scene, on any backend. Throws StateError if the state cannot be that
/// of such a run.
template <class R>
void restore_run(RunState<R>& run, EnergyAccounts<R>& energies, StepLimits<R>& limits, NeighbourSearch<R>& search,
                 const EngineState& state);

}  // namespace scree::inline SCREE_BACKEND
