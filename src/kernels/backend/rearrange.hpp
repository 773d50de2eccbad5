#pragma once

#include <tuple>
#include <type_traits>
#include <vector>

#include "kernels/backend/buffer.hpp"

namespace scree::inline SCREE_BACKEND {

/// Appends `values` and keeps the elements before them.
template <class T>
void append(Buffer<T>& buffer, const std::vector<T>& values, const char* what = "state") {
  const std::size_t before = buffer.size();
  buffer.resize(before + values.size(), what);
  if (!values.empty()) { copy_to_backend(buffer.data() + before, values.data(), values.size() * sizeof(T)); }
}

/// Copies elements into another order: to[i] = from[order[i]].
template <class T>
struct Permute {
  Span<index_t> order;
  Span<T> from;
  T* to;
  SCREE_HD void operator()(std::size_t i) const { to[i] = from[order[i]]; }
};

/// Puts an array in another order: the element that comes first was order[0]. Keeps the first `n_kept`. `spare` is work
/// space.
template <class T, class Exec>
void put_in_order(Exec& exec, const char* label, Span<index_t> order, std::size_t n_kept, Buffer<T>& values,
                  Buffer<T>& spare) {
  spare.discard_and_resize(order.size, label);
  exec.for_each(label, order.size, Permute<T>{order, values.view(), spare.data()}, order.size * (2 * sizeof(T) + 4));
  values.swap(spare);
  values.resize(n_kept);
}

/// The elements at some places, on the host. Copies nothing else.
template <class T, class Exec>
[[nodiscard]] std::vector<T> elements_at(Exec& exec, const char* label, Span<index_t> places, Buffer<T>& values) {
  Buffer<T> picked;
  picked.discard_and_resize(places.size, label);
  exec.for_each(label, places.size, Permute<T>{places, values.view(), picked.data()});
  return picked.to_vector();
}

/// Sets the elements at some places, of which none is named twice; one thread per place.
template <class T>
struct SetAt {
  Span<index_t> places;
  Span<T> values;
  T value;
  SCREE_HD void operator()(std::size_t k) const { values[places[k]] = value; }
};

/// Copies an element. A GPU does it by words of 16 or 8 bytes; arrays begin at a multiple of 16.
template <class T>
SCREE_INLINE void copy_element(T* to, const T* from) {
  struct alignas(16) Pair {
    std::uint64_t low, high;
  };
  using Word = std::conditional_t<sizeof(T) % 16 == 0, Pair, std::uint64_t>;
  if constexpr (SCREE_ON_CUDA && sizeof(T) % 8 == 0) {
    for (std::size_t k = 0; k < sizeof(T) / sizeof(Word); ++k) {
      reinterpret_cast<Word*>(to)[k] = reinterpret_cast<const Word*>(from)[k];
    }
  } else {
    *to = *from;
  }
}

/// One array of PermuteAll.
template <class T>
struct Move {
  Span<T> from, to;
};

/// Arrays of several types.
template <class... Ts>
struct Moves {
  static Moves of() { return {}; }
  SCREE_HD void run(const Span<index_t>& /*order*/, std::size_t /*begin*/, std::size_t /*end*/) const {}
};
template <class T, class... Rest>
struct Moves<T, Rest...> {
  Move<T> first;
  Moves<Rest...> rest;

  static Moves of(const Move<T>& first, const Move<Rest>&... rest) { return {first, Moves<Rest...>::of(rest...)}; }
  SCREE_HD void run(const Span<index_t>& order, std::size_t begin, std::size_t end) const {
    for (std::size_t i = begin; i < end; ++i) { copy_element(&first.to[i], &first.from[order[i]]); }
    rest.run(order, begin, end);
  }
};

/// Copies several arrays into another order: to[i] = from[order[i]]. It runs over blocks of items. The host copies a
/// block of one array after the other: so it reads from few places at a time, and the order stays in its cache. A
/// thread of a GPU copies all of one item.
template <class... Ts>
struct PermuteAll {
  static constexpr std::size_t block = SCREE_ON_CUDA ? 1 : 4096;

  Span<index_t> order;
  Moves<Ts...> moves;

  [[nodiscard]] std::size_t blocks() const { return (order.size + block - 1) / block; }
  SCREE_HD void operator()(std::size_t k) const {
    const std::size_t begin = k * block, end = begin + block;
    moves.run(order, begin, end < order.size ? end : order.size);
  }
};

/// PermuteAll from each buffer of a tuple to the buffer at the same place of another tuple.
template <class... Ts>
PermuteAll<Ts...> permute_all(Span<index_t> order, const std::tuple<Buffer<Ts>&...>& from,
                              const std::tuple<Buffer<Ts>&...>& to) {
  return std::apply(
      [&](auto&... a) {
        return std::apply(
            [&](auto&... b) {
              return PermuteAll<Ts...>{order, Moves<Ts...>::of(Move<Ts>{a.view(), b.view()}...)};
            },
            to);
      },
      from);
}

}  // namespace scree::inline SCREE_BACKEND
