#pragma once

#include <vector>

#include "kernels/boundaries/boundary_system.hpp"
#include "kernels/math/exact_sum.hpp"

namespace scree::inline SCREE_BACKEND {

template <class R>
struct RunState;

/// Loads of bodies on moving boundaries, and the check of boundaries that move far in a step.
template <class R>
class MovingBoundaries {
 public:
  /// Ends a step of the moving boundaries: sums the loads on them, moves the driven ones and counts the work. Returns
  /// their movements in the step.
  [[nodiscard]] StepMoves finish_step(RunState<R>& run);
  /// Checks whether a boundary that moved far in the last step, of this length [s], went past bodies by more than their
  /// radius. Throws KernelFault if so.
  void sweep(RunState<R>& run, const FastMove& move, double length);
  [[nodiscard]] std::uint64_t bytes() const { return load_sums_.bytes() + moving_loads_.bytes(); }

 private:
  friend struct StateScrambler;  // names every member: see checkpoint_guard.test.cpp

  [[nodiscard]] std::vector<Load> loads(RunState<R>& run);

  Buffer<ExactSum> load_sums_;
  Buffer<double> moving_loads_;
  Buffer<Pose> swept_pose_;  ///< poses of the boundary that sweep() checks
};

}  // namespace scree::inline SCREE_BACKEND
