// Streams, events and graphs. A stream runs nothing before the host waits for it, which is the latest that the rules
// allow: a program that reads too early finds old values.
#include <deque>
#include <utility>

#include "emulator.hpp"

using namespace cudaemu;

struct CUstream_st {
  bool captured = false;
  bool invalid = false;  ///< something was asked for during the capture that cannot be recorded
  std::vector<std::function<void()>> recorded;
};
struct CUgraph_st {
  std::vector<std::function<void()>> work;
};
struct CUgraphExec_st {
  std::vector<std::function<void()>> work;
};

namespace cudaemu {

namespace {

std::deque<std::function<void()>>& waiting() {
  static std::deque<std::function<void()>> work;
  return work;
}
CUstream_st* captured = nullptr;

bool is_default(cudaStream_t stream) {
  return stream == nullptr || stream == cudaStreamLegacy || stream == cudaStreamPerThread;
}

void run_all() {
  while (!waiting().empty()) {
    const std::function<void()> work = std::move(waiting().front());
    waiting().pop_front();
    work();
  }
}

}  // namespace

bool is_capturing() { return captured != nullptr; }

cudaError_t submit(cudaStream_t stream, std::function<void()> work) {
  if (captured != nullptr && stream == captured) {
    captured->recorded.push_back(std::move(work));
    return cudaSuccess;
  }
  if (is_default(stream)) {
    if (finish_streams() != cudaSuccess) { return last_error; }
    work();
    return cudaSuccess;
  }
  waiting().push_back(std::move(work));
  if (waiting().size() >= 1024) { run_all(); }
  return cudaSuccess;
}

cudaError_t finish_streams() {
  if (captured != nullptr) {
    captured->invalid = true;
    return fail(cudaErrorStreamCaptureUnsupported);
  }
  run_all();
  return cudaSuccess;
}

}  // namespace cudaemu

extern "C" {

cudaError_t cudaStreamCreate(cudaStream_t* s) { return *s = new CUstream_st, cudaSuccess; }
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* s, unsigned) { return cudaStreamCreate(s); }
cudaError_t cudaStreamDestroy(cudaStream_t s) {
  const cudaError_t status = finish_streams();
  delete s;
  return status;
}
cudaError_t cudaStreamSynchronize(cudaStream_t) { return finish_streams(); }
// There is one queue for all streams.
cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned) { return cudaSuccess; }

cudaError_t cudaEventCreate(cudaEvent_t* e) {
  return *e = reinterpret_cast<cudaEvent_t>(new std::uint64_t(0)), cudaSuccess;
}
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* e, unsigned) { return cudaEventCreate(e); }
cudaError_t cudaEventRecord(cudaEvent_t e, cudaStream_t stream) {
  return submit(stream, [e] { *reinterpret_cast<std::uint64_t*>(e) = emu_clock(); });
}
cudaError_t cudaEventSynchronize(cudaEvent_t) { return finish_streams(); }
cudaError_t cudaEventQuery(cudaEvent_t) { return finish_streams(); }
cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t a, cudaEvent_t b) {
  *ms = static_cast<float>(double(*reinterpret_cast<std::uint64_t*>(b) - *reinterpret_cast<std::uint64_t*>(a)) * 1e-6);
  return cudaSuccess;
}
cudaError_t cudaEventDestroy(cudaEvent_t e) {
  const cudaError_t status = finish_streams();
  delete reinterpret_cast<std::uint64_t*>(e);
  return status;
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode) {
  if (captured != nullptr || is_default(stream)) { return fail(cudaErrorStreamCaptureUnsupported); }
  captured = stream;
  stream->invalid = false;
  stream->recorded.clear();
  return cudaSuccess;
}
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  *graph = nullptr;
  if (captured != stream) { return fail(cudaErrorIllegalState); }
  captured = nullptr;
  if (stream->invalid) { return fail(cudaErrorStreamCaptureInvalidated); }
  *graph = new CUgraph_st{std::move(stream->recorded)};
  return cudaSuccess;
}
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  *status = captured == nullptr || captured != stream ? cudaStreamCaptureStatusNone
            : stream->invalid                         ? cudaStreamCaptureStatusInvalidated
                                                      : cudaStreamCaptureStatusActive;
  return cudaSuccess;
}
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* out, cudaGraph_t graph, unsigned long long) {
  return *out = new CUgraphExec_st{graph->work}, cudaSuccess;
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* out, cudaGraph_t graph, unsigned long long flags) {
  return cudaGraphInstantiateWithFlags(out, graph, flags);
}
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t to, cudaGraph_t graph, cudaGraphExecUpdateResultInfo* info) {
  const bool fits = to->work.size() == graph->work.size();  // a GPU also compares the kinds of nodes
  info->result = fits ? cudaGraphExecUpdateSuccess : cudaGraphExecUpdateErrorTopologyChanged;
  if (!fits) { return fail(cudaErrorGraphExecUpdateFailure); }
  to->work = graph->work;
  return cudaSuccess;
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t graph, cudaStream_t stream) {
  return submit(stream, [work = graph->work] {
    for (const auto& each : work) { each(); }
  });
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t graph) { return delete graph, cudaSuccess; }
cudaError_t cudaGraphDestroy(cudaGraph_t graph) { return delete graph, cudaSuccess; }

}  // extern "C"
