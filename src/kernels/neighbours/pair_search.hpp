#pragma once

#include "kernels/neighbours/column_grid.hpp"
#include "kernels/neighbours/sweep_records.hpp"
#include "kernels/state/bodies.hpp"
#include "kernels/state/pairs.hpp"

namespace scree::inline SCREE_BACKEND {

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
    start[column] = lower_bound(key.data, 0, n_bodies, std::uint64_t(column) << 32);
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
  SweepRecords records;
  Span<index_t> column_start;

  /// Calls meet(j) for each neighbour j. With `counting` returns the number of bodies whose distance would be tested.
  template <bool counting = false, class Meet>
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
            j = cursors.find(records.low, column, begin, end, place - chord - l.largest_extent);
            high = math::min(high, place + chord - l.smallest_extent);
          }
          if constexpr (counting) {
            tests += tests_from(j, end, high);
          } else {
            scan(k, x, enlarged, j, end, high, meet);
          }
        }
      }
    }
    return tests;
  }

 private:
  /// Meets the neighbours of body k among [j, end), as far as their lower ends are at most `high`.
  template <class Meet>
  SCREE_INLINE void scan(index_t k, const Vec3d& x, double enlarged, index_t j, index_t end, std::uint32_t high,
                         Meet&& meet) const {
    const auto meet_if_near = [&](index_t other) {
      const Vec3d branch = position[other] - x;
      const double reach = enlarged + (double(radius[other]) + double(skin[other]));
      if (dot(branch, branch) <= reach * reach) { meet(other); }
    };
#if SCREE_ON_CUDA
    for (; j < end && records.low[j] <= high; ++j) {
      const std::uint32_t nearness = records.nearness(k, j);
      if (nearness > 0xffffu) {
        meet(j);
      } else if (nearness != 0) {
        meet_if_near(j);
      }
    }
#else
    for (; j < end && records.low[j] <= high; j += 16) {
      std::uint32_t bits = records.nearness_of_16(k, j, static_cast<int>(end - j), high);
      for (; (bits & 0xffffu) != 0; bits &= bits - 1u) {
        const int lane = __builtin_ctz(bits);
        if ((bits >> lane & 0x10000u) != 0) {
          meet(j + static_cast<index_t>(lane));
        } else {
          meet_if_near(j + static_cast<index_t>(lane));
        }
      }
    }
#endif
  }

  /// Bodies among [j, end) whose lower ends are at most `high`.
  SCREE_INLINE index_t tests_from(index_t j, index_t end, std::uint32_t high) const {
    return j < end ? lower_bound(records.low, j, end, high + 1u) - j : 0u;
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
      sweep.visit(static_cast<index_t>(k), cursors, [&](index_t j) {
        if (n < found_per_body) { kept[n] = j; }
        ++n;
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
    for (std::size_t k = begin; k < end; ++k) { count[k] = sweep.template visit<true>(static_cast<index_t>(k), cursors, [](index_t) {}); }
  }
};

/// Where the pairs found by each body are written.
struct PairRows {
  Span<index_t> id;
  Span<offset_t> start;
  Span<BodyPair> pairs;
  Span<std::uint32_t> rank;      ///< [n_pairs] numbers the pairs that others found with a body, in no particular order
  Span<std::uint32_t> incoming;  ///< [n_bodies] their number; zero before

  /// The lower id comes first.
  SCREE_INLINE void write(offset_t slot, index_t body, index_t other) const {
    pairs[slot] = id[body] < id[other] ? BodyPair{body, other} : BodyPair{other, body};
    rank[slot] = atomic_add(&incoming[other], 1u);
  }
};

/// Writes the pairs of the bodies of which all were kept.
struct PairFill {
  PairRows rows;
  Span<index_t> found;
  SCREE_HD void operator()(std::size_t body) const {
    const offset_t begin = rows.start[body];
    const offset_t n = rows.start[body + 1] - begin;
    if (n > found_per_body) { return; }
    for (offset_t k = 0; k < n; ++k) { rows.write(begin + k, static_cast<index_t>(body), found[body * found_per_body + k]); }
  }
};

/// Sweeps once more for the others.
template <class R>
struct PairFillAgain {
  PairSweep<R> sweep;
  PairRows rows;
  SCREE_HD void operator()(std::size_t begin, std::size_t end) const {
    SweepCursors cursors;
    for (std::size_t k = begin; k < end; ++k) {
      offset_t slot = rows.start[k];
      if (rows.start[k + 1] - slot <= found_per_body) { continue; }
      sweep.visit(static_cast<index_t>(k), cursors, [&](index_t j) { rows.write(slot++, static_cast<index_t>(k), j); });
    }
  }
};

}  // namespace scree::inline SCREE_BACKEND
