#pragma once

#include <vector>

#include "kernels/state/step_moment.hpp"
#include "kernels/state/step_times.hpp"

namespace scree::inline SCREE_BACKEND {

template <class R>
struct RunState;

/// The steps of a batch as the driver has planned them, on the host and in memory of the backend. The driver makes the
/// plan before it launches the first step. It makes the plan again when a step has chosen its own length.
template <class R>
class BatchPlan {
 public:
  /// Forgets the last batch and begins a new plan. `made` is the LedgerMoment of the last step that was made.
  void begin(RunState<R>& run, const LedgerMoment& made);
  /// Plans one more step. This deforms the planned cell, which is ahead of the cell of the run.
  void add(RunState<R>& run);
  /// Copies the plan to the backend.
  void send(RunState<R>& run);
  /// Sends a plan without a step, in which only `ledger_before` is set: the energy ledger uses it between two batches.
  void hold(const RunState<R>& run, const LedgerMoment& made);

  /// [m] How much of the list's travel limit the prescribed motions of boundaries and the mean flow use up in all
  /// planned steps.
  [[nodiscard]] double travel() const { return travel_; }
  [[nodiscard]] std::size_t size() const { return steps_.size(); }
  /// Step k of the batch.
  [[nodiscard]] const StepMoment<R>& step(std::size_t k) const { return steps_.at(k); }
  /// The view for kernels. It is the same in all steps of a batch, and mostly in all batches.
  [[nodiscard]] StepMoments<R> moments(const Control* control) { return {sent_.view(), control}; }

 private:
  friend struct StateScrambler;  // names every member: see checkpoint_guard.test.cpp

  void send_steps(std::uint64_t number);

  LedgerMoment made_{};
  double travel_ = 0;  ///< see travel()
  std::vector<StepMoment<R>> steps_;
  Buffer<StepMoment<R>> sent_;  ///< the copy of steps_ on the backend; see StepMoments
};

}  // namespace scree::inline SCREE_BACKEND
