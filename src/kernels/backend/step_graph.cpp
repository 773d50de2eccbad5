#include "kernels/backend/step_graph.hpp"

#include <exception>
#include <utility>

#include "scree/errors.hpp"

namespace scree::inline SCREE_BACKEND {

#if SCREE_ON_CUDA

namespace {

/// Recording a step takes as long as launching several.
constexpr std::size_t least_replays = 4;

}  // namespace

void StepGraph::forget() noexcept {
  if (graph_ != nullptr) { cudaGraphExecDestroy(std::exchange(graph_, nullptr)); }
  recorded_ = false;
}

/// Records the launches of a step. Returns false if that fails; then none of them has been made.
bool StepGraph::record(Exec& exec, const std::function<void()>& step) {
  recorded_ = false;
  clocks_.clear();
  if (cudaStreamBeginCapture(backend_stream(), cudaStreamCaptureModeThreadLocal) != cudaSuccess) {
    cudaGetLastError();
    return false;
  }
  bool good = true;
  std::exception_ptr failure;  // passed on when the recording has ended: until then the stream refuses other work
  exec.begin_recording(clocks_);
  try {
    step();
  } catch (const BackendError&) {  // the step has asked for something that cannot be recorded
    good = false;
  } catch (...) {
    failure = std::current_exception();
    good = false;
  }
  exec.end_recording();
  cudaGraph_t graph = nullptr;
  good = cudaStreamEndCapture(backend_stream(), &graph) == cudaSuccess && good;
  if (good && graph_ != nullptr) {
    cudaGraphExecUpdateResultInfo info{};
    if (cudaGraphExecUpdate(graph_, graph, &info) != cudaSuccess) { forget(); }
  }
  if (good && graph_ == nullptr) { good = cudaGraphInstantiateWithFlags(&graph_, graph, 0) == cudaSuccess; }
  if (graph != nullptr) { cudaGraphDestroy(graph); }
  cudaGetLastError();  // what failed is told by the result
  if (failure) { std::rethrow_exception(failure); }
  return good;
}

void StepGraph::run(Exec& exec, std::size_t n, std::uint64_t key, const std::function<void()>& step) {
  const bool known = holds(key);
  if (refused_ || exec.waits() || (!known && n < least_replays)) {
    for (std::size_t k = 0; k < n; ++k) { step(); }
    return;
  }
  if (!known) {
    step();  // gives buffers their lengths, since memory cannot be allocated while a step is recorded
    --n;
    if (!record(exec, step)) {
      refused_ = true;
      forget();
      run(exec, n, key, step);
      return;
    }
    recorded_ = true;
    key_ = key;
    changes_ = buffer_changes().load(std::memory_order_relaxed);
  }
  for (std::size_t k = 0; k < n; ++k) {
    if (const cudaError_t status = cudaGraphLaunch(graph_, backend_stream()); status != cudaSuccess) {
      throw BackendError(std::string("CUDA: ") + cudaGetErrorString(status) + " in replaying a step");
    }
  }
  for (StageClock* const clock : clocks_) { clock->calls += n; }
}

#elif SCREE_EMULATE_BATCHES

void StepGraph::forget() noexcept { recorded_ = false; }

void StepGraph::run(Exec& /*exec*/, std::size_t n, std::uint64_t key, const std::function<void()>& step) {
  if (n > 0 && !holds(key)) {  // as on a GPU
    step();
    --n;
  }
  for (std::size_t k = 0; k < n; ++k) {
    const bool known = holds(key);
    std::vector<LoggedLaunch> launches;
    std::vector<LoggedLaunch>* const outer = std::exchange(launch_log(), &launches);
    step();
    launch_log() = outer;
    if (outer != nullptr) { outer->insert(outer->end(), launches.begin(), launches.end()); }
    if (known) {
      SCREE_EXPECT(holds(key), "a step that is replayed has changed a buffer");
      SCREE_EXPECT(launches == launches_, "a step that is replayed launches something else than the recorded one");
      continue;
    }
    launches_ = std::move(launches);
    recorded_ = true;
    key_ = key;
    changes_ = buffer_changes().load(std::memory_order_relaxed);
  }
}

#else

void StepGraph::forget() noexcept {}

void StepGraph::run(Exec& /*exec*/, std::size_t n, std::uint64_t /*key*/, const std::function<void()>& step) {
  for (std::size_t k = 0; k < n; ++k) { step(); }
}

#endif

}  // namespace scree::inline SCREE_BACKEND
