#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>

#include <cstdlib>
#include <cstring>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "kernels/backend/copies.hpp"
#include "kernels/backend/primitives.hpp"
#include "kernels/backend/stream.hpp"
#include "scree/errors.hpp"

namespace scree::inline SCREE_BACKEND {

namespace {

void check(cudaError_t status, const char* what) {
  if (status != cudaSuccess) { throw BackendError(std::string("CUDA: ") + cudaGetErrorString(status) + " in " + what); }
}

/// Count i, with a zero behind the last one.
struct CountAt {
  const offset_t* counts;
  std::size_t n;
  SCREE_HD offset_t operator()(std::size_t i) const { return i < n ? counts[i] : 0; }
};
/// Count i and the distance to the next start.
struct CountAndStepAt {
  const offset_t* start;
  const std::uint32_t* counts;
  std::size_t n;
  SCREE_HD offset_t operator()(std::size_t i) const { return i < n ? start[i + 1] - start[i] + counts[i] : 0; }
};

struct Larger {
  template <class R>
  SCREE_HD R operator()(const R& a, const R& b) const {
    return math::max(a, b);
  }
};
struct Smaller {
  template <class R>
  SCREE_HD R operator()(const R& a, const R& b) const {
    return math::min(a, b);
  }
};
struct Sum {
  SCREE_HD std::uint64_t operator()(std::uint64_t a, std::uint64_t b) const { return a + b; }
};

template <class T, class Operation, class Values>
T reduce(Buffer<std::uint8_t>& scratch, Values values, std::size_t n, Operation operation, T start) {
  std::size_t needed = 0;
  check(cub::DeviceReduce::Reduce(nullptr, needed, values, static_cast<T*>(nullptr), n, operation, start,
                                  backend_stream()),
        "reduce");
  const std::size_t aligned = (needed + 255) / 256 * 256;
  scratch.discard_and_resize(aligned + sizeof(T));
  T* result = reinterpret_cast<T*>(scratch.data() + aligned);
  check(cub::DeviceReduce::Reduce(scratch.data(), needed, values, result, n, operation, start, backend_stream()),
        "reduce");
  T value;
  copy_from_backend(&value, result, sizeof(T));
  return value;
}

template <class At>
void scan(Buffer<std::uint8_t>& scratch, const At& at, offset_t* sums, std::size_t n) {
  const auto values = thrust::make_transform_iterator(thrust::make_counting_iterator(std::size_t(0)), at);
  std::size_t needed = 0;
  check(cub::DeviceScan::ExclusiveSum(nullptr, needed, values, sums, n, backend_stream()), "scan");
  scratch.discard_and_resize(needed);
  check(cub::DeviceScan::ExclusiveSum(scratch.data(), needed, values, sums, n, backend_stream()), "scan");
}

}  // namespace

namespace {

/// What the backend must know of a GPU.
struct DeviceTraits {
  /// The pool from which memory is taken in the order of the work of a stream, so that neither side waits; null if the
  /// device has none. The pool keeps what is given back, so that lists may come and go.
  cudaMemPool_t pool = nullptr;
  /// Whether the GPU reads ordinary memory through the page tables of the host, as with a Grace processor. Copies need
  /// no staging then, and may still read that memory when the call has returned.
  bool reads_host_pages = false;
};

DeviceTraits traits_of(int device) {
  const auto attribute = [&](cudaDeviceAttr name) {
    int value = 0;
    check(cudaDeviceGetAttribute(&value, name, device), "looking at the GPU");
    return value;
  };
  DeviceTraits traits;
  traits.reads_host_pages = attribute(cudaDevAttrPageableMemoryAccessUsesHostPageTables) != 0;
  if (attribute(cudaDevAttrMemoryPoolsSupported) != 0) {
    check(cudaDeviceGetDefaultMemPool(&traits.pool, device), "looking at the GPU");
    std::uint64_t everything = std::numeric_limits<std::uint64_t>::max();
    check(cudaMemPoolSetAttribute(traits.pool, cudaMemPoolAttrReleaseThreshold, &everything), "looking at the GPU");
  }
  return traits;
}

/// The traits of the present device.
const DeviceTraits& traits() {
  static std::mutex mutex;
  static std::map<int, DeviceTraits> known;
  int device = 0;
  check(cudaGetDevice(&device), "looking at the GPU");
  const std::scoped_lock lock(mutex);
  const auto place = known.find(device);
  return place != known.end() ? place->second : known.emplace(device, traits_of(device)).first->second;
}

cudaError_t take_memory(cudaMemPool_t pool, void** memory, std::size_t bytes) {
  if (pool == nullptr) { return cudaMalloc(memory, bytes); }
  const cudaError_t status = cudaMallocAsync(memory, bytes, backend_stream());
  if (status != cudaErrorMemoryAllocation) { return status; }
  // The pool may keep free memory in pieces that are too small: give it back to the device and try again.
  cudaGetLastError();
  check(cudaStreamSynchronize(backend_stream()), "waiting for the GPU");
  check(cudaMemPoolTrimTo(pool, 0), "giving memory back");
  return cudaMallocAsync(memory, bytes, backend_stream());
}

}  // namespace

void* allocate_bytes(std::size_t bytes, const char* what) {
  if (bytes == 0) { return nullptr; }
  cudaStreamCaptureStatus recording = cudaStreamCaptureStatusNone;
  check(cudaStreamIsCapturing(backend_stream(), &recording), "looking at the stream");
  // Memory that is requested while a step is recorded would exist only during replays.
  if (recording != cudaStreamCaptureStatusNone) { throw BackendError("no memory can be had while a step is recorded"); }
  void* memory = nullptr;
  const cudaError_t status = take_memory(traits().pool, &memory, bytes);
  if (status != cudaErrorMemoryAllocation) {
    check(status, what);  // the error may come from an earlier launch instead of the allocation
  } else {
    cudaGetLastError();
    std::size_t free = 0, total = 0;
    cudaMemGetInfo(&free, &total);
    throw BackendError("GPU memory is full: " + std::to_string(bytes / 1000000) + " MB asked for by " + what + ", " +
                       std::to_string(free / 1000000) + " MB of " + std::to_string(total / 1000000) + " MB free");
  }
  check(cudaMemsetAsync(memory, 0, bytes, backend_stream()), "clearing memory");
  return memory;
}

// Work that was launched before still has the memory: it is given back in the order of the stream.
void free_bytes(void* memory) noexcept {
  if (memory == nullptr) { return; }
  try {
    if (traits().pool != nullptr) {
      cudaFreeAsync(memory, backend_stream());
      return;
    }
    cudaStreamSynchronize(backend_stream());
  } catch (const BackendError&) {}  // the device is gone, and its memory with it
  cudaFree(memory);
}

namespace {
/// Pinned memory, into which small copies go, so that the driver does not stage them. One for each thread of the host.
constexpr std::size_t landing_bytes = 4096;
void* landing_place() {
  thread_local const std::unique_ptr<void, cudaError_t (*)(void*)> place = [] {
    void* memory = nullptr;
    check(cudaMallocHost(&memory, landing_bytes), "pinned memory");
    return std::unique_ptr<void, cudaError_t (*)(void*)>(memory, cudaFreeHost);
  }();
  return place.get();
}
}  // namespace

cudaStream_t backend_stream() {
  thread_local int known_device = -1;
  thread_local cudaStream_t stream = nullptr;
  int device = 0;
  check(cudaGetDevice(&device), "looking at the GPU");
  if (device == known_device) { return stream; }
  static std::mutex mutex;
  static std::map<int, cudaStream_t> streams;
  const std::scoped_lock lock(mutex);
  cudaStream_t& made = streams[device];
  if (made == nullptr) { check(cudaStreamCreateWithFlags(&made, cudaStreamNonBlocking), "making a stream"); }
  known_device = device;
  return stream = made;
}

void copy_to_backend(void* to, const void* from, std::size_t bytes) {
  if (bytes == 0) { return; }
  note_copy(CopyKind::to_backend, bytes);
  // With staging this returns when the memory of the host has been read, not when the copy is done.
  check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, backend_stream()), "copy to the GPU");
  if (traits().reads_host_pages) { check(cudaStreamSynchronize(backend_stream()), "copy to the GPU"); }
}
void copy_from_backend(void* to, const void* from, std::size_t bytes) {
  if (bytes == 0) { return; }
  note_copy(CopyKind::from_backend, bytes);
  void* const landing = bytes <= landing_bytes ? landing_place() : to;
  check(cudaMemcpyAsync(landing, from, bytes, cudaMemcpyDeviceToHost, backend_stream()), "copy from the GPU");
  check(cudaStreamSynchronize(backend_stream()), "copy from the GPU");
  if (landing != to) { std::memcpy(to, landing, bytes); }
}
void copy_within_backend(void* to, const void* from, std::size_t bytes) {
  if (bytes == 0) { return; }
  note_copy(CopyKind::within_backend, bytes);
  check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, backend_stream()), "copy on the GPU");
}
void fill_zero(void* memory, std::size_t bytes) {
  if (bytes > 0) { check(cudaMemsetAsync(memory, 0, bytes, backend_stream()), "clearing memory"); }
}

