#pragma once

#include "kernels/backend/sums_then.hpp"
#include "kernels/boundaries/boundary_system.hpp"

namespace scree::inline SCREE_BACKEND {

template <class R>
struct RunState;

/// Loads of bodies on moving boundaries, and the check of boundaries that move far in a step.
template <class R>
class MovingBoundaries {
 public:
  /// Launches the placement of the boundaries for the first step of a batch. In a run without moving boundaries this
  /// and the next do nothing.
  void begin_batch(RunState<R>& run);
  /// Launches the placement of the vertices of moving meshes.
  void begin_step(RunState<R>& run);
  /// Launches the end of a step: sums the loads on the moving boundaries, moves the driven ones, counts work, places
  /// the boundaries for the next step, and ends this one.
  void end_step(RunState<R>& run);
  /// Checks whether a boundary that moved far in the last step, of this length [s], went past bodies by more than their
  /// radius. Throws KernelFault if so.
  void sweep(RunState<R>& run, const FastMove& move, double length);
  [[nodiscard]] std::uint64_t bytes() const { return load_sums_.bytes(); }

 private:
  friend struct StateScrambler;  // names every member: see checkpoint_guard.test.cpp

  SumSpace load_sums_;
  Buffer<Pose> swept_pose_;  ///< poses of the boundary that sweep() checks
};

}  // namespace scree::inline SCREE_BACKEND
