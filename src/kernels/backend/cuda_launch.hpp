#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/backend/bound.hpp"
#include "kernels/backend/keeps_rows.hpp"

#if SCREE_ON_CUDA

/// The kernels of CUDA. Every launch of Exec is one of them, with the functor as its parameter.
namespace scree::inline SCREE_BACKEND {

template <class F>
struct block_size_of {
  static constexpr int value = 128;
};
template <class F>
requires(Bound<F>::block_size > 0) struct block_size_of<F> {
  static constexpr int value = Bound<F>::block_size;
};

template <class F>
__global__ void __launch_bounds__(block_size_of<F>::value) run_each(const F functor, const std::size_t n) {
  const std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= n) { return; }
  const auto& each = bound(functor);
  each(i);
}

template <class F>
__global__ void __launch_bounds__(block_size_of<F>::value) run_stretch(const F functor, const std::size_t n) {
  const std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= n) { return; }
  const auto& each = bound(functor);
  each(i, i + 1);
}

/// The looks of the chosen items of a block, without gaps: as on the host, the threads that evaluate them then lie
/// together in few warps, and the other warps end. The order is that of the items.
template <class Look, class R, int block>
struct PackedLooks {
  static constexpr int warps = block / 32;
  static_assert(block % 32 == 0);
  R value[Look::n_components][block];
  std::uint32_t item[block];  ///< index in the block
  std::uint32_t in_warp[warps];

  /// Takes the look of each thread, if it is chosen. Returns the number of chosen ones. All threads of the block call
  /// this.
  __device__ std::uint32_t pack(Look& look) {
    const std::uint32_t warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const std::uint32_t chosen = __ballot_sync(0xffffffffu, look.chosen);
    if (lane == 0) { in_warp[warp] = static_cast<std::uint32_t>(__popc(chosen)); }
    __syncthreads();
    std::uint32_t place = static_cast<std::uint32_t>(__popc(chosen & ((1u << lane) - 1))), count = 0;
    for (std::uint32_t w = 0; w < warps; ++w) {
      place += w < warp ? in_warp[w] : 0;
      count += in_warp[w];
    }
    if (look.chosen) {
      item[place] = threadIdx.x;
      look.each([&](int component, R& number) { value[component][place] = number; });
    }
    __syncthreads();
    return count;
  }
  __device__ Look look_of(std::uint32_t place) const {
    Look look;
    look.chosen = true;
    look.each([&](int component, R& number) { number = value[component][place]; });
    return look;
  }
};

template <class F>
__global__ void __launch_bounds__(block_size_of<F>::value) run_selected(const F functor, const std::size_t n) {
  using Each = Bound<F>;
  using Look = typename Each::Look;
  constexpr int block = block_size_of<F>::value;
  __shared__ PackedLooks<Look, typename Each::Scalar, block> packed;
  const auto& each = bound(functor);
  const std::size_t first = std::size_t(blockIdx.x) * block, own = first + threadIdx.x;
  Look look{};
  if (own < n) {
    look = each.look(own);
    if (!look.chosen && each.must_reject(own)) { each.reject(own); }
  }
  if (threadIdx.x >= packed.pack(look)) { return; }
  const std::size_t i = first + packed.item[threadIdx.x];
  const auto input = each.load(i, packed.look_of(threadIdx.x));
  if constexpr (keeps_rows<Each>) {
    auto output = each.evaluate(input);
    if (each.finish(i, output, input)) {
      each.store(i, output);
    } else {
      each.defer(i);
    }
  } else {
    each.store(i, each.evaluate(input));
  }
}

}  // namespace scree::inline SCREE_BACKEND

#endif
