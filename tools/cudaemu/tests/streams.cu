// Known answers: work of a stream waits for the host, graphs replay it, and what cannot be recorded is refused.
#include <cstdio>

#define CHECK(x)                                               \
  do {                                                         \
    if (!(x)) {                                                \
      std::printf("FAIL %s:%d: %s\n", __FILE__, __LINE__, #x); \
      ++failures;                                              \
    }                                                          \
  } while (0)
static int failures = 0;

__global__ void add(int* x, int value) { atomicAdd(x, value); }

int main() {
  cudaStream_t stream = nullptr;
  int *x = nullptr, *pinned = nullptr, plain = 5;
  CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) == cudaSuccess);
  CHECK(cudaMalloc(&x, sizeof(int)) == cudaSuccess);
  CHECK(cudaMallocHost(&pinned, sizeof(int)) == cudaSuccess);

  // The source is read at once if it is not pinned; results arrive when the host waits.
  CHECK(cudaMemcpyAsync(x, &plain, sizeof(int), cudaMemcpyHostToDevice, stream) == cudaSuccess);
  plain = 100;
  *pinned = -1;
  add<<<1, 3, 0, stream>>>(x, 2);
  CHECK(cudaMemcpyAsync(pinned, x, sizeof(int), cudaMemcpyDeviceToHost, stream) == cudaSuccess);
  CHECK(*pinned == -1);
  CHECK(cudaStreamSynchronize(stream) == cudaSuccess);
  CHECK(*pinned == 11);
  add<<<1, 1, 0, stream>>>(x, 1);
  CHECK(cudaMemcpyAsync(&plain, x, sizeof(int), cudaMemcpyDeviceToHost, stream) == cudaSuccess);
  CHECK(plain == 12);  // a copy to memory that is not pinned has arrived on return

  // A graph keeps the parameters of the capture, in which nothing runs.
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t replay = nullptr;
  const auto capture = [&](int value, int launches) {
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal) == cudaSuccess);
    for (int k = 0; k < launches; ++k) { add<<<1, 1, 0, stream>>>(x, value); }
    CHECK(cudaStreamEndCapture(stream, &graph) == cudaSuccess);
  };
  const auto value = [&] {
    int now = 0;
    CHECK(cudaMemcpyAsync(&now, x, sizeof(int), cudaMemcpyDeviceToHost, stream) == cudaSuccess);
    return now;
  };
  capture(10, 2);
  CHECK(value() == 12);
  CHECK(cudaGraphInstantiateWithFlags(&replay, graph, 0) == cudaSuccess);
  CHECK(cudaGraphDestroy(graph) == cudaSuccess);
  for (int k = 0; k < 3; ++k) { CHECK(cudaGraphLaunch(replay, stream) == cudaSuccess); }
  CHECK(value() == 72);
  cudaGraphExecUpdateResultInfo info{};
  capture(-5, 2);
  CHECK(cudaGraphExecUpdate(replay, graph, &info) == cudaSuccess);
  CHECK(cudaGraphLaunch(replay, stream) == cudaSuccess);
  CHECK(value() == 62);
  capture(1, 3);
  CHECK(cudaGraphExecUpdate(replay, graph, &info) != cudaSuccess);
  cudaGetLastError();

  // Neither memory nor waiting can be recorded.
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal) == cudaSuccess);
  int* more = nullptr;
  CHECK(cudaMalloc(&more, 4) != cudaSuccess);
  CHECK(cudaStreamSynchronize(stream) != cudaSuccess);
  CHECK(cudaStreamEndCapture(stream, &graph) != cudaSuccess);
  cudaGetLastError();
  CHECK(value() == 62);
  CHECK(cudaGraphExecDestroy(replay) == cudaSuccess && cudaStreamDestroy(stream) == cudaSuccess);
  CHECK(cudaFree(x) == cudaSuccess && cudaFreeHost(pinned) == cudaSuccess);
  if (failures == 0) { std::printf("streams: all right\n"); }
  return failures > 0;
}
