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
  double range;  ///< [-] farthest distance of a contact, in radii
  Span<std::uint64_t> key;
  Span<index_t> order;

  SCREE_HD void operator()(std::size_t i) const {
    order[i] = static_cast<index_t>(i);
    const Vec3d x = position[i];
    if (is_parked(x)) {
      key[i] = ~std::uint64_t(0);
      return;
    }
    const double enlarged = range * double(radius[i]) + double(skin[i]);
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

/// Sweeps of one body over columns. Bodies stand in sorted order; each pair whose gap is at most the Verlet distance is
/// met exactly once: two bodies of one level by that which stands first, others by the larger one. There are few large
/// bodies, and where one is, small ones are only around it: that makes a fraction of the tests that small bodies would
/// make among large ones.
template <class R>
struct PairSweep {
  ColumnGrid grid;
  Span<Vec3d> position;
  Span<R> radius, skin;
  double range;  ///< [-] farthest distance of a contact, in radii
  Span<std::uint64_t> key;
  SweepRecords records;
  Span<index_t> column_start;
  Span<index_t> clump_of{};  ///< [n_bodies] no_index for single spheres; empty: there are no clumps. Members of one do not meet

  /// Each of these calls meet(j) for each neighbour j. With `counting` they return the number of bodies whose distance
  /// would be tested.

  /// Later bodies of the same level.
  template <bool counting = false, class Meet>
  SCREE_INLINE std::uint32_t visit_level(index_t k, SweepCursors& cursors, Meet&& meet) const {
    const Visitor visitor = visitor_of(k);
    return visit_columns<true, counting>(visitor, visitor.level, 0, 1, cursors, meet);
  }

  /// Bodies of smaller levels; only in every `parts`-th row of columns from the `part`-th on.
  template <bool counting = false, class Meet>
  SCREE_INLINE std::uint32_t visit_smaller(index_t k, std::uint32_t part, std::uint32_t parts, SweepCursors& cursors, Meet&& meet) const {
    const Visitor visitor = visitor_of(k);
    std::uint32_t tests = 0;
    for (int level = 0; level < visitor.level; ++level) {
      tests += visit_columns<false, counting>(visitor, level, part, parts, cursors, meet);
    }
    return tests;
  }

  /// Bodies of larger levels: those that meet this one in their visit_smaller.
  template <class Meet>
  SCREE_INLINE void visit_larger(index_t k, SweepCursors& cursors, Meet&& meet) const {
    const Visitor visitor = visitor_of(k);
    for (int level = visitor.level + 1; level < grid.n_levels; ++level) {
      visit_columns<false, false>(visitor, level, 0, 1, cursors, meet);
    }
  }

 private:
  struct Visitor {
    index_t k;
    int level;
    Vec3d x;
    double enlarged;             ///< [m] range and skin
    std::uint32_t column, place; ///< the latter of the centre on the sweep axis
    std::uint32_t extent;
  };

  SCREE_INLINE Visitor visitor_of(index_t k) const {
    const double enlarged = range * double(radius[k]) + double(skin[k]);
    const std::uint64_t own_key = key[k];
    const std::uint32_t extent = grid.sweep_extent(enlarged);
    return {k,        grid.level_of(enlarged), position[k], enlarged, static_cast<std::uint32_t>(own_key >> 32),
            static_cast<std::uint32_t>(own_key) + extent, extent};
  }

  template <bool own_level, bool counting, class Meet>
  SCREE_INLINE std::uint32_t visit_columns(const Visitor& visitor, int level, std::uint32_t part, std::uint32_t parts,
                                           SweepCursors& cursors, Meet&& meet) const {
    const ColumnLevel& l = grid.levels[level];
    const Vec3d& x = visitor.x;
    const double offset_y = x.y - grid.origin.y, offset_z = x.z - grid.origin.z;
    const double farthest = visitor.enlarged + l.largest;
    const ColumnRange near = grid.columns_near(level, x, farthest);
    const std::uint32_t cell_y = ColumnGrid::cell(offset_y, l.inverse_width, l.ny);
    const std::uint32_t cell_z = ColumnGrid::cell(offset_z, l.inverse_width, l.nz);
    const std::uint32_t first_y = ColumnGrid::deposit_y(l, near.y0);
    std::uint32_t tests = 0;
    for (std::uint32_t z = near.z0 + part; z <= near.z1; z += parts) {
      const std::uint32_t at_z = ColumnGrid::deposit_z(l, z);
      const double square_left = farthest * farthest - ColumnGrid::square_gap(l, offset_z, cell_z, z);
      std::uint32_t at_y = first_y;
      for (std::uint32_t y = near.y0; y <= near.y1; ++y, at_y = next_deposited(at_y, l.mask_y)) {
        const std::uint32_t column = l.first_column + (at_y | at_z);
        if (own_level && column < visitor.column) { continue; }  // its bodies meet this one
        index_t j = visitor.k + 1;
        std::uint32_t high = visitor.place + visitor.extent;
        const index_t end = column_start[column + 1];
        if (!own_level || column != visitor.column) {
          const index_t begin = column_start[column];
          // Across the sweep axis the column is that far away already: what is left is a chord along it.
          const double square_chord = square_left - ColumnGrid::square_gap(l, offset_y, cell_y, y);
          if (begin == end || !(square_chord >= 0)) { continue; }
          const std::uint32_t chord = grid.sweep_extent(math::sqrt(square_chord));
          j = cursors.find(records.low, column, begin, end, visitor.place - chord - l.largest_extent);
          high = visitor.place + chord - l.smallest_extent;
          if (own_level) { high = math::min(high, visitor.place + visitor.extent); }
        }
        if constexpr (counting) {
          tests += tests_from(j, end, high);
        } else {
          scan(visitor.k, x, visitor.enlarged, j, end, high, meet);
        }
      }
    }
    return tests;
  }

  /// Meets the neighbours of body k among [j, end), as far as their lower ends are at most `high`.
  template <class Meet>
  SCREE_INLINE void scan(index_t k, const Vec3d& x, double enlarged, index_t j, index_t end, std::uint32_t high,
                         Meet&& meet) const {
    const auto meet_stranger = [&](index_t other) {
      if (clump_of.size == 0 || clump_of[k] == no_index || clump_of[k] != clump_of[other]) { meet(other); }
    };
    const auto meet_if_near = [&](index_t other) {
      const Vec3d branch = position[other] - x;
      const double reach = enlarged + (range * double(radius[other]) + double(skin[other]));
      if (dot(branch, branch) <= reach * reach) { meet_stranger(other); }
    };
#if SCREE_ON_CUDA
    for (; j < end && records.low[j] <= high; ++j) {
      const std::uint32_t nearness = records.nearness(k, j);
      if (nearness > 0xffffu) {
        meet_stranger(j);
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
          meet_stranger(j + static_cast<index_t>(lane));
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

/// Counts the later neighbours that each body of a stretch has in its level, and keeps the first of them.
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
      sweep.visit_level(static_cast<index_t>(k), cursors, [&](index_t j) {
        if (n < found_per_body) { kept[n] = j; }
        ++n;
      });
      count[k] = n;
    }
  }
};

/// Adds each larger body from the `first` on to the neighbours of the smaller ones: pairs are listed by the body that
/// stands first in memory. Of each body, `parts` threads visit every so many rows of columns.
template <class R>
struct PairCountOfLarger {
  PairSweep<R> sweep;
  std::size_t first;
  std::uint32_t parts;
  Span<offset_t> count;
  Span<index_t> found;
  SCREE_HD void operator()(std::size_t begin, std::size_t end) const {
    SweepCursors cursors;
    for (std::size_t i = begin; i < end; ++i) {
      const auto k = static_cast<index_t>(first + i / parts);
      sweep.visit_smaller(k, static_cast<std::uint32_t>(i % parts), parts, cursors, [&](index_t j) {
        const offset_t n = atomic_add(&count[j], offset_t(1));
        if (n < found_per_body) { found[j * std::size_t(found_per_body) + n] = k; }
      });
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
    for (std::size_t i = begin; i < end; ++i) {
      const auto k = static_cast<index_t>(i);
      count[k] = sweep.template visit_level<true>(k, cursors, [](index_t) {}) +
                 sweep.template visit_smaller<true>(k, 0, 1, cursors, [](index_t) {});
    }
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
      const auto list = [&](index_t j) { rows.write(slot++, static_cast<index_t>(k), j); };
      sweep.visit_level(static_cast<index_t>(k), cursors, list);
      sweep.visit_larger(static_cast<index_t>(k), cursors, list);
    }
  }
};

}  // namespace scree::inline SCREE_BACKEND
