#pragma once

#include <cstdint>
#include <type_traits>

#include "kernels/backend/exec.hpp"
#include "kernels/backend/lanes.hpp"
#include "kernels/backend/stream.hpp"

/// Sums over all items, in whatever order the backend likes: for numbers that decide about work but not about results.
/// The answer stays on the backend.
namespace scree::inline SCREE_BACKEND {

/// How items are shared among parts. A part of a GPU is a block of threads.
struct MergeParts {
  static constexpr std::size_t threads = 128, most = SCREE_ON_CUDA ? 1024 : n_lanes;

  [[nodiscard]] static std::size_t of(std::size_t n) {
    if constexpr (SCREE_ON_CUDA) {
      const std::size_t blocks = (n + threads - 1) / threads;
      return blocks < 1 ? 1 : (blocks < most ? blocks : most);
    } else {
      return n_lanes;
    }
  }
};

#if SCREE_ON_CUDA
/// Merges what each thread of a block has; the first thread hands the sum on.
template <class Sum, class Add, class Finish>
__device__ void merge_block(const Add& add, const Finish& finish) {
  static_assert(std::is_trivially_copyable_v<Sum> && MergeParts::threads * sizeof(Sum) <= 48 * 1024);
  alignas(16) __shared__ unsigned char memory[MergeParts::threads * sizeof(Sum)];
  Sum* const sums = reinterpret_cast<Sum*>(memory);
  Sum& own = sums[threadIdx.x];
  own = Sum{};
  add(own);
  for (unsigned half = MergeParts::threads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) { own.merge(sums[threadIdx.x + half]); }
  }
  if (threadIdx.x == 0) { finish(own); }
}

template <class Sum, class F>
__global__ void __launch_bounds__(MergeParts::threads) run_parts(const F functor, const std::size_t n, Sum* parts) {
  const auto& each = bound(functor);
  merge_block<Sum>(
      [&](Sum& sum) {
        const std::size_t stride = std::size_t(gridDim.x) * blockDim.x;
        for (std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += stride) { each(i, sum); }
      },
      [&](const Sum& sum) { parts[blockIdx.x] = sum; });
}

template <class Sum, class F>
__global__ void __launch_bounds__(MergeParts::threads) run_merge(const F functor, const std::size_t n, Sum* parts) {
  merge_block<Sum>(
      [&](Sum& sum) {
        for (std::size_t part = threadIdx.x; part < n; part += blockDim.x) { sum.merge(parts[part]); }
      },
      [&](const Sum& sum) { functor(sum); });
}
#else
/// Adds up the items of one lane.
template <class Sum, class Each>
struct LaneOf {
  const Each* each;
  std::size_t n;
  Sum* parts;
  void operator()(std::size_t lane) const {
    Sum sum{};
    visit_lane(lane, n, [&](std::size_t i) { (*each)(i, sum); });
    parts[lane] = sum;
  }
};
#endif

/// Calls each(i, sum) for every item i in [0, n), where `sum` is one of several that begin as Sum{}; merges these by
/// sum.merge(other); then calls finish(sum) once. `parts` is work space. Two launches; nothing is copied to the host.
template <class Sum, class Each, class Finish>
void merge_all(Exec& exec, const char* label, std::size_t n, const Each& functor, Buffer<Sum>& parts,
               const Finish& finish, std::uint64_t bytes) {
  static_assert(std::is_trivially_copyable_v<Each> && std::is_trivially_copyable_v<Finish>);
  const std::size_t n_parts = MergeParts::of(n);
  parts.discard_and_resize(n_parts, "sums");
#if SCREE_ON_CUDA
  const auto threads = static_cast<unsigned>(MergeParts::threads);
  exec.timed(
      label,
      [&] {
        run_parts<Sum><<<static_cast<unsigned>(n_parts), threads, 0, backend_stream()>>>(functor, n, parts.data());
        check_launch(label);
      },
      bytes);
  exec.timed(label, [&] {
    run_merge<Sum><<<1, threads, 0, backend_stream()>>>(finish, n_parts, parts.data());
    check_launch(label);
  });
#else
  const auto& each = bound(functor);
  exec.for_lanes(label, n_parts, n, LaneOf<Sum, Bound<Each>>{&each, n, parts.data()}, bytes);
  exec.timed(label, [&] {
    Sum sum{};
    for (std::size_t part = 0; part < n_parts; ++part) { sum.merge(parts.data()[part]); }
    finish(sum);
  });
#endif
}

}  // namespace scree::inline SCREE_BACKEND
