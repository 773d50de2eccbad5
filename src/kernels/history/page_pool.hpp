#pragma once

#include "kernels/backend/buffer.hpp"

/// Lists of rows of any length, for all contacts of a run, in one pool of pages. A row is what a list is made of: a
/// segment of a load history, say. The pages of a list are linked from top to bottom; who has the list keeps the number
/// of its uppermost page. Addresses decide no result.
///
/// Free pages stand in a ring. A step takes pages at its head and gives others back at its tail, both by integer
/// atomics. It takes none that were given back in the same step: the driver sees before each batch of steps that there
/// are enough.
namespace scree::inline SCREE_BACKEND {

inline constexpr std::uint32_t rows_per_page = 8;

template <class Row>
struct alignas(64) Page {
  Row row[rows_per_page];
};

struct PoolCounters {
  alignas(64) std::uint64_t taken = 0;    ///< pages, ever; place in the ring of the next free one
  alignas(64) std::uint64_t given = 0;    ///< pages, ever, those of the start among them
  alignas(64) std::uint64_t waiting = 0;  ///< contacts deferred in this step
};

/// View of the pool in kernels; empty in runs without such lists.
template <class Row>
struct PagePool {
  /// Pages are reached through a table of chunks, so that the pool grows in place.
  static constexpr std::uint32_t chunk_bits = 10;

  Span<Page<Row>*> chunk;
  Span<std::uint32_t> below;  ///< [pages] the page below in the same list, unless it is the lowest
  /// [pages + 1] a page that is taken in a step is not given back in the same: nothing is written over that may be read
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
