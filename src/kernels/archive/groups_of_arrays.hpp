#pragma once

#include <vector>

#include "kernels/archive/state_io.hpp"

/// The groups of arrays in a checkpoint to which several parts of a run contribute: bodies and their contacts.
namespace scree::inline SCREE_BACKEND {

template <class R>
struct RunState;

/// Saves all bodies, and returns their ids in the order of the arrays, which is ascending. A body that was just removed
/// is kept while it has contacts, since these belong to the forces of this step.
template <class R>
[[nodiscard]] std::vector<index_t> save_bodies(RunState<R>& run, StateWriter& out);

/// The positions in memory of the bodies of a state.
struct RestoredBodies {
  std::vector<index_t> ids;          ///< in the order of the state, ascending
  std::vector<index_t> place_of_id;  ///< no_index: there is no such body
};
/// Restores all bodies. Throws StateError.
template <class R>
[[nodiscard]] RestoredBodies restore_bodies(RunState<R>& run, StateReader& in);

/// Saves a value of each body. `ids` is the result of save_bodies().
template <class R>
void save_values_of_bodies(const RunState<R>& run, const std::vector<index_t>& ids, const char* name, const char* unit,
                           const Buffer<double>& values, StateWriter& out);

/// Reads such values in the order of memory. `ids` and `place_of_id` are those of RestoredBodies. Throws StateError.
[[nodiscard]] std::vector<double> values_of_bodies(StateReader& in, const std::vector<index_t>& ids,
                                                   const std::vector<index_t>& place_of_id, const char* name);

/// Saves all contacts with their histories, and the numbers of bonds.
template <class R>
void save_contacts(RunState<R>& run, StateWriter& out);
/// Restores the touching contacts as lists from which forces can be read and the next search can carry the histories.
/// The lists must have been cleared before. Throws StateError.
template <class R>
void restore_contacts(RunState<R>& run, StateReader& in, const std::vector<index_t>& place_of_id);

template <class R>
void save_pairs(RunState<R>& run, StateWriter& out);
template <class R>
void restore_pairs(RunState<R>& run, StateReader& in, const std::vector<index_t>& place_of_id);

template <class R>
void save_boundary_contacts(RunState<R>& run, StateWriter& out);
template <class R>
void restore_boundary_contacts(RunState<R>& run, StateReader& in, const std::vector<index_t>& place_of_id);

}  // namespace scree::inline SCREE_BACKEND
