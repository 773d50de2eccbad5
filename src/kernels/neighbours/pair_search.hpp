#pragma once

#include "kernels/neighbours/column_grid.hpp"
#include "kernels/state/bodies.hpp"
#include "kernels/state/pairs.hpp"

namespace scree::inline SCREE_BACKEND {

/// First place in [begin, end) whose key is not below `key`.
template <class Key>
SCREE_INLINE index_t lower_bound(const Key* keys, index_t begin, index_t end, Key key) {
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
    start[column] = lower_bound(key.data, 0, n_bodies, std::uint64_t(column) << 32);
  }
};

/// What a sweep reads of the sorted bodies, in 24 bytes: the lower end on the sweep axis, the centre in float, and two
/// lengths on either side of the enlarged radius, farther from it than rounding can take the distance of two centres (the
/// shorter one may be negative).
/// Nearly all pairs are told by them; only what lies between asks for the positions themselves.
struct SweepRecords {
  static constexpr std::size_t fields = 6, padding = 16;  ///< readers may look so far past the end

  std::uint32_t* low;
  float *x, *y, *z, *longer, *shorter;

  /// Lays the arrays out in memory of fields * (n + padding) words.
  static SweepRecords in(std::uint32_t* words, std::size_t n) {
    auto* const reals = reinterpret_cast<float*>(words);
    const std::size_t stride = n + padding;
    return {words, reals + stride, reals + 2 * stride, reals + 3 * stride, reals + 4 * stride, reals + 5 * stride};
  }

  /// Bit 0: the bodies may be neighbours. Bit 16: they are for sure.
  SCREE_INLINE std::uint32_t nearness(index_t k, index_t other) const {
    const float dx = x[other] - x[k], dy = y[other] - y[k], dz = z[other] - z[k];
    const float most = longer[other] + longer[k], least = shorter[other] + shorter[k], square = dx * dx + dy * dy + dz * dz;
    return (square <= most * most ? 1u : 0u) | (square <= least * math::abs(least) ? 0x10000u : 0u);
  }

#if !SCREE_ON_CUDA
  /// nearness of body k and the 16 bodies from `begin` on, shifted by their number, of those among the first `n` that start
  /// at or below `high`.
  SCREE_INLINE std::uint32_t nearness_of_16(index_t k, index_t begin, int n, std::uint32_t high) const {
    const std::uint32_t* const from_low = low + begin;
    const float *const from_x = x + begin, *const from_y = y + begin, *const from_z = z + begin;
    const float *const from_longer = longer + begin, *const from_shorter = shorter + begin;
    const float own_x = x[k], own_y = y[k], own_z = z[k], own_longer = longer[k], own_shorter = shorter[k];
    std::uint32_t bits = 0;
#pragma omp simd reduction(| : bits)
    for (int lane = 0; lane < 16; ++lane) {
      const float dx = from_x[lane] - own_x, dy = from_y[lane] - own_y, dz = from_z[lane] - own_z;
      const float most = from_longer[lane] + own_longer, least = from_shorter[lane] + own_shorter;
      const float square = dx * dx + dy * dy + dz * dz;
      const std::uint32_t near = square <= most * most ? 1u << lane : 0u;
      const std::uint32_t sure = square <= least * math::abs(least) ? 0x10000u << lane : 0u;
      bits |= (lane < n) & (from_low[lane] <= high) ? near | sure : 0u;
    }
    return bits;
  }
#endif
};

template <class R>
struct SweepPack {
  Vec3d origin;
  Span<Vec3d> position;
  Span<R> radius, skin;
  Span<std::uint64_t> key;
  SweepRecords to;
  SCREE_HD void operator()(std::size_t i) const {
    const Vec3d offset = position[i] - origin;
    // Four times the rounding of the offsets to float; the factors cover that of the tests themselves.
    const double slack = 0x1p-22 * (math::abs(offset.x) + math::abs(offset.y) + math::abs(offset.z));
    const double enlarged = double(radius[i]) + double(skin[i]);
    to.low[i] = static_cast<std::uint32_t>(key[i]);
    to.x[i] = static_cast<float>(offset.x);
    to.y[i] = static_cast<float>(offset.y);
    to.z[i] = static_cast<float>(offset.z);
    to.longer[i] = static_cast<float>(1.000001 * (enlarged + slack));
    to.shorter[i] = static_cast<float>(enlarged > slack ? 0.999999 * (enlarged - slack) : 1.000001 * (enlarged - slack));
  }
};

/// Where the sweep of a column begins. Bodies that follow one another in a column ask for places near each other in the
/// neighbouring columns, so a thread that works through a stretch of bodies starts from its last answer. On a GPU each
/// thread has one body, and searches.
class SweepCursors {
 public:
  SCREE_INLINE index_t find(const std::uint32_t* low, std::uint32_t column, index_t begin, index_t end, std::uint32_t wanted) {
#if SCREE_ON_CUDA
    return lower_bound(low, begin, end, wanted);
#else
    Cursor& cursor = cursors_[column % n_cursors];
    if (cursor.column != column) {
      cursor = {column, lower_bound(low, begin, end, wanted)};
      return cursor.place;
    }
    while (cursor.place < end && low[cursor.place] < wanted) { ++cursor.place; }
    while (cursor.place > begin && low[cursor.place - 1] >= wanted) { --cursor.place; }
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
