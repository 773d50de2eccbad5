#pragma once

#include <algorithm>

#include "kernels/backend/last_block.hpp"
#include "kernels/backend/lane_sums.hpp"

/// Exact sums, and then what uses them: one launch on a GPU.
namespace scree::inline SCREE_BACKEND {

/// Where the sums are kept. On a GPU all are 0 between launches.
struct SumSpace {
  ExactSums sums;

  /// [n_sums] Where the next launch leaves the sums over n items; empty if there is nothing to add.
  [[nodiscard]] Span<ExactSum> prepare(const Exec& exec, std::size_t n, std::size_t n_sums) {
    if (n == 0 || n_sums == 0) { return {}; }
#if SCREE_ON_CUDA
    constexpr std::size_t most_lanes = 32, most_sums = 2048;
    const std::size_t lanes = std::clamp<std::size_t>(most_sums / n_sums, 1, most_lanes);
    static_cast<void>(exec);
    if (sums.lanes.size() != lanes * n_sums) {
      sums.lanes.discard_and_resize(lanes * n_sums, "sums");
      sums.lanes.zero();
    }
#else
    sums.lanes.discard_and_resize(sums.lanes_of(exec, n, n_sums) * n_sums, "sums");
#endif
    return {sums.lanes.data(), n_sums};
  }
  [[nodiscard]] std::uint64_t bytes() const { return sums.bytes(); }
};

#if SCREE_ON_CUDA

inline constexpr int sum_block = 256;

/// Blocks add their items to lanes, of which there may be fewer than blocks. The last block merges the lanes, runs
/// `each` in all its threads and then `last` in one, and leaves the lanes at 0. Nothing happens if `idle` is not 0.
template <class Item, class Each, class Last>
__global__ void __launch_bounds__(sum_block)
    run_sums_then(const Item item, const std::size_t n, const Span<ExactSum> lanes, const std::size_t n_sums,
                  const Each each, const std::size_t n_each, const Last last, const std::uint32_t* idle,
                  std::uint32_t* blocks_ended) {
  __shared__ bool is_last;
  if (*idle != 0) { return; }
  if (n_sums > 0) {
    ExactSum* const own = lanes.data + blockIdx.x % (lanes.size / n_sums) * n_sums;
    for (std::size_t i = std::size_t(blockIdx.x) * sum_block + threadIdx.x; i < n; i += std::size_t(gridDim.x) * sum_block) {
      item.visit(i, [&](std::size_t k, double value) { own[k].add_atomic(value); });
    }
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    is_last = atomic_add(blocks_ended, std::uint32_t(1)) + 1 == gridDim.x;
    __threadfence();
  }
  __syncthreads();
  if (!is_last) { return; }
  const std::size_t n_words = n_sums * (sizeof(ExactSum) / sizeof(std::int64_t));
  const std::size_t all_words = lanes.size * (sizeof(ExactSum) / sizeof(std::int64_t));
  volatile std::int64_t* const words = reinterpret_cast<volatile std::int64_t*>(lanes.data);
  for (std::size_t w = threadIdx.x; w < n_words; w += sum_block) {
    std::int64_t sum = 0;
    for (std::size_t k = w; k < all_words; k += n_words) { sum += words[k]; }
    words[w] = sum;
  }
  __syncthreads();
  {
    const auto& step = bound(each);
    for (std::size_t j = threadIdx.x; j < n_each; j += sum_block) { step(j); }
  }
  __syncthreads();
  for (std::size_t w = threadIdx.x; w < all_words; w += sum_block) { words[w] = 0; }
  if (threadIdx.x != 0) { return; }
  *reinterpret_cast<volatile std::uint32_t*>(blocks_ended) = 0;
  const auto& end = bound(last);
  end(0);
}

#endif

/// Adds items up: item.visit(i, add) calls add(k, value) for each of the sums k that item i belongs to. Then it runs
/// each(j) for j in [0, n_each), which may use the sums, and then last(0). `sums` is what prepare() gave. `idle`: on a
/// GPU, nothing happens if it is not 0; `each` and `last` must test it themselves, too. `blocks_ended`: see
/// for_each_then().
template <class Item, class Each, class Last>
void sum_then(Exec& exec, const char* label, std::size_t n, const Item& item, SumSpace& space, Span<ExactSum> sums,
              std::size_t n_each, const Each& each, const Last& last, [[maybe_unused]] const std::uint32_t* idle,
              [[maybe_unused]] Span<std::uint32_t> blocks_ended) {
#if SCREE_ON_CUDA
  constexpr std::size_t most_blocks = 512;
  const std::size_t items = sums.size > 0 ? n : 0;
  const std::size_t blocks = std::clamp<std::size_t>((items + sum_block - 1) / sum_block, 1, most_blocks);
  const Span<ExactSum> lanes = sums.size > 0 ? space.sums.lanes.view() : Span<ExactSum>{};
  exec.timed(label, [&] {
    run_sums_then<Item, Each, Last><<<static_cast<unsigned>(blocks), sum_block, 0, backend_stream()>>>(
        item, items, lanes, sums.size, each, n_each, last, idle, blocks_ended.data);
    check_launch(label);
  });
#else
  if (sums.size > 0) { static_cast<void>(space.sums.exactly(exec, label, n, sums.size, VisitSums<Item>{item})); }
  exec.for_each(label, n_each, each);
  exec.for_each("end of step", 1, last);
#endif
}

}  // namespace scree::inline SCREE_BACKEND
