#pragma once

#include "kernels/neighbours/column_grid.hpp"
#include "kernels/neighbours/sweep_records.hpp"
#include "kernels/state/bodies.hpp"
#include "kernels/state/cell.hpp"
#include "kernels/state/contact_ranges.hpp"

namespace scree::inline SCREE_BACKEND {

/// A body that a sweep has met. In a periodic cell the bits from `image_bit` on hold the image of the visitor that met
/// it, counted from 1; 0 is the visitor itself.
inline constexpr int image_bit = 27;
inline constexpr index_t met_mask = (index_t(1) << image_bit) - 1;
SCREE_INLINE index_t met_with(index_t body, const Image& visitor) {
  return body | static_cast<index_t>(((visitor.a + 1) * 3 + visitor.b + 1) * 3 + visitor.c + 2) << image_bit;
}
SCREE_INLINE Image visitor_of_met(index_t met) {
  const auto code = static_cast<std::int32_t>(met >> image_bit) - 1;
  return code < 0 ? Image{0, 0, 0} : Image{code / 9 - 1, code / 3 % 3 - 1, code % 3 - 1};
}

/// Sweeps of one body over columns. Bodies are in sorted order. Each pair whose distance is at most the range of the
/// pair times the sum of the radii, plus both skins, is met exactly once: two bodies of one level by the body that
/// comes first, bodies of different levels by the larger one. There are few large bodies, and small ones lie only
/// around them, not inside. This needs a fraction of the tests that small bodies would need among large ones.
template <class R>
struct PairSweep {
  ColumnGrid grid;
  PositionColumn position;
  RadiusColumn<R> radius;
  TravelColumn<R, R> skin;
  RangeOfPair range;
  Span<std::uint64_t> key;
  SweepRecords records;
  Span<index_t> column_start;
  /// [n_bodies] no_index for single spheres; empty: there are no clumps. Members of one clump do not meet
  Span<index_t> clump_of{};
  CellWrap cell{};  ///< contains all positions

  /// Each of these functions calls meet(j) for each neighbour j. If `counting` is true, they call nothing and return
  /// the number of bodies whose distance would be tested.

  /// Visits later bodies of the same level.
  template <bool counting = false, class Meet>
  SCREE_INLINE std::uint32_t visit_level(index_t k, SweepCursors& cursors, Meet&& meet) const {
    const Visitor visitor = visitor_of(k);
    return visit_columns<Sweep::own_level, counting>(visitor, visitor.level, 0, 1, cursors, meet);
  }

  /// Visits bodies of smaller levels, but only in every `parts`-th row of columns, starting with the `part`-th.
  template <bool counting = false, class Meet>
  SCREE_INLINE std::uint32_t visit_smaller(index_t k, std::uint32_t part, std::uint32_t parts, SweepCursors& cursors,
                                           Meet&& meet) const {
    const Visitor visitor = visitor_of(k);
    std::uint32_t tests = 0;
    for (int level = 0; level < visitor.level; ++level) {
      tests += visit_columns<Sweep::other_level, counting>(visitor, level, part, parts, cursors, meet);
    }
    return tests;
  }

  /// Visits bodies of larger levels: those that meet this one in their visit_smaller.
  template <class Meet>
  SCREE_INLINE void visit_larger(index_t k, SweepCursors& cursors, Meet&& meet) const {
    const Visitor visitor = visitor_of(k);
    for (int level = visitor.level + 1; level < grid.n_levels; ++level) {
      visit_columns<Sweep::other_level, false>(visitor, level, 0, 1, cursors, meet);
    }
  }

  /// In a periodic cell: visits bodies beyond its faces that are later in memory, of the same level and of larger ones.
  /// Images of the body do the visits.
  template <bool counting = false, class Meet>
  SCREE_INLINE std::uint32_t visit_images(index_t k, Meet&& meet) const {
    if (!cell.any()) { return 0; }
    const Visitor own = visitor_of(k);
    const Vec3d s = cell.fraction * (own.x - cell.origin);
    const double place[3] = {s.x, s.y, s.z};
    const double widths[3] = {norm(cell.fraction.x), norm(cell.fraction.y), norm(cell.fraction.z)};
    std::uint32_t tests = 0;
    for (int level = own.level; level < grid.n_levels; ++level) {
      // An image can meet a body only if its distance from the cell is within the reach of both; 1e-9 exceeds the
      // rounding.
      std::int32_t first[3], last[3];
      for (int axis = 0; axis < 3; ++axis) {
        const double reach = (own.enlarged + grid.levels[level].largest) * widths[axis] + 1e-9;
        first[axis] = cell.along[axis] && place[axis] + reach >= 1 ? -1 : 0;
        last[axis] = cell.along[axis] && place[axis] - reach <= 0 ? 1 : 0;
      }
      for (std::int32_t a = first[0]; a <= last[0]; ++a) {
        for (std::int32_t b = first[1]; b <= last[1]; ++b) {
          for (std::int32_t c = first[2]; c <= last[2]; ++c) {
            if ((a | b | c) != 0) { tests += visit_from<counting>(own, {a, b, c}, level, meet); }
          }
        }
      }
    }
    return tests;
  }

