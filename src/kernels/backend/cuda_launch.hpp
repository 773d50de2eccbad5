#pragma once

#include <cstddef>

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

template <class F>
__global__ void __launch_bounds__(block_size_of<F>::value) run_selected(const F functor, const std::size_t n) {
  const std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= n) { return; }
  const auto& each = bound(functor);
  const auto geometry = each.look(i);
  if (geometry.chosen) {
    if constexpr (keeps_rows<Bound<F>>) {
      const auto input = each.load(i, geometry);
      auto output = each.evaluate(input);
      if (each.finish(i, output, input)) {
        each.store(i, output);
      } else {
        each.defer(i);
      }
    } else {
      each.store(i, each.evaluate(each.load(i, geometry)));
    }
  } else if (each.must_reject(i)) {
    each.reject(i);
  }
}

}  // namespace scree::inline SCREE_BACKEND

#endif
