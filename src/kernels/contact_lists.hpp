#pragma once

#include "kernels/history/stack_store.hpp"
#include "kernels/state/pairs.hpp"
#include "kernels/step/boundaries/boundary_search.hpp"
#include "kernels/step/motion/gather.hpp"

namespace scree::inline SCREE_BACKEND {

/// All listed contacts of a run, and sums over them.
template <class R>
struct ContactLists {
  Pairs<R> pairs;
  BoundaryList<R> near, near_before;  ///< with boundaries: lists of the last search and of the one before it
  Buffer<Wrench<R>> boundary_wrench;  ///< [n_rows of `near`] sum over each row
  Buffer<Wrench<R>> large_part;       ///< [bodies from first_large on * parts_of_large] see LargeGather
  StackStore<R> stacks;               ///< empty in a run without load histories
  /// [n_ids], or [n_start] if no bonds are made after the start: number of bonds of each body that may have bonds, by
  /// id; empty if no law makes bonds
  Buffer<std::uint32_t> bonds_made, bonds_broken;

  /// Memory of the list of pairs, without histories and forces.
  [[nodiscard]] std::uint64_t list_bytes() const {
    return pairs.bodies.bytes() + pairs.touching.bytes() + pairs.incident_start.bytes() + pairs.incident.bytes() +
           pairs.lowest_slot.bytes() + pairs.chunk_start.bytes();
  }
  /// Memory of the histories of pairs, without load histories.
  [[nodiscard]] std::uint64_t history_bytes() const {
    return pairs.shear.bytes() + pairs.rows.extra.bytes() + bonds_made.bytes() + bonds_broken.bytes();
  }
  /// Memory of load histories. At boundaries the ends of their stacks are not included.
  [[nodiscard]] std::uint64_t stack_bytes() const { return stacks.bytes() + pairs.rows.stack.bytes(); }
  [[nodiscard]] std::uint64_t force_bytes() const {
    return pairs.force.bytes() + pairs.rows.couple.bytes() + large_part.bytes();
  }
  /// Memory of contacts with boundaries and all their histories.
  [[nodiscard]] std::uint64_t boundary_bytes() const {
    std::uint64_t sum = boundary_wrench.bytes();
    for (const BoundaryList<R>* list : {&near, &near_before}) {
      sum += list->row_of_body.bytes() + list->body_of_row.bytes() + list->row_start.bytes() + list->slot.bytes() +
             list->rows.bytes();
    }
    return sum;
  }
};

}  // namespace scree::inline SCREE_BACKEND
