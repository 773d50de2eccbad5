#pragma once

#include <cstdint>

#include "kernels/backend/portability.hpp"

namespace scree::inline SCREE_BACKEND {

/// Times around one step. The leapfrog moves positions by `next`, and velocities from the middle of `last` to the
/// middle of `next`.
struct StepTimes {
  std::uint64_t step;         ///< index of the step about to be made: number of steps made before
  double before, now, after;  ///< [s] times of the positions: one step ago (0 in the first step), now, after the step
  double last, next;          ///< [s] lengths of the last step and the next; in the first step both are its length

  /// [s] Length of the kick. It is half a step in the first step, whose velocities are given at its start.
  [[nodiscard]] SCREE_HD double kick() const { return step == 0 ? 0.5 * next : 0.5 * (last + next); }
};

/// The lengths of steps [s] that a run with varying steps keeps; zeros in other runs.
struct ClockState {
  double time = 0, before = 0;
  double last = 0, next = 0;  ///< lengths of the step that led to `time` and of the next one
};

}  // namespace scree::inline SCREE_BACKEND
