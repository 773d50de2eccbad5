#pragma once

#include "kernels/backend/host_sweep.hpp"
#include "kernels/laws/energies.hpp"

#if !SCREE_ON_CUDA

/// Moves what histories have of a LedgerEntry to the stage and back, by rows of four numbers.
namespace scree::inline SCREE_BACKEND {

template <class R>
struct EntryRow {
  typedef R Unaligned __attribute__((vector_size(4 * sizeof(R)), aligned(sizeof(R)), may_alias));
  SCREE_INLINE static Four<R> load(const R* from) { return {*reinterpret_cast<const Unaligned*>(from)}; }
  SCREE_INLINE static void store(R* to, const Four<R>& row) { *reinterpret_cast<Unaligned*>(to) = row.lane; }
};

/// Moves the entries of `count` contacts to lanes[component]. entry(lane) points to the first number of an entry.
template <class R, std::size_t n_lanes, class Entry>
SCREE_INLINE void load_entry_lanes(const Entry& entry, std::size_t count, R (*lanes)[n_lanes]) {
  for (std::size_t lane = 0; lane < count; lane += 4) {
    const R* from[4];
    for (std::size_t k = 0; k < 4; ++k) { from[k] = entry(lane + k < count ? lane + k : count - 1); }
    for (int row = 0; row < LedgerEntry<R>::n_components; row += 4) {
      Four<R> v[4];
      for (int k = 0; k < 4; ++k) { v[k] = EntryRow<R>::load(from[k] + row); }
      transpose(v[0], v[1], v[2], v[3]);
      for (int k = 0; k < 4; ++k) { v[k].store(&lanes[row + k][lane]); }
    }
  }
}

/// The reverse.
template <class R, std::size_t n_lanes, class Entry>
SCREE_INLINE void store_entry_lanes(const Entry& entry, std::size_t count, const R (*lanes)[n_lanes]) {
  R nowhere[LedgerEntry<R>::n_components];
  for (std::size_t lane = 0; lane < count; lane += 4) {
    R* to[4];
    for (std::size_t k = 0; k < 4; ++k) { to[k] = lane + k < count ? entry(lane + k) : nowhere; }
    for (int row = 0; row < LedgerEntry<R>::n_components; row += 4) {
      Four<R> v[4];
      for (int k = 0; k < 4; ++k) { v[k] = Four<R>::load(&lanes[row + k][lane]); }
      transpose(v[0], v[1], v[2], v[3]);
      for (int k = 0; k < 4; ++k) { EntryRow<R>::store(to[k] + row, v[k]); }
    }
  }
}

}  // namespace scree::inline SCREE_BACKEND

#endif
