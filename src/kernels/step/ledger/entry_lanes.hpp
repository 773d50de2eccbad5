#pragma once

#include "kernels/backend/host_sweep.hpp"
#include "kernels/laws/energies.hpp"

#if !SCREE_ON_CUDA

/// Moves the part of a LedgerEntry that is in a history to the stage and back, by rows of eight numbers.
namespace scree::inline SCREE_BACKEND {

template <class R>
using EntryRow = RowVector<R, 8>;
static_assert(LedgerEntry<float>::n_components == 8 && LedgerEntry<double>::n_components == 8);

/// Eight components of as many entries as one vector register holds numbers: in AVX-512 and single precision 16, with
/// two rows side by side in a vector while they are loaded and stored, otherwise eight.
template <class R>
struct EntryBlock {
#if defined(__AVX512F__)
  static constexpr int n = 64 / int(sizeof(R));
#else
  static constexpr int n = 8;
#endif
  using Vector = RowVector<R, n>;
  typename Vector::Values v[8];

  /// Exchanges rows and components.
  SCREE_INLINE void turn() {
    exchange<R, 1, n>(v);
    exchange<R, 2, n>(v);
    exchange<R, 4, n>(v);
  }
  SCREE_INLINE void take_row(std::size_t i, const R* from, [[maybe_unused]] const R* second) {
    if constexpr (n == 16) {
      const auto a = EntryRow<R>::load(from), b = EntryRow<R>::load(second);
      v[i] = __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    } else {
      v[i] = EntryRow<R>::load(from);
    }
  }
  SCREE_INLINE void give_row(std::size_t i, R* to, [[maybe_unused]] R* second) const {
    if constexpr (n == 16) {
      EntryRow<R>::store(to, __builtin_shufflevector(v[i], v[i], 0, 1, 2, 3, 4, 5, 6, 7));
      EntryRow<R>::store(second, __builtin_shufflevector(v[i], v[i], 8, 9, 10, 11, 12, 13, 14, 15));
    } else {
      EntryRow<R>::store(to, v[i]);
    }
  }
};

/// Moves the entries of `count` contacts to lanes[component]. entry(lane) points to the first number of an entry.
template <class R, std::size_t n_lanes, class Entry>
SCREE_INLINE void load_entry_lanes(const Entry& entry, std::size_t count, R (*lanes)[n_lanes]) {
  const auto row = [&](std::size_t lane) { return entry(lane < count ? lane : count - 1); };
  for (std::size_t lane = 0; lane < count; lane += EntryBlock<R>::n) {
    EntryBlock<R> block;
    for (std::size_t k = 0; k < 8; ++k) { block.take_row(k, row(lane + k), row(lane + k + 8)); }
    block.turn();
    for (int k = 0; k < 8; ++k) { EntryBlock<R>::Vector::store(&lanes[k][lane], block.v[k]); }
  }
}

/// The reverse.
template <class R, std::size_t n_lanes, class Entry>
SCREE_INLINE void store_entry_lanes(const Entry& entry, std::size_t count, const R (*lanes)[n_lanes]) {
  R nowhere[8];
  const auto row = [&](std::size_t lane) { return lane < count ? entry(lane) : nowhere; };
  for (std::size_t lane = 0; lane < count; lane += EntryBlock<R>::n) {
    EntryBlock<R> block;
    for (int k = 0; k < 8; ++k) { block.v[k] = EntryBlock<R>::Vector::load(&lanes[k][lane]); }
    block.turn();
    for (std::size_t k = 0; k < 8; ++k) { block.give_row(k, row(lane + k), row(lane + k + 8)); }
  }
}

}  // namespace scree::inline SCREE_BACKEND

#endif
