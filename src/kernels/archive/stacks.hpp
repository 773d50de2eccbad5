#pragma once

#include <vector>

#include "kernels/history/stack_store.hpp"

/// Load histories in checkpoints. Their content is saved, not the places of their pages.
namespace scree::inline SCREE_BACKEND {

class StateReader;
class StateWriter;

/// Saves the arrays of a group: the number of segments of each contact, in the order of the group's other arrays, and
/// all segments contact after contact, bottom to top. The segments in the record of a contact are saved with its
/// history instead.
template <class R>
void save_stacks(StateWriter& out, const char* group, const StackStore<R>& store,
                 const std::vector<StackEnd<R>>& stacks);
/// Restores the load histories of `n` contacts, [n]. Throws StateError.
template <class R>
[[nodiscard]] std::vector<StackEnd<R>> restore_stacks(StateReader& in, const char* group, std::size_t n,
                                                      StackStore<R>& store, Exec& exec);

}  // namespace scree::inline SCREE_BACKEND
