#pragma once

#include <vector>

#include "kernels/archive/state_io.hpp"

/// The groups of arrays in a checkpoint, apart from its totals.
namespace scree::inline SCREE_BACKEND {

template <class R>
struct RunState;

/// Saves all bodies. A body that was just removed is kept while it has contacts, since these belong to the forces of
/// this step.
template <class R>
void save_bodies(RunState<R>& run, StateWriter& out);
/// Restores all bodies. Returns the position in memory of each id.
template <class R>
[[nodiscard]] std::vector<index_t> restore_bodies(RunState<R>& run, StateReader& in);

template <class R>
void save_pairs(RunState<R>& run, StateWriter& out);
/// Restores the touching pairs as a list from which forces can be read and the next search can carry the history.
template <class R>
void restore_pairs(RunState<R>& run, StateReader& in, const std::vector<index_t>& place_of_id);

template <class R>
void save_boundary_contacts(RunState<R>& run, StateWriter& out);
template <class R>
void restore_boundary_contacts(RunState<R>& run, StateReader& in, const std::vector<index_t>& place_of_id);

}  // namespace scree::inline SCREE_BACKEND
