#pragma once

#include <functional>
#include <vector>

#include "kernels/backend/exec.hpp"

namespace scree::inline SCREE_BACKEND {

/// The launches of one step, which a GPU records once (as a CUDA graph) and replays. Replaying takes the host one call
/// per step, however many kernels the step has. On the host, steps are simply run. A build that imitates batches checks
/// that the recorded launches would have been right.
class StepGraph {
 public:
  StepGraph() = default;
  StepGraph(const StepGraph&) = delete;
  StepGraph& operator=(const StepGraph&) = delete;
  ~StepGraph() { forget(); }

  /// Runs `step` n times. `step` must launch the same kernels with the same parameters whenever `key` is the same and
  /// no Buffer has changed its place or length in between, and must not change anything on the host.
  void run(Exec& exec, std::size_t n, std::uint64_t key, const std::function<void()>& step);

 private:
  void forget() noexcept;

#if SCREE_ON_CUDA
  [[nodiscard]] bool record(Exec& exec, const std::function<void()>& step);

  cudaGraphExec_t graph_ = nullptr;
  std::vector<StageClock*> clocks_;  ///< of the recorded launches
  bool refused_ = false;             ///< a step cannot be recorded
#elif SCREE_EMULATE_BATCHES
  std::vector<LoggedLaunch> launches_;  ///< of the recorded step
#endif
#if SCREE_IN_BATCHES
  /// Whether there is a record, and it is that of this key.
  [[nodiscard]] bool holds(std::uint64_t key) const {
    return recorded_ && key == key_ && changes_ == buffer_changes().load(std::memory_order_relaxed);
  }

  bool recorded_ = false;
  std::uint64_t key_ = 0, changes_ = 0;  ///< key of the record, and buffer_changes() when it was made
#endif
};

}  // namespace scree::inline SCREE_BACKEND
