#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "kernels/backend/portability.hpp"
#include "kernels/math/four.hpp"

#if !SCREE_ON_CUDA

/// Transposes rows of numbers (one row per item) to lanes (one array per component) and back, by whole vectors of the
/// host.
namespace scree::inline SCREE_BACKEND {

/// How many numbers one vector holds. As many rows are transposed at a time, and a row has at least as many numbers.
template <class R>
inline constexpr int vector_lanes = 64 / int(sizeof(R));

/// A number of lanes, rounded up to whole vectors.
template <class R>
SCREE_INLINE constexpr std::size_t in_whole_vectors(std::size_t lanes) {
  constexpr std::size_t n = vector_lanes<R>;
  return (lanes + n - 1) / n * n;
}

template <class R, int n = vector_lanes<R>>
struct RowVector {
  typedef R Values __attribute__((vector_size(n * sizeof(R))));
  typedef R Unaligned __attribute__((vector_size(n * sizeof(R)), aligned(sizeof(R)), may_alias));

  SCREE_INLINE static Values load(const R* from) { return *reinterpret_cast<const Unaligned*>(from); }
  SCREE_INLINE static void store(R* to, const Values& values) { *reinterpret_cast<Unaligned*>(to) = values; }
};

/// Exchanges elements of two vectors: those of `first` at places with the bit `step` set, and those of `second` at
/// places without it.
template <class R, int step, int... e>
SCREE_INLINE void exchange(typename RowVector<R, int(sizeof...(e))>::Values& first,
                           typename RowVector<R, int(sizeof...(e))>::Values& second, std::integer_sequence<int, e...>) {
  constexpr int n = int(sizeof...(e));
  const auto a = first, b = second;
  first = __builtin_shufflevector(a, b, ((e & step) != 0 ? n + e - step : e)...);
  second = __builtin_shufflevector(a, b, ((e & step) != 0 ? n + e : e + step)...);
}

/// Does this for all pairs of vectors that are `step` apart. Vectors of n elements may be fewer than n.
template <class R, int step, int n, int n_vectors = n>
SCREE_INLINE void exchange(typename RowVector<R, n>::Values (&v)[n_vectors]) {
  for (int i = 0; i < n_vectors; ++i) {
    if ((i & step) == 0) { exchange<R, step>(v[i], v[i + step], std::make_integer_sequence<int, n>()); }
  }
}

/// Element k of vector i becomes element i of vector k.
template <class R, int n = vector_lanes<R>>
SCREE_INLINE void transpose(typename RowVector<R, n>::Values (&v)[n]) {
  exchange<R, 1, n>(v);
  exchange<R, 2, n>(v);
  exchange<R, 4, n>(v);
  if constexpr (n == 16) { exchange<R, 8, n>(v); }
}

/// Element k of row i becomes element i of row k.
template <class R>
SCREE_INLINE void transpose(Four<R>& a, Four<R>& b, Four<R>& c, Four<R>& d) {
  const auto ab_low = __builtin_shufflevector(a.lane, b.lane, 0, 4, 2, 6);
  const auto ab_high = __builtin_shufflevector(a.lane, b.lane, 1, 5, 3, 7);
  const auto cd_low = __builtin_shufflevector(c.lane, d.lane, 0, 4, 2, 6);
  const auto cd_high = __builtin_shufflevector(c.lane, d.lane, 1, 5, 3, 7);
  a.lane = __builtin_shufflevector(ab_low, cd_low, 0, 1, 4, 5);
  b.lane = __builtin_shufflevector(ab_high, cd_high, 0, 1, 4, 5);
  c.lane = __builtin_shufflevector(ab_low, cd_low, 2, 3, 6, 7);
  d.lane = __builtin_shufflevector(ab_high, cd_high, 2, 3, 6, 7);
}

/// Copies rows of `width` numbers to lanes[component][first + i], for one vector of rows. `row(i)` points to row i.
template <int width, class R, std::size_t n_lanes, class Row>
SCREE_INLINE void rows_to_lanes(R (*lanes)[n_lanes], std::size_t first, Row&& row) {
  constexpr int n = vector_lanes<R>;
  static_assert(width >= n && width <= 2 * n);
  for (int block = 0; block < width; block += n) {
    const int at = block + n <= width ? block : width - n;  // the last block may repeat some components
    typename RowVector<R>::Values v[n];
    for (int i = 0; i < n; ++i) { v[i] = RowVector<R>::load(row(i) + at); }
    transpose<R>(v);
    for (int k = 0; k < n; ++k) { RowVector<R>::store(&lanes[at + k][first], v[k]); }
  }
}

/// Copies the first `count` rows of the vector back from the lanes.
template <int width, class R, std::size_t n_lanes, class Row>
SCREE_INLINE void lanes_to_rows(const R (*lanes)[n_lanes], std::size_t first, int count, Row&& row) {
  constexpr int n = vector_lanes<R>;
  for (int block = 0; block < width; block += n) {
    const int at = block + n <= width ? block : width - n;
    typename RowVector<R>::Values v[n];
    for (int k = 0; k < n; ++k) { v[k] = RowVector<R>::load(&lanes[at + k][first]); }
    transpose<R>(v);
    for (int i = 0; i < n; ++i) {
      if (i < count) { RowVector<R>::store(row(i) + at, v[i]); }
    }
  }
}

}  // namespace scree::inline SCREE_BACKEND

#endif
