#pragma once

#include "kernels/contact/boundary_search.hpp"
#include "kernels/contact/gather.hpp"
#include "kernels/history/stack_store.hpp"
#include "kernels/state/pairs.hpp"

namespace scree::inline SCREE_BACKEND {

/// All contacts of a run that are listed, and what was summed from them.
template <class R>
struct ContactLists {
  Pairs<R> pairs;
  BoundaryList<R> near, near_before;  ///< of boundaries: of the last search, and of the one before it
  Buffer<Wrench<R>> boundary_wrench;  ///< [n_rows] of `near`
  Buffer<Wrench<R>> large_part;       ///< [n_large * parts_of_large] sums of large bodies
  StackStore<R> stacks;               ///< empty in a run without load histories
  /// [n_start] of each body, by id; empty where no law makes bonds
  Buffer<std::uint32_t> bonds_made, bonds_broken;
};

}  // namespace scree::inline SCREE_BACKEND
