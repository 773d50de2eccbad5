#pragma once

#include "kernels/state/bodies.hpp"
#include "kernels/state/pairs.hpp"

/// The slots in which each body takes part, by ascending id of the other body. Sums over them then do not depend on how
/// pairs were found.
namespace scree::inline SCREE_BACKEND {

/// Enters each pair with both of its bodies, and notes where chunks of bodies begin. A row has pairs that others found
/// first, then those that the body found.
struct IncidentFill {
  Span<BodyPair> pairs;
  Span<index_t> id;
  Span<offset_t> row_start;
  Span<std::uint32_t> rank, incoming;  ///< as PairFill wrote them
  Span<offset_t> incident_start;
  Span<std::uint32_t> incident;
  Span<index_t> other_id;      ///< [2 n_pairs] parallel to `incident`
  Span<offset_t> chunk_start;  ///< [n_chunks + 1] first slot of each chunk of bodies
  SCREE_HD void operator()(std::size_t body) const {
    if (body % chunk_bodies == 0) { chunk_start[body / chunk_bodies] = row_start[body]; }
    if (body + 2 == row_start.size) { chunk_start[chunk_start.size - 1] = row_start[body + 1]; }
    offset_t own = incident_start[body] + incoming[body];
    for (offset_t slot = row_start[body]; slot < row_start[body + 1]; ++slot) {
      const BodyPair pair = pairs[slot];
      const bool is_first = pair.first == static_cast<index_t>(body);
      const index_t other = is_first ? pair.second : pair.first;
      const offset_t there = incident_start[other] + rank[slot];
      const auto entry = static_cast<std::uint32_t>(slot << 1);
      incident[own] = entry | (is_first ? 0u : 1u);
      other_id[own++] = id[other];
      incident[there] = entry | (is_first ? 1u : 0u);
      other_id[there] = id[body];
    }
  }
};

/// Sorts the rows of bodies [0, n) and stores the lowest slot of each body.
struct IncidentSort {
  Span<offset_t> incident_start;
  Span<std::uint32_t> incident;
  Span<index_t> other_id;
  Span<std::uint32_t> lowest_slot;

  SCREE_HD void operator()(std::size_t body) const {
    const offset_t begin = incident_start[body];
    const offset_t n = incident_start[body + 1] - begin;
    index_t* const id = other_id.data + begin;
    std::uint32_t* const entry = incident.data + begin;
    if (n > 64) {
      heap_sort(id, entry, n);
    } else if (SCREE_ON_CUDA || n > ranked) {
      insertion_sort(id, entry, n);
    } else {
      rank_sort(id, entry, n);
    }
    std::uint32_t lowest = 0xffffffffu;
    for (offset_t k = 0; k < n; ++k) { lowest = math::min(lowest, entry[k] >> 1); }
    lowest_slot[body] = lowest;
  }

 private:
  static constexpr offset_t ranked = 16;

  /// Counts for each element how many are lower: a few vector operations on the host, with no jump that depends on the
  /// data.
  static SCREE_HD void rank_sort(const index_t* id, std::uint32_t* entry, offset_t n) {
    index_t value[ranked], rank[ranked] = {};
    std::uint32_t unsorted[ranked];
    for (offset_t k = 0; k < ranked; ++k) {
      value[k] = k < n ? id[k] : ~0u;
      unsorted[k] = k < n ? entry[k] : 0u;
    }
    for (offset_t other = 0; other < n; ++other) {
      const index_t bound = value[other];
      for (offset_t k = 0; k < ranked; ++k) { rank[k] += bound < value[k] ? 1u : 0u; }
    }
    for (offset_t k = 0; k < n; ++k) { entry[rank[k]] = unsorted[k]; }
  }

  static SCREE_HD void insertion_sort(index_t* id, std::uint32_t* entry, offset_t n) {
    for (offset_t k = 1; k < n; ++k) {
      const index_t moved_id = id[k];
      const std::uint32_t moved = entry[k];
      offset_t hole = k;
      for (; hole > 0 && moved_id < id[hole - 1]; --hole) {
        id[hole] = id[hole - 1];
        entry[hole] = entry[hole - 1];
      }
      id[hole] = moved_id;
      entry[hole] = moved;
    }
  }

  static SCREE_HD void heap_sort(index_t* id, std::uint32_t* entry, offset_t n) {
    for (offset_t root = n / 2; root-- > 0;) { sift_down(id, entry, root, n, id[root], entry[root]); }
    for (offset_t end = n - 1; end > 0; --end) {
      const index_t last_id = id[end];
      const std::uint32_t last = entry[end];
      id[end] = id[0];
      entry[end] = entry[0];
      sift_down(id, entry, 0, end, last_id, last);
    }
  }

  static SCREE_HD void sift_down(index_t* id, std::uint32_t* entry, offset_t hole, offset_t n, index_t moved_id,
                                 std::uint32_t moved) {
    for (;;) {
      offset_t child = 2 * hole + 1;
      if (child >= n) { break; }
      if (child + 1 < n && id[child] < id[child + 1]) { ++child; }
      if (!(moved_id < id[child])) { break; }
      id[hole] = id[child];
      entry[hole] = entry[child];
      hole = child;
    }
    id[hole] = moved_id;
    entry[hole] = moved;
  }
};

/// Sort keys for many long rows, which are contiguous in memory, so that one sort handles all.
struct IncidentKey {
  Span<BodyPair> pairs;
  Span<std::uint32_t> incident;
  Span<index_t> other_id;
  offset_t begin;  ///< start of the first row
  Span<std::uint64_t> key;
  Span<index_t> value;
  SCREE_HD void operator()(std::size_t k) const {
    const std::uint32_t entry = incident[begin + k];
    const BodyPair pair = pairs[entry >> 1];
    const index_t body = (entry & 1u) != 0 ? pair.second : pair.first;
    key[k] = (std::uint64_t(body) << 32) | other_id[begin + k];
    value[k] = entry;
  }
};

struct LowestSlot {
  Span<offset_t> incident_start;
  Span<std::uint32_t> incident, lowest_slot;
  std::size_t first;
  SCREE_HD void operator()(std::size_t k) const {
    const std::size_t body = first + k;
    std::uint32_t lowest = 0xffffffffu;
    for (offset_t e = incident_start[body]; e < incident_start[body + 1]; ++e) {
      lowest = math::min(lowest, incident[e] >> 1);
    }
    lowest_slot[body] = lowest;
  }
};

}  // namespace scree::inline SCREE_BACKEND
