#pragma once

#include <vector>

#include "kernels/backend/lane_sums.hpp"
#include "kernels/boundaries/boundary_system.hpp"

namespace scree::inline SCREE_BACKEND {

template <class R>
struct RunState;

/// Loads of bodies on moving boundaries, and the check of boundaries that move far in a step.
template <class R>
class MovingBoundaries {
 public:
  /// Launches the placement of the boundaries for a step. In a run without moving boundaries this does nothing.
  void begin_step(RunState<R>& run);
  /// Launches the end of a step: sums the loads on the moving boundaries, moves the driven ones, counts work, and ends
  /// the step.
  void end_step(RunState<R>& run);
  /// Checks whether a boundary that moved far in the last step, of this length [s], went past bodies by more than their
  /// radius. Throws KernelFault if so.
  void sweep(RunState<R>& run, const FastMove& move, double length);
  [[nodiscard]] std::uint64_t bytes() const { return load_sums_.bytes(); }

 private:
  friend struct StateScrambler;  // names every member: see checkpoint_guard.test.cpp

  [[nodiscard]] Span<ExactSum> loads(RunState<R>& run);

  ExactSums load_sums_;
  Buffer<Pose> swept_pose_;  ///< poses of the boundary that sweep() checks
};

}  // namespace scree::inline SCREE_BACKEND
