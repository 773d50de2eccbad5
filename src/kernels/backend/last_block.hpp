#pragma once

#include "kernels/backend/exec.hpp"

#if SCREE_ON_CUDA

/// A launch whose last block of threads does something more. This saves a launch of one thread.
namespace scree::inline SCREE_BACKEND {

/// To be called by the first thread of each block, after a barrier of the block. Returns whether all other blocks have
/// already called it. Then the thread sees everything that the threads of other blocks wrote: the barrier of each block
/// comes before the fence of its first thread, and the counter orders that fence before the fence of the last block.
/// `blocks_ended` is 0 before and afterwards.
__device__ inline bool is_last_block(std::uint32_t* blocks_ended) {
  __threadfence();
  if (atomic_add(blocks_ended, std::uint32_t(1)) + 1 != gridDim.x) { return false; }
  __threadfence();
  *reinterpret_cast<volatile std::uint32_t*>(blocks_ended) = 0;
  return true;
}

/// `last` sees the flags that threads of other blocks set by raise_flag() and raise_fault().
template <class F, class Last>
__global__ void __launch_bounds__(block_size_of<F>::value)
    run_each_then(const F functor, const std::size_t n, const Last last, std::uint32_t* blocks_ended) {
  const std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) {
    const auto& each = bound(functor);
    each(i);
  }
  __syncthreads();
  if (threadIdx.x == 0 && is_last_block(blocks_ended)) { last(0); }
}

/// Runs functor(i) for i in [0, n), n > 0, and when all that is done last(0). `blocks_ended` is 0 before and
/// afterwards.
template <class F, class Last>
void for_each_then(Exec& exec, const char* label, std::size_t n, const F& functor, const Last& last,
                   Span<std::uint32_t> blocks_ended) {
  static_assert(std::is_trivially_copyable_v<F> && std::is_trivially_copyable_v<Last>);
  constexpr int block = block_size_of<F>::value;
  exec.timed(label, [&] {
    run_each_then<F, Last><<<static_cast<unsigned>((n + block - 1) / block), block, 0, backend_stream()>>>(
        functor, n, last, blocks_ended.data);
    check_launch(label);
  });
}

}  // namespace scree::inline SCREE_BACKEND

#endif
