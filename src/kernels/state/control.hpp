#pragma once

#include "kernels/state/pool_counters.hpp"

namespace scree::inline SCREE_BACKEND {

/// The faults that a kernel can find. When several happen at once, the first of this list is reported.
enum class FaultKind : std::uint32_t {
  not_finite,
  moved_too_far,
  deep_overlap,
  crossed_boundary,
  outran,
  bulged,
  heated_too_fast,
  cooled_to_zero
};

/// The control word: kernels write it, and the driver reads it. Steps of a batch are launched without waiting. Once a
/// step needs the driver (list out of date, fault), `halted` makes the rest of the batch do nothing. Counts and sums go
/// on from batch to batch; the driver writes the word only to take flags back.
struct Control {
  std::uint64_t fault = ~std::uint64_t(0);  ///< lowest (kind, id) in the step that raised a fault; all bits set: none
  std::uint64_t completed = 0;              ///< steps done
  std::uint32_t list_spent = 0;             ///< some body has used up its share of the Verlet distance
  std::uint32_t out_of_cell = 0;            ///< some body is far outside of the periodic cell
  std::uint32_t halted = 0;
  std::uint32_t fast = 0;            ///< a driven boundary moved so far that the driver must look at its path
  double boundary_travel = 0;        ///< [m] sum of the largest movement of boundaries in each step
  std::uint64_t free_pages = 0;      ///< of load histories, after the last step
  std::uint32_t short_of_pages = 0;  ///< the free pages may not suffice for the next step
};

inline constexpr std::uint64_t no_fault = ~std::uint64_t(0);

/// Records a fault. The lowest kind wins, then the lowest id, so the report does not depend on threads.
SCREE_INLINE void raise_fault(Control* control, FaultKind kind, std::uint32_t id) {
  atomic_min(&control->fault, (std::uint64_t(kind) << 32) | id);
}

/// Ends a step; one thread runs it. In runs with load histories it empties the list of deferred contacts and looks
/// whether the next step finds enough free pages.
struct StepEnd {
  Control* control;
  PoolCounters* pages = nullptr;  ///< null: no load histories
  std::uint64_t least_pages = 0;  ///< free pages that the next step may need
  SCREE_HD void operator()(std::size_t) const {
    if (control->halted != 0) { return; }
    ++control->completed;
    if (pages != nullptr) {
      pages->waiting = 0;
      control->free_pages = pages->given - pages->taken;
      if (control->free_pages < least_pages) { control->short_of_pages = 1; }
    }
    if (control->list_spent != 0 || control->out_of_cell != 0 || control->fast != 0 || control->short_of_pages != 0 ||
        control->fault != no_fault) {
      control->halted = 1;
    }
  }
};

}  // namespace scree::inline SCREE_BACKEND
