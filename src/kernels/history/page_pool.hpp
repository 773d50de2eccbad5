#pragma once

#include "kernels/backend/buffer.hpp"
#include "kernels/state/pool_counters.hpp"

/// Lists of any length for all contacts of a run, in one pool of pages. Pages hold rows, for example segments of a load
/// history. The pages of a list are linked from top to bottom; the owner of the list keeps the number of its uppermost
/// page. No result depends on where pages lie.
///
/// Free pages stand in a ring. A step takes pages at its head and gives pages back at its tail, both by integer
/// atomics. It never takes a page that was given back in the same step, because before each batch of steps the driver
/// makes sure that there are enough.
namespace scree::inline SCREE_BACKEND {

inline constexpr std::uint32_t rows_per_page = 8;

template <class Row>
struct alignas(64) Page {
  Row row[rows_per_page];
};

/// View of the pool, for kernels. It is empty in runs without lists.
template <class Row>
struct PagePool {
  /// Pages are found through a table of chunks, so that the pool can grow without moving them.
  static constexpr std::uint32_t chunk_bits = 10;

  Span<Page<Row>*> chunk;
  Span<std::uint32_t> below;  ///< [pages] next lower page of the same list; undefined for the lowest page
  /// [pages + 1] free pages. A step does not give back pages that it has taken, so it overwrites no entry that may
  /// still be read.
  Span<std::uint32_t> ring;
  PoolCounters* counters = nullptr;
  /// [n_pairs] on a GPU: slots of contacts that need more than their record in this step
  Span<std::uint32_t> waiting;

  SCREE_INLINE bool any() const { return counters != nullptr; }
  SCREE_INLINE Page<Row>& page(std::uint32_t i) const { return chunk[i >> chunk_bits][i & ((1u << chunk_bits) - 1)]; }
  SCREE_INLINE std::uint32_t take() const { return ring[atomic_add(&counters->taken, std::uint64_t(1)) % ring.size]; }
  SCREE_INLINE void give(std::uint32_t i) const {
    ring[atomic_add(&counters->given, std::uint64_t(1)) % ring.size] = i;
  }
  /// Gives back all pages of a list that has `rows` rows in pages.
  SCREE_HD void give_list(std::uint32_t uppermost, std::uint32_t rows) const {
    while (rows > 0) {
      const std::uint32_t next = below[uppermost];
      give(uppermost);
      uppermost = next;
      rows = (rows - 1) / rows_per_page * rows_per_page;
    }
  }

  SCREE_INLINE void defer(std::size_t slot) const {
    waiting[atomic_add(&counters->waiting, std::uint64_t(1))] = static_cast<std::uint32_t>(slot);
  }
};

}  // namespace scree::inline SCREE_BACKEND
