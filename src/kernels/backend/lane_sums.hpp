#pragma once

#include <vector>

#include "kernels/backend/block_sums.hpp"
#include "kernels/backend/exec.hpp"
#include "kernels/backend/lanes.hpp"
#include "kernels/math/exact_sum.hpp"
#include "kernels/math/functions.hpp"

/// Sums over many items that depend on no order: integers, exact sums, and maxima. Items are shared among lanes; the
/// backend merges the lanes, so only the result is copied to the host.
namespace scree::inline SCREE_BACKEND {

/// Number of lanes for `n` items. There are at most `most_on_gpu` on a GPU; each has a thread of its own on
/// the host, where few items are not worth a team of threads.
[[nodiscard]] inline std::size_t lanes_for(const Exec& exec, std::size_t n, std::size_t most_on_gpu) {
  const std::size_t most = SCREE_ON_CUDA ? most_on_gpu : std::size_t(exec.threads());
  const std::size_t worth = SCREE_ON_CUDA ? n / 4 : n / 8192;
  return worth < 1 ? 1 : worth < most ? worth : most;
}

/// Merges groups of lanes into the first lane of each group; one thread per word of a group. The lanes at multiples
/// of `stride` hold the sums so far. Of the words of a lane, the first `n_largest` are doubles that are not negative of
/// which the largest counts; the others are integers, which are added.
struct MergeLanes {
  static constexpr std::size_t group = 32;
  Span<std::int64_t> words;  ///< [lanes * n_words]
  std::size_t lanes, n_words, n_largest, stride;

  SCREE_HD void operator()(std::size_t item) const {
    const std::size_t word = item % n_words, first = item / n_words * (group * stride);
    const std::size_t end = first + group * stride < lanes ? first + group * stride : lanes;
    if (word < n_largest) {
      const double* const all = reinterpret_cast<const double*>(words.data);
      double largest = all[first * n_words + word];
      for (std::size_t lane = first + stride; lane < end; lane += stride) {
        largest = math::max(largest, all[lane * n_words + word]);
      }
      reinterpret_cast<double*>(words.data)[first * n_words + word] = largest;
      return;
    }
    std::int64_t sum = words[first * n_words + word];
    for (std::size_t lane = first + stride; lane < end; lane += stride) { sum += words[lane * n_words + word]; }
    words[first * n_words + word] = sum;
  }
};

/// Merges all lanes into the first one.
inline void merge_lanes(Exec& exec, const char* label, Span<std::int64_t> words, std::size_t lanes, std::size_t n_words,
                        std::size_t n_largest) {
  for (std::size_t stride = 1; stride < lanes; stride *= MergeLanes::group) {
    const std::size_t groups = (lanes + stride * MergeLanes::group - 1) / (stride * MergeLanes::group);
    exec.for_each(label, groups * n_words, MergeLanes{words, lanes, n_words, n_largest, stride});
  }
}

template <class Item, class Lane>
struct AddItems {
  Item item;
  std::size_t n;
  Span<Lane> lanes;
  SCREE_HD void operator()(std::size_t lane) const {
    Lane sum = lanes[lane];
    visit_items_of(lane, lanes.size, n, [&](std::size_t i) { item(i, sum); });
    lanes[lane] = sum;
  }
};

/// Sums of a fixed form. `Lane` is a struct of words of 64 bits: first `Lane::n_largest` doubles that are not negative,
/// of which the largest counts, then integers, which are added. On a GPU there is one lane (block_sums.hpp).
template <class Lane>
struct SumLanes {
  static_assert(sizeof(Lane) % sizeof(std::int64_t) == 0);
  static constexpr std::size_t n_words = sizeof(Lane) / sizeof(std::int64_t);
  Buffer<Lane> lanes;

