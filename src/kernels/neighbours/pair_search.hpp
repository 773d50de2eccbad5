#pragma once

#include "kernels/neighbours/column_grid.hpp"
#include "kernels/state/bodies.hpp"
#include "kernels/state/pairs.hpp"

namespace scree::inline SCREE_BACKEND {

/// First place in [begin, end) whose key is not below `key`.
SCREE_INLINE index_t lower_bound(const Span<std::uint64_t>& keys, index_t begin, index_t end, std::uint64_t key) {
  while (begin < end) {
    const index_t middle = begin + (end - begin) / 2;
    if (keys[middle] < key) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  return begin;
}

/// Share of each body in the Verlet distance: at least `least`, and for a faster body what it needs to last for
/// `interval` at its present speed, up to `most`. Only the work depends on it, no result.
template <class R>
struct SkinChoice {
  Span<Vec3<R>> velocity;
  Span<R> skin;
  R least, most;  ///< [m]
  R interval;     ///< [s]
  SCREE_HD void operator()(std::size_t i) const {
    skin[i] = math::min(math::max(least, interval * norm(velocity[i])), most);
  }
};

/// Sort key of each body: level and column above, lower end on the sweep axis below. Parked bodies come last.
template <class R>
struct SweepKey {
  ColumnGrid grid;
  Span<Vec3d> position;
  Span<R> radius, skin;
  Span<std::uint64_t> key;
  Span<index_t> order;

  SCREE_HD void operator()(std::size_t i) const {
    order[i] = static_cast<index_t>(i);
    const Vec3d x = position[i];
    if (is_parked(x)) {
      key[i] = ~std::uint64_t(0);
      return;
    }
    const double enlarged = double(radius[i]) + double(skin[i]);
    const std::uint64_t column = grid.column_of(grid.level_of(enlarged), x);
    key[i] = (column << 32) | (grid.sweep_place(x.x) - grid.sweep_extent(enlarged));
  }
};

/// Where each column starts among the sorted bodies; one thread per column, [n_columns + 1].
struct ColumnStart {
  Span<std::uint64_t> key;
  index_t n_bodies;
  Span<index_t> start;
  SCREE_HD void operator()(std::size_t column) const {
    start[column] = lower_bound(key, 0, n_bodies, std::uint64_t(column) << 32);
  }
};

/// Sweep of one body over its own column, the later columns of its level and those of the coarser levels: each pair
/// whose gap is at most the Verlet distance is met exactly once, by the body that stands first in memory. Bodies stand
/// in sorted order.
template <class R>
struct PairSweep {
  ColumnGrid grid;
  Span<Vec3d> position;
  Span<R> radius, skin;
  Span<std::uint64_t> key;
  Span<index_t> column_start;

  template <class Meet>
  SCREE_INLINE void visit(index_t k, Meet&& meet) const {
    const Vec3d x = position[k];
    const double enlarged = double(radius[k]) + double(skin[k]);
    const std::uint64_t own_key = key[k];
    const auto own_column = static_cast<std::uint32_t>(own_key >> 32);
    const auto low = static_cast<std::uint32_t>(own_key);
    const std::uint32_t high = low + 2u * grid.sweep_extent(enlarged);
    const int own_level = grid.level_of(enlarged);

    for (int level = own_level; level < grid.n_levels; ++level) {
      const ColumnRange near = grid.columns_near(level, x, enlarged + grid.levels[level].largest);
      for (std::uint32_t z = near.z0; z <= near.z1; ++z) {
        for (std::uint32_t y = near.y0; y <= near.y1; ++y) {
          const std::uint32_t column = ColumnGrid::column(grid.levels[level], y, z);
          if (column < own_column) { continue; }  // its bodies meet this one
          const index_t begin = column_start[column];
          const index_t end = column_start[column + 1];
          if (begin == end) { continue; }
          const std::uint64_t top = std::uint64_t(column) << 32;
          index_t j = k + 1;
          if (column != own_column) { j = lower_bound(key, begin, end, top | (low - 2u * grid.levels[level].largest_extent)); }
          for (; j < end && key[j] <= (top | high); ++j) {
            const Vec3d branch = position[j] - x;
            const double reach = enlarged + (double(radius[j]) + double(skin[j]));
            if (dot(branch, branch) <= reach * reach) { meet(j); }
          }
        }
      }
    }
  }
};

template <class R>
struct PairCount {
  PairSweep<R> sweep;
  Span<offset_t> count;
  SCREE_HD void operator()(std::size_t k) const {
    offset_t n = 0;
    sweep.visit(static_cast<index_t>(k), [&](index_t) { ++n; });
    count[k] = n;
  }
};

/// Writes the pairs found by each body to its part of the list, the lower id first, and counts the slots of each body.
template <class R>
struct PairFill {
  PairSweep<R> sweep;
  Span<index_t> id;
  Span<offset_t> start;
  Span<BodyPair> pairs;
  Span<offset_t> incident_count;
  SCREE_HD void operator()(std::size_t k) const {
    const auto body = static_cast<index_t>(k);
    offset_t slot = start[k];
    sweep.visit(body, [&](index_t j) {
      pairs[slot++] = id[body] < id[j] ? BodyPair{body, j} : BodyPair{j, body};
      atomic_add(&incident_count[j], offset_t(1));
    });
    atomic_add(&incident_count[k], slot - start[k]);
  }
};

/// Enters each pair with both its bodies. The order within a body is whatever the atomics gave; SortIncident mends it.
struct IncidentFill {
  Span<BodyPair> pairs;
  Span<offset_t> incident_start;
  Span<std::uint32_t> used;  ///< [n_bodies] zero before
  Span<std::uint32_t> incident;
  SCREE_HD void operator()(std::size_t slot) const {
    const BodyPair pair = pairs[slot];
    const auto entry = static_cast<std::uint32_t>(slot << 1);
    incident[incident_start[pair.first] + atomic_add(&used[pair.first], 1u)] = entry;
    incident[incident_start[pair.second] + atomic_add(&used[pair.second], 1u)] = entry | 1u;
  }
};

/// First slot of each chunk of bodies, [n_chunks + 1].
struct ChunkStart {
  Span<offset_t> row_start;
  std::size_t n_bodies;
  Span<offset_t> start;
  SCREE_HD void operator()(std::size_t chunk) const {
    const std::size_t body = chunk * chunk_bodies;
    start[chunk] = row_start[body < n_bodies ? body : n_bodies];
  }
};

/// Brings the slots of each body into ascending order of the other body's id: sums then do not depend on how pairs
/// were found. Rows are short.
struct IncidentSort {
  Span<BodyPair> pairs;
  Span<index_t> id;
  Span<offset_t> incident_start;
  Span<std::uint32_t> incident;
  Span<std::uint32_t> lowest_slot;

  SCREE_HD index_t other_id(std::uint32_t entry) const {
    const BodyPair pair = pairs[entry >> 1];
    return id[(entry & 1u) != 0 ? pair.first : pair.second];
  }
  SCREE_HD void operator()(std::size_t body) const {
    const offset_t begin = incident_start[body];
    const offset_t end = incident_start[body + 1];
    for (offset_t k = begin + 1; k < end; ++k) {
      const std::uint32_t entry = incident[k];
      const index_t other = other_id(entry);
      offset_t hole = k;
      for (; hole > begin && other < other_id(incident[hole - 1]); --hole) { incident[hole] = incident[hole - 1]; }
      incident[hole] = entry;
    }
    std::uint32_t lowest = 0xffffffffu;
    for (offset_t k = begin; k < end; ++k) { lowest = math::min(lowest, incident[k] >> 1); }
    lowest_slot[body] = lowest;
  }
};

/// History of one touching pair on its way from the old list to the new one; filed under the body with the lower id.
template <class R>
struct CarriedShear {
  index_t other_id;
  Vec3<R> shear;
};

/// Counts the touching pairs of which a body is the first.
struct CarriedCount {
  Span<std::uint8_t> touching;
  Span<offset_t> incident_start;
  Span<std::uint32_t> incident;
  Span<offset_t> count;
  SCREE_HD void operator()(std::size_t body) const {
    offset_t n = 0;
    for (offset_t k = incident_start[body]; k < incident_start[body + 1]; ++k) {
      n += (incident[k] & 1u) == 0 && touching[incident[k] >> 1] != 0;
    }
    count[body] = n;
  }
};

template <class R>
struct CarriedFill {
  Span<BodyPair> pairs;
  Span<index_t> id;
  Span<std::uint8_t> touching;
  Span<Vec3<R>> shear;
  Span<offset_t> incident_start;
  Span<std::uint32_t> incident;
  Span<offset_t> start;
  Span<CarriedShear<R>> carried;
  SCREE_HD void operator()(std::size_t body) const {
    offset_t to = start[body];
    for (offset_t k = incident_start[body]; k < incident_start[body + 1]; ++k) {
      const std::uint32_t slot = incident[k] >> 1;
      if ((incident[k] & 1u) == 0 && touching[slot] != 0) { carried[to++] = {id[pairs[slot].second], shear[slot]}; }
    }
  }
};

/// Gives each new pair the history it had; one thread per new pair.
template <class R>
struct CarriedReturn {
  Span<BodyPair> pairs;
  Span<index_t> id;
  Span<index_t> order;  ///< old place of each body
  Span<offset_t> start;
  Span<CarriedShear<R>> carried;
  Span<Vec3<R>> shear;
  Span<std::uint8_t> touching;
  SCREE_HD void operator()(std::size_t slot) const {
    const BodyPair pair = pairs[slot];
    const index_t wanted = id[pair.second];
    const index_t old = order[pair.first];
    shear[slot] = {};
    touching[slot] = 0;
    for (offset_t k = start[old]; k < start[old + 1]; ++k) {
      if (carried[k].other_id == wanted) {
        shear[slot] = carried[k].shear;
        touching[slot] = 1;
      }
    }
  }
};

}  // namespace scree::inline SCREE_BACKEND
