#include "kernels/backend/portability.hpp"

// The primitives of the host. primitives_cuda.cu has those of CUDA.
#if !SCREE_ON_CUDA

#include <sys/mman.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <string>

#include "kernels/backend/copies.hpp"
#include "kernels/backend/primitives.hpp"
#include "scree/errors.hpp"
#include "scree/machine.hpp"

#include <thrust/execution_policy.h>
#include <thrust/sort.h>
#include <thrust/system/omp/execution_policy.h>

namespace scree::inline SCREE_BACKEND {

namespace {

std::string gigabytes(std::uint64_t bytes) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g GB", static_cast<double>(bytes) * 1e-9);
  return text;
}

}  // namespace

void* allocate_bytes(std::size_t bytes, const char* what) {
  if (bytes == 0) { return nullptr; }
  constexpr std::size_t worth_asking = std::size_t(1) << 26;
  // The system grants more memory than it has and kills programs that use it, so an error message is only possible if
  // free memory is checked first.
  if (bytes >= worth_asking) {
    if (const std::uint64_t free = granted_memory().free; bytes > free) {
      throw BackendError("out of memory: " + gigabytes(bytes) + " asked for by " + what + ", and " + gigabytes(free) +
                         " are free");
    }
  }
  // Large arrays lie on large pages: a step reads some twenty arrays at once, more than the translation cache holds.
  constexpr std::size_t large_page = std::size_t(1) << 21;
  const std::size_t alignment = bytes >= 2 * large_page || bytes % large_page == 0 ? large_page : 64;
  const std::size_t whole = (bytes + alignment - 1) / alignment * alignment;
  void* memory = std::aligned_alloc(alignment, whole);
  if (memory == nullptr) { throw BackendError("out of memory: " + gigabytes(bytes) + " asked for by " + what); }
#if defined(MADV_HUGEPAGE)
  // only advice; if it is refused, the pages are small
  if (alignment == large_page) { madvise(memory, whole, MADV_HUGEPAGE); }
#endif
  fill_zero(memory, bytes);
  return memory;
}

void free_bytes(void* memory) noexcept { std::free(memory); }

namespace {
void copy(CopyKind kind, void* to, const void* from, std::size_t bytes) {
  if (bytes == 0) { return; }  // empty arrays have no address
  note_copy(kind, bytes);
  std::memcpy(to, from, bytes);
}
}  // namespace

void copy_to_backend(void* to, const void* from, std::size_t bytes) { copy(CopyKind::to_backend, to, from, bytes); }
void copy_from_backend(void* to, const void* from, std::size_t bytes) { copy(CopyKind::from_backend, to, from, bytes); }
void copy_within_backend(void* to, const void* from, std::size_t bytes) {
  copy(CopyKind::within_backend, to, from, bytes);
}

void fill_zero(void* memory, std::size_t bytes) {
  if (bytes == 0) { return; }
  auto* bytes_of = static_cast<unsigned char*>(memory);
  // In parallel, so that each page is placed near the thread that will work on it.
  constexpr std::size_t chunk = std::size_t(1) << 20;
  const std::size_t chunks = (bytes + chunk - 1) / chunk;
#pragma omp parallel for schedule(static) if (chunks > 4)
  for (std::size_t c = 0; c < chunks; ++c) {
    const std::size_t begin = c * chunk;
    std::memset(bytes_of + begin, 0, begin + chunk < bytes ? chunk : bytes - begin);
  }
}

void check_launch(const char*) {}
void wait_for_backend(const char*) {}
bool waits_by_default() { return false; }

void Primitives::sort_by_key(Buffer<std::uint64_t>& keys, Buffer<index_t>& values, std::size_t n, int) {
  if (threads_ == 1) {
    thrust::stable_sort_by_key(thrust::cpp::par, keys.data(), keys.data() + n, values.data());
  } else {
    thrust::stable_sort_by_key(thrust::omp::par, keys.data(), keys.data() + n, values.data());
  }
}

void Primitives::exclusive_scan(Span<offset_t> counts, std::size_t n) {
  offset_t total = 0;
  offset_t* values = counts.data;
  for (std::size_t i = 0; i < n; ++i) {
    const offset_t count = values[i];
    values[i] = total;
    total += count;
  }
  values[n] = total;
}

void Primitives::exclusive_scan_onto(Span<offset_t> start, Span<std::uint32_t> counts, Span<offset_t> sums,
                                     std::size_t n) {
  offset_t total = 0;
  for (std::size_t i = 0; i < n; ++i) {
    sums.data[i] = start.data[i] + total;
    total += counts.data[i];
  }
  sums.data[n] = start.data[n] + total;
}

template <class R>
R Primitives::maximum(Span<R> values, std::size_t n) {
  R largest = std::numeric_limits<R>::lowest();
#pragma omp parallel for schedule(static) num_threads(threads_) reduction(max : largest)
  for (std::size_t i = 0; i < n; ++i) { largest = math::max(largest, values[i]); }
  return largest;
}
template <class R>
R Primitives::minimum(Span<R> values, std::size_t n) {
  R smallest = std::numeric_limits<R>::max();
#pragma omp parallel for schedule(static) num_threads(threads_) reduction(min : smallest)
  for (std::size_t i = 0; i < n; ++i) { smallest = math::min(smallest, values[i]); }
  return smallest;
}
template float Primitives::maximum(Span<float>, std::size_t);
template double Primitives::maximum(Span<double>, std::size_t);
template float Primitives::minimum(Span<float>, std::size_t);
template double Primitives::minimum(Span<double>, std::size_t);

std::uint64_t Primitives::sum(Span<std::uint8_t> values, std::size_t n) {
  std::uint64_t total = 0;
#pragma omp parallel for schedule(static) num_threads(threads_) reduction(+ : total)
  for (std::size_t i = 0; i < n; ++i) { total += values[i]; }
  return total;
}

}  // namespace scree::inline SCREE_BACKEND

#endif
