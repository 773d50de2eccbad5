#pragma once

#include <cstddef>

#include "kernels/backend/keeps_rows.hpp"

#if SCREE_ON_CUDA

/// The kernels of CUDA. Every launch of Exec is one of them, with the functor as its parameter.
namespace scree::inline SCREE_BACKEND {

template <class F>
struct block_size_of {
  static constexpr int value = 128;
};
template <class F>
requires(F::block_size > 0) struct block_size_of<F> {
  static constexpr int value = F::block_size;
};

template <class F>
__global__ void __launch_bounds__(block_size_of<F>::value) run_each(const F functor, const std::size_t n) {
  const std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) { functor(i); }
}

template <class F>
__global__ void __launch_bounds__(block_size_of<F>::value) run_stretch(const F functor, const std::size_t n) {
  const std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) { functor(i, i + 1); }
}

template <class F>
__global__ void __launch_bounds__(block_size_of<F>::value) run_selected(const F functor, const std::size_t n) {
  const std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= n) { return; }
  const auto geometry = functor.look(i);
  if (geometry.chosen) {
    if constexpr (keeps_rows<F>) {
      const auto input = functor.load(i, geometry);
      auto output = functor.evaluate(input);
      if (functor.finish(i, output, input)) {
        functor.store(i, output);
      } else {
        functor.defer(i);
      }
    } else {
      functor.store(i, functor.evaluate(functor.load(i, geometry)));
    }
  } else if (functor.must_reject(i)) {
    functor.reject(i);
  }
}

}  // namespace scree::inline SCREE_BACKEND

#endif
