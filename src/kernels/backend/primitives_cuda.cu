#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>

#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <string>

#include "kernels/backend/copies.hpp"
#include "kernels/backend/primitives.hpp"
#include "scree/errors.hpp"

namespace scree::inline SCREE_BACKEND {

namespace {

void check(cudaError_t status, const char* what) {
  if (status != cudaSuccess) { throw BackendError(std::string("CUDA: ") + cudaGetErrorString(status) + " in " + what); }
}

/// Position i.
struct At {
  PositionColumn positions;
  SCREE_HD Vec3d operator()(std::size_t i) const { return positions[i]; }
};

struct LowerCorner {
  SCREE_HD Vec3d operator()(const Vec3d& a, const Vec3d& b) const {
    return {math::min(a.x, b.x), math::min(a.y, b.y), math::min(a.z, b.z)};
  }
};
struct UpperCorner {
  static SCREE_HD Vec3d near(const Vec3d& a) {
    constexpr double far = std::numeric_limits<double>::max();
    return a.x < farthest_place ? a : Vec3d{-far, -far, -far};
  }
  SCREE_HD Vec3d operator()(const Vec3d& a, const Vec3d& b) const {
    const Vec3d p = near(a), q = near(b);
    return {math::max(p.x, q.x), math::max(p.y, q.y), math::max(p.z, q.z)};
  }
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

}  // namespace

void* allocate_bytes(std::size_t bytes, const char* what) {
  if (bytes == 0) { return nullptr; }
  void* memory = nullptr;
  const cudaError_t status = cudaMalloc(&memory, bytes);
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

void free_bytes(void* memory) noexcept {
  if (memory == nullptr) { return; }
  cudaStreamSynchronize(backend_stream());  // launches may still use it
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
  static const cudaStream_t stream = [] {
    cudaStream_t made = nullptr;
    check(cudaStreamCreateWithFlags(&made, cudaStreamNonBlocking), "making a stream");
    return made;
  }();
  return stream;
}

void copy_to_backend(void* to, const void* from, std::size_t bytes) {
  if (bytes == 0) { return; }
  note_copy(CopyKind::to_backend, bytes);
  // Returns when the memory of the host has been read, not when the copy is done.
  check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, backend_stream()), "copy to the GPU");
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

bool waits_for_launches() {
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

void check_launch(const char* label) {
  check(cudaGetLastError(), label);
  if (waits_for_launches()) { check(cudaDeviceSynchronize(), label); }
}
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

void wait_for_backend() { check(cudaDeviceSynchronize(), "waiting for the GPU"); }

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

offset_t Primitives::exclusive_scan(Buffer<offset_t>& counts, std::size_t n) {
  counts.set_element(n, 0);
  std::size_t needed = 0;
  check(cub::DeviceScan::ExclusiveSum(nullptr, needed, counts.data(), counts.data(), n + 1, backend_stream()), "scan");
  scratch_.discard_and_resize(needed);
  check(cub::DeviceScan::ExclusiveSum(scratch_.data(), needed, counts.data(), counts.data(), n + 1, backend_stream()),
        "scan");
  return counts.element(n);
}

PositionBounds Primitives::bounds(PositionColumn positions, std::size_t n) {
  const auto values = thrust::make_transform_iterator(thrust::make_counting_iterator(std::size_t(0)), At{positions});
  constexpr double far = std::numeric_limits<double>::max();
  return {reduce(scratch_, values, n, LowerCorner{}, Vec3d{far, far, far}),
          reduce(scratch_, values, n, UpperCorner{}, Vec3d{-far, -far, -far})};
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
