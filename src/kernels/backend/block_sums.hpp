#pragma once

#include "kernels/backend/exec.hpp"

#if SCREE_ON_CUDA

/// Integer sums and maxima over many items in one launch: each thread adds up its own items, shuffles add up the
/// threads of a warp, shared memory the warps of a block, and atomics the blocks. The result does not depend on any
/// order.
namespace scree::inline SCREE_BACKEND {

inline constexpr int sum_block = 256;
inline constexpr int most_sum_blocks = 1056;  ///< eight on each multiprocessor of an H200

/// The larger of two doubles that are not negative, or the sum of two integers; both are given as 64 bits. The bits of
/// such doubles are ordered as the doubles are.
__device__ inline std::uint64_t merge_words(std::uint64_t a, std::uint64_t b, bool largest) {
  return !largest ? a + b : b > a ? b : a;
}

/// Adds items to `total`; for Lane and item see SumLanes.
template <class Item, class Lane>
__global__ void __launch_bounds__(sum_block) run_sum(const Item item, const std::size_t n, Lane* total) {
  constexpr int n_words = sizeof(Lane) / sizeof(std::uint64_t), n_warps = sum_block / 32;
  __shared__ std::uint64_t of_warps[n_words][n_warps];
  Lane own{};
  const std::size_t threads = std::size_t(gridDim.x) * sum_block;
  for (std::size_t i = std::size_t(blockIdx.x) * sum_block + threadIdx.x; i < n; i += threads) { item(i, own); }
  std::uint64_t words[n_words];
  __builtin_memcpy(words, &own, sizeof(own));
  const unsigned warp = threadIdx.x / 32, place = threadIdx.x % 32;
#pragma unroll
  for (int w = 0; w < n_words; ++w) {
    std::uint64_t word = words[w];
    for (int step = 16; step > 0; step /= 2) {
      word = merge_words(word, __shfl_down_sync(0xffffffffu, static_cast<unsigned long long>(word), step),
                         w < int(Lane::n_largest));
    }
    if (place == 0) { of_warps[w][warp] = word; }
  }
  __syncthreads();
  for (int w = threadIdx.x; w < n_words; w += sum_block) {
    const bool largest = w < int(Lane::n_largest);
    std::uint64_t word = of_warps[w][0];
    for (int k = 1; k < n_warps; ++k) { word = merge_words(word, of_warps[w][k], largest); }
    if (word == 0) { continue; }
    auto* const to = reinterpret_cast<unsigned long long*>(total) + w;
    if (largest) {
      atomicMax(to, static_cast<unsigned long long>(word));
    } else {
      atomicAdd(to, static_cast<unsigned long long>(word));
    }
  }
}

/// Adds n items to `total`.
template <class Item, class Lane>
void sum_in_blocks(Exec& exec, const char* label, std::size_t n, const Item& item, Lane* total) {
  static_assert(std::is_trivially_copyable_v<Item> && std::is_trivially_copyable_v<Lane>);
  if (n == 0) { return; }
  const std::size_t blocks = (n + sum_block - 1) / sum_block;
  exec.timed(label, [&] {
    run_sum<Item, Lane><<<static_cast<unsigned>(blocks < most_sum_blocks ? blocks : most_sum_blocks), sum_block, 0,
                          backend_stream()>>>(item, n, total);
    check_launch(label);
  });
}

}  // namespace scree::inline SCREE_BACKEND

#endif