  /// Begins new sums, of about `n` items.
  void clear(const Exec& exec, std::size_t n) {
    lanes.discard_and_resize(SCREE_ON_CUDA ? 1 : lanes_for(exec, n, 1), "sums");
    lanes.zero();
  }
  /// Adds items: item(i, lane) adds item i to a lane. `item` is a functor for kernels.
  template <class Item>
  void add(Exec& exec, const char* label, std::size_t n, const Item& item) {
#if SCREE_ON_CUDA
    sum_in_blocks(exec, label, n, item, lanes.data());
#else
    exec.for_lanes(label, lanes.size(), lanes.size() > 1 ? n : 1, AddItems<Item, Lane>{item, n, lanes.view()});
#endif
  }
  /// The sum of all items so far, on the backend. Ends the sums.
  [[nodiscard]] const Lane* merged(Exec& exec, const char* label) {
    merge_lanes(exec, label, {reinterpret_cast<std::int64_t*>(lanes.data()), lanes.size() * n_words}, lanes.size(),
                n_words, Lane::n_largest);
    return lanes.data();
  }
  /// The same on the host.
  [[nodiscard]] Lane total(Exec& exec, const char* label) {
    static_cast<void>(merged(exec, label));
    return lanes.element(0);
  }
};

/// The sum of all items: item(i, lane) adds item i.
template <class Lane, class Item>
[[nodiscard]] Lane sum_of_items(Exec& exec, const char* label, std::size_t n, const Item& item) {
  if (n == 0) { return Lane{}; }
  SumLanes<Lane> sums;
  sums.clear(exec, n);
  sums.add(exec, label, n, item);
  return sums.total(exec, label);
}

template <class Item>
struct AddExactly {
  Item item;
  std::size_t n, n_sums, lanes;
  Span<ExactSum> sums;  ///< [lanes * n_sums]
  SCREE_HD void operator()(std::size_t lane) const {
    ExactSum* const own = sums.data + lane * n_sums;
    for (std::size_t k = 0; k < n_sums; ++k) { own[k] = ExactSum{}; }
    visit_items_of(lane, lanes, n, [&](std::size_t i) { item(i, own); });
  }
};

/// Makes an item that has visit(i, add) callable as item(i, sums); add(k, value) adds to the sum k.
template <class Item>
struct VisitSums {
  Item item;
  SCREE_HD void operator()(std::size_t i, ExactSum* sums) const {
    item.visit(i, [&](std::size_t k, double value) { sums[k].add(value); });
  }
};

/// Rounds each exact sum to a double; one thread per sum.
struct RoundSums {
  Span<ExactSum> sums;
  Span<double> value;
  SCREE_HD void operator()(std::size_t k) const { value[k] = sums[k].value(); }
};

/// Makes room for `n_sums` sums in each lane, for n > 0 items.
inline void size_lanes(const Exec& exec, Buffer<ExactSum>& lanes, std::size_t n, std::size_t n_sums) {
  lanes.discard_and_resize(lanes_for(exec, n, n_sums < 16384 ? 16384 / n_sums : 1) * n_sums, "sums");
}

/// [n_sums] The sums over n items, in the first of the lanes that size_lanes() made: item(i, sums) adds item i to any
/// of the sums.
template <class Item>
Span<ExactSum> add_exactly(Exec& exec, const char* label, std::size_t n, std::size_t n_sums, const Item& item,
                           Buffer<ExactSum>& lanes) {
  constexpr std::size_t words = sizeof(ExactSum) / sizeof(std::int64_t);
  const std::size_t used = lanes.size() / n_sums;
  exec.for_lanes(label, used, used > 1 ? n : 1, AddExactly<Item>{item, n, n_sums, used, lanes.view()});
  merge_lanes(exec, label, {reinterpret_cast<std::int64_t*>(lanes.data()), lanes.size() * words}, used, n_sums * words,
              0);
  return {lanes.data(), n_sums};
}

/// Any number of sums without rounding.
struct ExactSums {
  Buffer<ExactSum> lanes;
  Buffer<double> rounded;

  /// [n_sums] The sums over n items, as add_exactly() gives them. Empty if there are no items. Valid until the next
  /// call.
  template <class Item>
  [[nodiscard]] Span<ExactSum> exactly(Exec& exec, const char* label, std::size_t n, std::size_t n_sums,
                                       const Item& item) {
    if (n == 0 || n_sums == 0) { return {}; }
    size_lanes(exec, lanes, n, n_sums);
    return add_exactly(exec, label, n, n_sums, item, lanes);
  }

  /// [n_sums] The same, each rounded once.
  template <class Item>
  [[nodiscard]] std::vector<double> of(Exec& exec, const char* label, std::size_t n, std::size_t n_sums,
                                       const Item& item) {
    const Span<ExactSum> sums = exactly(exec, label, n, n_sums, item);
    if (sums.size == 0) { return std::vector<double>(n_sums); }
    rounded.discard_and_resize(n_sums, "sums");
    exec.for_each(label, n_sums, RoundSums{sums, rounded.view()});
    return rounded.to_vector();
  }
  [[nodiscard]] std::uint64_t bytes() const { return lanes.bytes() + rounded.bytes(); }
};

}  // namespace scree::inline SCREE_BACKEND
