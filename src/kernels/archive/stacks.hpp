#pragma once

#include <vector>

#include "kernels/history/stack_store.hpp"

/// Load histories in checkpoints: what they are, never where.
namespace scree::inline SCREE_BACKEND {

class StateReader;
class StateWriter;

/// Arrays of a group: segments of each contact, in the order of its other arrays, and all segments one after another,
/// bottom to top. Of these, those that the contact keeps itself are in its history.
template <class R>
void save_stacks(StateWriter& out, const char* group, const StackStore<R>& store,
                 const std::vector<StackEnd<R>>& stacks);
/// [n] Throws StateError.
template <class R>
[[nodiscard]] std::vector<StackEnd<R>> restore_stacks(StateReader& in, const char* group, std::size_t n,
                                                      StackStore<R>& store, Exec& exec);

}  // namespace scree::inline SCREE_BACKEND
