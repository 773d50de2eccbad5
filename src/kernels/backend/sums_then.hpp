#pragma once

#include <algorithm>

#include "kernels/backend/lane_sums.hpp"
#include "kernels/backend/last_block.hpp"

/// Exact sums, and then what uses them: one launch on a GPU.
namespace scree::inline SCREE_BACKEND {

/// Where the sums are kept. On a GPU all are 0 between launches.
struct SumSpace {
  Buffer<ExactSum> lanes;

  /// [n_sums] Where the next launch leaves the sums over n items; empty if there is nothing to add.
  [[nodiscard]] Span<ExactSum> prepare([[maybe_unused]] const Exec& exec, std::size_t n, std::size_t n_sums) {
    if (n == 0 || n_sums == 0) { return {}; }
#if SCREE_ON_CUDA
    constexpr std::size_t most_lanes = 32, most_sums = 2048;
    const std::size_t size = std::clamp<std::size_t>(most_sums / n_sums, 1, most_lanes) * n_sums;
    if (lanes.size() != size) {
      lanes.discard_and_resize(size, "sums");
      lanes.zero();
    }
#else
    size_lanes(exec, lanes, n, n_sums);
#endif
    return {lanes.data(), n_sums};
  }
  [[nodiscard]] std::uint64_t bytes() const { return lanes.bytes(); }
};

#if SCREE_ON_CUDA

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
    const std::size_t threads = std::size_t(gridDim.x) * sum_block;
    for (std::size_t i = std::size_t(blockIdx.x) * sum_block + threadIdx.x; i < n; i += threads) {
      item.visit(i, [&](std::size_t k, double value) { own[k].add_atomic(value); });
    }
  }
  __syncthreads();
  if (threadIdx.x == 0) { is_last = is_last_block(blocks_ended); }
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
  const auto& end = bound(last);
  end(0);
}

#endif

/// A launch of sum_then().
struct SumLaunch {
  const char* label;
  const char* last_label;  ///< of `last` where it is a loop of its own
  std::size_t n;           ///< number of items
  SumSpace& space;
  Span<ExactSum> sums;               ///< what space.prepare() gave
  std::size_t n_each;                ///< how often `each` runs
  const std::uint32_t* idle;         ///< on a GPU, nothing happens if it is not 0
  Span<std::uint32_t> blocks_ended;  ///< see is_last_block()
};

/// Adds items up: item.visit(i, add) calls add(k, value) for each of the sums k that item i belongs to. Then it runs
/// each(j) for j in [0, n_each), which may use the sums, and then last(0). Both must test `idle` themselves, too.
template <class Item, class Each, class Last>
void sum_then(Exec& exec, const SumLaunch& launch, const Item& item, const Each& each, const Last& last) {
#if SCREE_ON_CUDA
  constexpr std::size_t most_blocks = 512;
  const std::size_t items = launch.sums.size > 0 ? launch.n : 0;
  const std::size_t blocks = std::clamp<std::size_t>((items + sum_block - 1) / sum_block, 1, most_blocks);
  const Span<ExactSum> lanes = launch.sums.size > 0 ? launch.space.lanes.view() : Span<ExactSum>{};
  exec.timed(launch.label, [&] {
    run_sums_then<Item, Each, Last><<<static_cast<unsigned>(blocks), sum_block, 0, backend_stream()>>>(
        item, items, lanes, launch.sums.size, each, launch.n_each, last, launch.idle, launch.blocks_ended.data);
    check_launch(launch.label);
  });
#else
  if (launch.sums.size > 0) {
    add_exactly(exec, launch.label, launch.n, launch.sums.size, VisitSums<Item>{item}, launch.space.lanes);
  }
  exec.for_each(launch.label, launch.n_each, each);
  exec.for_each(launch.last_label, 1, last);
#endif
}

}  // namespace scree::inline SCREE_BACKEND
