#pragma once

#include <vector>

#include "kernels/archive/state_io.hpp"

/// The groups of arrays that a checkpoint consists of, beside its totals.
namespace scree::inline SCREE_BACKEND {

template <class R>
struct RunState;

/// A body that has just been removed is kept while its last contacts count: they belong to the forces of this step.
template <class R>
void save_bodies(RunState<R>& run, StateWriter& out);
/// Returns the place in memory of each id.
template <class R>
[[nodiscard]] std::vector<index_t> restore_bodies(RunState<R>& run, StateReader& in);

template <class R>
void save_pairs(RunState<R>& run, StateWriter& out);
/// The touching pairs as a list: enough to read forces from, and to carry the history from into the next list.
template <class R>
void restore_pairs(RunState<R>& run, StateReader& in, const std::vector<index_t>& place_of_id);

template <class R>
void save_boundary_contacts(RunState<R>& run, StateWriter& out);
template <class R>
void restore_boundary_contacts(RunState<R>& run, StateReader& in, const std::vector<index_t>& place_of_id);

}  // namespace scree::inline SCREE_BACKEND
