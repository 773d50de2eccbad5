#pragma once

#include <vector>

#include "kernels/boundaries/boundary_system.hpp"
#include "kernels/math/exact_sum.hpp"

namespace scree::inline SCREE_BACKEND {

template <class R>
struct RunState;

/// What bodies do to boundaries that move, and boundaries that go far in a step to bodies.
template <class R>
class MovingBoundaries {
 public:
  /// Ends a step of those that move: loads drive what is driven and do work. Returns what they did in it.
  [[nodiscard]] StepMoves finish_step(RunState<R>& run);
  /// Looks whether a boundary that went far in a step of this length [s], which has just been made, met bodies on its
  /// way. Throws KernelFault.
  void sweep(RunState<R>& run, const FastMove& move, double length);
  [[nodiscard]] std::uint64_t bytes() const { return load_sums_.bytes() + moving_loads_.bytes(); }

 private:
  friend struct StateScrambler;  // names every member: see checkpoint_guard.test.cpp

  [[nodiscard]] std::vector<Load> loads(RunState<R>& run);

  Buffer<ExactSum> load_sums_;
  Buffer<double> moving_loads_;
  Buffer<Pose> swept_pose_;  ///< of a boundary that goes far in a step
};

}  // namespace scree::inline SCREE_BACKEND
