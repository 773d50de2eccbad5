#pragma once

#include <vector>

#include "kernels/state/step_moment.hpp"
#include "kernels/state/step_times.hpp"

namespace scree::inline SCREE_BACKEND {

template <class R>
struct RunState;

/// The steps of a batch as the driver has planned them, in memory of the backend. The plan is made before the first of
/// them is launched, and once more in a step that chooses its own length.
template <class R>
class BatchPlan {
 public:
  /// Forgets the last batch. `made` is what the energy ledger has of the step made last.
  void begin(RunState<R>& run, const LedgerMoment& made);
  /// Plans one more step. The cell deforms ahead of the run.
  void add(RunState<R>& run);
  /// Copies the plan to the backend.
  void send();
  /// Between two batches, for the energy ledger: no step, but the one before it.
  void hold(const LedgerMoment& made);

  [[nodiscard]] std::size_t size() const { return steps_.size(); }
  /// The step of this index in the batch.
  [[nodiscard]] const StepMoment<R>& step(std::size_t k) const { return steps_.at(k); }
  /// What kernels see: the same in all steps, and mostly in all batches.
  [[nodiscard]] StepMoments<R> moments(const Control* control) { return {sent_.view(), control}; }

 private:
  friend struct StateScrambler;  // names every member: see checkpoint_guard.test.cpp

  LedgerMoment made_{};
  std::vector<StepMoment<R>> steps_;
  Buffer<StepMoment<R>> sent_;
};

}  // namespace scree::inline SCREE_BACKEND