bool waits_by_default() {
#ifndef NDEBUG
  return true;
#else
  static const bool wanted = [] {
    const char* text = std::getenv("SCREE_CUDA_WAIT");
    return text != nullptr && *text != 0 && std::strcmp(text, "0") != 0;
  }();
  return wanted;
#endif
}

void check_launch(const char* label) { check(cudaGetLastError(), label); }
std::size_t local_bytes_of(const void* kernel) {
  cudaFuncAttributes attributes{};
  check(cudaFuncGetAttributes(&attributes, kernel), "looking at a kernel");
  return attributes.localSizeBytes;
}

std::uint64_t bytes_for_threads(std::size_t local_bytes) {
  int device = 0, processors = 0, threads = 0;
  check(cudaGetDevice(&device), "looking at the GPU");
  check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device), "looking at the GPU");
  check(cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerMultiProcessor, device), "looking at the GPU");
  return std::uint64_t(local_bytes) * std::uint64_t(processors) * std::uint64_t(threads);
}

void wait_for_backend(const char* label) { check(cudaDeviceSynchronize(), label); }

void Primitives::sort_by_key(Buffer<std::uint64_t>& keys, Buffer<index_t>& values, std::size_t n, int bits) {
  if (n == 0) { return; }
  keys_.discard_and_resize(keys.size());
  values_.discard_and_resize(values.size());
  cub::DoubleBuffer<std::uint64_t> key_pair(keys.data(), keys_.data());
  cub::DoubleBuffer<index_t> value_pair(values.data(), values_.data());
  std::size_t needed = 0;
  check(cub::DeviceRadixSort::SortPairs(nullptr, needed, key_pair, value_pair, n, 0, bits, backend_stream()), "sort");
  scratch_.discard_and_resize(needed);
  check(cub::DeviceRadixSort::SortPairs(scratch_.data(), needed, key_pair, value_pair, n, 0, bits, backend_stream()),
        "sort");
  if (key_pair.Current() != keys.data()) { keys.swap(keys_); }
  if (value_pair.Current() != values.data()) { values.swap(values_); }
}