 private:
  struct Visitor {
    index_t k;
    int level;
    Vec3d x;
    double enlarged;              ///< [m] radius times the range of the body, plus skin
    std::uint32_t column, place;  ///< `place`: of the centre on the sweep axis
    std::uint32_t extent;
    SweepRecords::Own record;
  };

  SCREE_INLINE Visitor visitor_of(index_t k) const {
    const double enlarged = range.of_body(k) * double(radius[k]) + double(skin[k]);
    const std::uint64_t own_key = key[k];
    const std::uint32_t extent = grid.sweep_extent(enlarged);
    return {k,
            grid.level_of(enlarged),
            position[k],
            enlarged,
            static_cast<std::uint32_t>(own_key >> 32),
            static_cast<std::uint32_t>(own_key) + extent,
            extent,
            records.of(k)};
  }

  /// Which bodies a sweep visits: later bodies of the own level, all of another level, or later ones as seen from an
  /// image.
  enum class Sweep { own_level, other_level, image };

  template <bool counting, class Meet>
  SCREE_INLINE std::uint32_t visit_from(const Visitor& own, const Image& image, int level, Meet&& meet) const {
    Visitor away = own;
    away.x = own.x + shift_of(cell.edges, image);
    away.place = grid.sweep_place(away.x.x);
    away.record = SweepRecords::of(away.x - grid.origin, own.enlarged);
    NoCursors none;
    return visit_columns<Sweep::image, counting>(away, level, 0, 1, none, [&](index_t j) { meet(met_with(j, image)); });
  }

  template <Sweep sweep, bool counting, class Cursors, class Meet>
  SCREE_INLINE std::uint32_t visit_columns(const Visitor& visitor, int level, std::uint32_t part, std::uint32_t parts,
                                           Cursors& cursors, Meet&& meet) const {
    constexpr bool own_level = sweep == Sweep::own_level;
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
        // bodies of this column visit and meet this body themselves
        if (sweep != Sweep::other_level && level == visitor.level && column < visitor.column) { continue; }
        index_t j = visitor.k + 1;
        std::uint32_t high = visitor.place + visitor.extent;
        const index_t end = column_start[column + 1];
        if (!own_level || column != visitor.column) {
          const index_t begin = column_start[column];
          // The column's distance across the sweep axis leaves only a chord along it.
          const double square_chord = square_left - ColumnGrid::square_gap(l, offset_y, cell_y, y);
          if (begin == end || !(square_chord >= 0)) { continue; }
          const std::uint32_t chord = grid.sweep_extent(math::sqrt(square_chord));
          j = cursors.find(records.low, column, begin, end, visitor.place - chord - l.largest_extent);
          high = visitor.place + chord - l.smallest_extent;
          if (own_level) { high = math::min(high, visitor.place + visitor.extent); }
          if (sweep == Sweep::image && column == visitor.column && j <= visitor.k) { j = visitor.k + 1; }
        }
        if constexpr (counting) {
          tests += tests_from(j, end, high);
        } else {
          scan(visitor, j, end, high, meet);
        }
      }
    }
    return tests;
  }

  /// Meets the neighbours of the visitor among bodies [j, end) whose lower ends are at most `high`.
  template <class Meet>
  SCREE_INLINE void scan(const Visitor& visitor, index_t j, index_t end, std::uint32_t high, Meet&& meet) const {
    const index_t k = visitor.k;
    const auto meet_stranger = [&](index_t other) {
      if (clump_of.size == 0 || clump_of[k] == no_index || clump_of[k] != clump_of[other]) { meet(other); }
    };
    const auto meet_if_near = [&](index_t other) {
      const Vec3d branch = position[other] - visitor.x;
      const double reach =
          range(k, other) * (double(radius[k]) + double(radius[other])) + (double(skin[k]) + double(skin[other]));
      if (dot(branch, branch) <= reach * reach) { meet_stranger(other); }
    };
#if SCREE_ON_CUDA
    for (; j < end && records.low[j] <= high; ++j) {
      const std::uint32_t nearness = records.nearness(visitor.record, j);
      if (nearness > 0xffffu && range.is_one()) {
        meet_stranger(j);
      } else if (nearness != 0) {
        meet_if_near(j);
      }
    }
#else
    for (; j < end && records.low[j] <= high; j += 16) {
      std::uint32_t bits = records.nearness_of_16(visitor.record, j, static_cast<int>(end - j), high);
      for (; (bits & 0xffffu) != 0; bits &= bits - 1u) {
        const int lane = __builtin_ctz(bits);
        if ((bits >> lane & 0x10000u) != 0 && range.is_one()) {
          meet_stranger(j + static_cast<index_t>(lane));
        } else {
          meet_if_near(j + static_cast<index_t>(lane));
        }
      }
    }
#endif
  }

  /// Number of bodies among [j, end) whose lower ends are at most `high`.
  SCREE_INLINE index_t tests_from(index_t j, index_t end, std::uint32_t high) const {
    return j < end ? lower_bound(records.low, j, end, high + 1u) - j : 0u;
  }
};

}  // namespace scree::inline SCREE_BACKEND
