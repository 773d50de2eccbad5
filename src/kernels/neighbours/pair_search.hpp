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

/// Where the sweep of a column begins. Bodies that follow one another in a column ask for places near each other in the
/// neighbouring columns, so a thread that works through a stretch of bodies starts from its last answer. On a GPU each
/// thread has one body, and searches.
class SweepCursors {
 public:
  SCREE_INLINE index_t find(const Span<std::uint64_t>& keys, std::uint32_t column, index_t begin, index_t end, std::uint32_t low) {
    const std::uint64_t wanted = (std::uint64_t(column) << 32) | low;
#if SCREE_ON_CUDA
    return lower_bound(keys, begin, end, wanted);
#else
    Cursor& cursor = cursors_[column % n_cursors];
    if (cursor.column != column) {
      cursor = {column, lower_bound(keys, begin, end, wanted)};
      return cursor.place;
    }
    while (cursor.place < end && keys[cursor.place] < wanted) { ++cursor.place; }
    while (cursor.place > begin && keys[cursor.place - 1] >= wanted) { --cursor.place; }
    return cursor.place;
#endif
  }

 private:
#if !SCREE_ON_CUDA
  struct Cursor {
    std::uint32_t column = ~0u;
    index_t place = 0;
  };
  static constexpr std::uint32_t n_cursors = 128;
  Cursor cursors_[n_cursors];
#endif
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

  /// Calls meet(j, is_near) for each body j whose distance is tested. Returns their number.
  template <class Meet>
  SCREE_INLINE std::uint32_t visit(index_t k, SweepCursors& cursors, Meet&& meet) const {
    const Vec3d x = position[k];
    const double enlarged = double(radius[k]) + double(skin[k]);
    const std::uint64_t own_key = key[k];
    const auto own_column = static_cast<std::uint32_t>(own_key >> 32);
    const std::uint32_t extent = grid.sweep_extent(enlarged);
    const std::uint32_t place = static_cast<std::uint32_t>(own_key) + extent;
    const int own_level = grid.level_of(enlarged);
    const double offset_y = x.y - grid.origin.y, offset_z = x.z - grid.origin.z;
    std::uint32_t tests = 0;

    for (int level = own_level; level < grid.n_levels; ++level) {
      const ColumnLevel& l = grid.levels[level];
      const double farthest = enlarged + l.largest;
      const ColumnRange near = grid.columns_near(level, x, farthest);
      const std::uint32_t cell_y = ColumnGrid::cell(offset_y, l.inverse_width, l.ny);
      const std::uint32_t cell_z = ColumnGrid::cell(offset_z, l.inverse_width, l.nz);
      const std::uint32_t first_y = ColumnGrid::deposit_y(l, near.y0);
      std::uint32_t at_z = ColumnGrid::deposit_z(l, near.z0);
      for (std::uint32_t z = near.z0; z <= near.z1; ++z, at_z = next_deposited(at_z, l.mask_z)) {
        const double square_left = farthest * farthest - ColumnGrid::square_gap(l, offset_z, cell_z, z);
        std::uint32_t at_y = first_y;
        for (std::uint32_t y = near.y0; y <= near.y1; ++y, at_y = next_deposited(at_y, l.mask_y)) {
          const std::uint32_t column = l.first_column + (at_y | at_z);
          if (column < own_column) { continue; }  // its bodies meet this one
          index_t j = k + 1;
          std::uint32_t high = place + extent;
          const index_t end = column_start[column + 1];
          if (column != own_column) {
            const index_t begin = column_start[column];
            // Across the sweep axis the column is that far away already: what is left is a chord along it.
            const double square_chord = square_left - ColumnGrid::square_gap(l, offset_y, cell_y, y);
            if (begin == end || !(square_chord >= 0)) { continue; }
            const std::uint32_t chord = grid.sweep_extent(math::sqrt(square_chord));
            j = cursors.find(key, column, begin, end, place - chord - l.largest_extent);
            high = math::min(high, place + chord - l.smallest_extent);
          }
          const std::uint64_t last = (std::uint64_t(column) << 32) | high;
          for (; j < end && key[j] <= last; ++j) {
            const Vec3d branch = position[j] - x;
            const double reach = enlarged + (double(radius[j]) + double(skin[j]));
            ++tests;
            meet(j, dot(branch, branch) <= reach * reach);
          }
        }
      }
    }
    return tests;
  }
};

/// Pairs that a body can keep from counting to listing; the few bodies with more are swept twice.
inline constexpr offset_t found_per_body = 12;

/// Counts the pairs that each body of a stretch finds, and keeps the first of them.
template <class R>
struct PairCount {
  PairSweep<R> sweep;
  Span<offset_t> count;
  Span<index_t> found;  ///< [n_bodies * found_per_body]
  SCREE_HD void operator()(std::size_t begin, std::size_t end) const {
    SweepCursors cursors;
    for (std::size_t k = begin; k < end; ++k) {
      offset_t n = 0;
      index_t* const kept = &found[k * found_per_body];
      sweep.visit(static_cast<index_t>(k), cursors, [&](index_t j, bool is_near) {
        if constexpr (SCREE_ON_CUDA) {
          if (!is_near) { return; }
        }
        // Which are near is hard to predict: without a jump on it, the next one overwrites those that are not.
        if (n < found_per_body) { kept[n] = j; }
        n += is_near ? 1 : 0;
      });
      count[k] = n;
    }
  }
};

/// Counts distance tests instead, for reports.
template <class R>
struct TestCount {
  PairSweep<R> sweep;
  Span<offset_t> count;
  SCREE_HD void operator()(std::size_t begin, std::size_t end) const {
    SweepCursors cursors;
    for (std::size_t k = begin; k < end; ++k) { count[k] = sweep.visit(static_cast<index_t>(k), cursors, [](index_t, bool) {}); }
  }
};

/// Writes the pairs found by each body to its part of the list, the lower id first. `rank` numbers the pairs that
/// others found with a body, in no particular order; `incoming` is their number.
template <class R>
struct PairFill {
  PairSweep<R> sweep;
  Span<index_t> found;
  Span<index_t> id;
  Span<offset_t> start;
  Span<BodyPair> pairs;
  Span<std::uint32_t> rank;      ///< [n_pairs]
  Span<std::uint32_t> incoming;  ///< [n_bodies] zero before
  SCREE_HD void operator()(std::size_t begin, std::size_t end) const {
    SweepCursors cursors;
    for (std::size_t k = begin; k < end; ++k) {
      const auto body = static_cast<index_t>(k);
      const index_t own_id = id[k];
      offset_t slot = start[k];
      const offset_t n = start[k + 1] - slot;
      const auto list = [&](index_t j) {
        pairs[slot] = own_id < id[j] ? BodyPair{body, j} : BodyPair{j, body};
        rank[slot++] = atomic_add(&incoming[j], 1u);
      };
      if (n <= found_per_body) {
        for (offset_t f = 0; f < n; ++f) { list(found[k * found_per_body + f]); }
      } else {
        sweep.visit(body, cursors, [&](index_t j, bool is_near) {
          if (is_near) { list(j); }
        });
      }
    }
  }
};

}  // namespace scree::inline SCREE_BACKEND