void Primitives::exclusive_scan(Span<offset_t> counts, std::size_t n) {
  scan(scratch_, CountAt{counts.data, n}, counts.data, n + 1);
}

void Primitives::exclusive_scan_onto(Span<offset_t> start, Span<std::uint32_t> counts, Span<offset_t> sums,
                                     std::size_t n) {
  scan(scratch_, CountAndStepAt{start.data, counts.data, n}, sums.data, n + 1);
}

template <class R>
R Primitives::maximum(Span<R> values, std::size_t n) {
  return reduce(scratch_, values.data, n, Larger{}, std::numeric_limits<R>::lowest());
}
template <class R>
R Primitives::minimum(Span<R> values, std::size_t n) {
  return reduce(scratch_, values.data, n, Smaller{}, std::numeric_limits<R>::max());
}
template float Primitives::maximum(Span<float>, std::size_t);
template double Primitives::maximum(Span<double>, std::size_t);
template float Primitives::minimum(Span<float>, std::size_t);
template double Primitives::minimum(Span<double>, std::size_t);

std::uint64_t Primitives::sum(Span<std::uint8_t> values, std::size_t n) {
  return reduce(scratch_, values.data, n, Sum{}, std::uint64_t(0));
}

}  // namespace scree::inline SCREE_BACKEND
