#pragma once

#include <cstdint>

#include "kernels/backend/portability.hpp"

namespace scree::inline SCREE_BACKEND {

/// The times about one step. The leapfrog goes with `next` from where it stands, and its velocities from the middle of
/// `last` to the middle of `next`.
struct StepTimes {
  std::uint64_t step;         ///< that is about to be made: steps made before
  double before, now, after;  ///< [s] times of the positions one step ago (0 in the first step), now and after the step
  double last, next;          ///< [s] lengths of the steps before and after now; in the first both are the first step

  /// [s] In the first step velocities are those of its start.
  [[nodiscard]] double kick() const { return step == 0 ? 0.5 * next : 0.5 * (last + next); }
};

/// What a run with steps of different length remembers of them [s]; zeros in others.
struct ClockState {
  double time = 0, before = 0;
  double last = 0, next = 0;  ///< lengths of the step that led here, and of the one that follows
};

}  // namespace scree::inline SCREE_BACKEND
