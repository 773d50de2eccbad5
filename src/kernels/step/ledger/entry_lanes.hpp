#pragma once

#include "kernels/backend/host_sweep.hpp"
#include "kernels/laws/energies.hpp"

#if !SCREE_ON_CUDA

/// Moves the part of a LedgerEntry that is in a history to the stage and back, by rows of eight numbers.
namespace scree::inline SCREE_BACKEND {

template <class R>
using EntryRow = RowVector<R, 8>;
static_assert(LedgerEntry<float>::n_components == 8 && LedgerEntry<double>::n_components == 8);

/// Moves the entries of `count` contacts to lanes[component]. entry(lane) points to the first number of an entry.
template <class R, std::size_t n_lanes, class Entry>
SCREE_INLINE void load_entry_lanes(const Entry& entry, std::size_t count, R (*lanes)[n_lanes]) {
  for (std::size_t lane = 0; lane < count; lane += 8) {
    typename EntryRow<R>::Values v[8];
    for (std::size_t k = 0; k < 8; ++k) { v[k] = EntryRow<R>::load(entry(lane + k < count ? lane + k : count - 1)); }
    transpose<R, 8>(v);
    for (int k = 0; k < 8; ++k) { EntryRow<R>::store(&lanes[k][lane], v[k]); }
  }
}

/// The reverse.
template <class R, std::size_t n_lanes, class Entry>
SCREE_INLINE void store_entry_lanes(const Entry& entry, std::size_t count, const R (*lanes)[n_lanes]) {
  R nowhere[8];
  for (std::size_t lane = 0; lane < count; lane += 8) {
    typename EntryRow<R>::Values v[8];
    for (int k = 0; k < 8; ++k) { v[k] = EntryRow<R>::load(&lanes[k][lane]); }
    transpose<R, 8>(v);
    for (std::size_t k = 0; k < 8; ++k) { EntryRow<R>::store(lane + k < count ? entry(lane + k) : nowhere, v[k]); }
  }
}

}  // namespace scree::inline SCREE_BACKEND

#endif
