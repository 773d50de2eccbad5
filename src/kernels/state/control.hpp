#pragma once

#include "kernels/backend/portability.hpp"

namespace scree::inline SCREE_BACKEND {

/// What can go wrong in a kernel. The order is the order in which faults are reported when several happen at once.
enum class FaultKind : std::uint32_t { not_finite, moved_too_far, deep_overlap, crossed_boundary, outran };

/// A word about the running steps that kernels write and the driver reads. A batch of steps can be launched without
/// waiting: once a step needs the driver (list out of date, fault), `halted` makes the rest of the batch do nothing.
struct Control {
  std::uint64_t fault = ~std::uint64_t(0);  ///< lowest (kind, id) of the step that raised one; all ones: none
  std::uint64_t completed = 0;              ///< steps done since the driver looked
  std::uint32_t list_spent = 0;             ///< some body moved half the Verlet distance
  std::uint32_t out_of_cell = 0;            ///< some body is far outside of the periodic cell
  std::uint32_t halted = 0;
  std::uint32_t unused = 0;
};

inline constexpr std::uint64_t no_fault = ~std::uint64_t(0);

/// The report does not depend on threads: the lowest kind, then the lowest id, wins.
SCREE_INLINE void raise_fault(Control* control, FaultKind kind, std::uint32_t id) {
  atomic_min(&control->fault, (std::uint64_t(kind) << 32) | id);
}

/// Ends a step; run by one thread.
struct StepEnd {
  Control* control;
  SCREE_HD void operator()(std::size_t) const {
    if (control->halted != 0) { return; }
    ++control->completed;
    if (control->list_spent != 0 || control->out_of_cell != 0 || control->fault != no_fault) { control->halted = 1; }
  }
};

}  // namespace scree::inline SCREE_BACKEND
