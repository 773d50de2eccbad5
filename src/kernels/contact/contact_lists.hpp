#pragma once

#include "kernels/contact/boundary_search.hpp"
#include "kernels/contact/gather.hpp"
#include "kernels/history/stack_store.hpp"
#include "kernels/state/pairs.hpp"

namespace scree::inline SCREE_BACKEND {

/// All listed contacts of a run, and sums over them.
template <class R>
struct ContactLists {
  Pairs<R> pairs;
  BoundaryList<R> near, near_before;  ///< with boundaries: lists of the last search and of the one before it
  Buffer<Wrench<R>> boundary_wrench;  ///< [n_rows of `near`] sum over each row
  Buffer<Wrench<R>> large_part;       ///< [bodies from first_large on * parts_of_large] see LargeGather
  StackStore<R> stacks;               ///< empty in a run without load histories
  /// [n_start] number of bonds of each body that was there at the start, by id; empty if no law makes bonds
  Buffer<std::uint32_t> bonds_made, bonds_broken;
};

}  // namespace scree::inline SCREE_BACKEND
