#pragma once

#include "kernels/neighbours/column_grid.hpp"
#include "kernels/neighbours/sweep_records.hpp"
#include "kernels/state/bodies.hpp"
#include "kernels/state/cell.hpp"
#include "kernels/state/kept_list.hpp"
#include "kernels/state/pairs.hpp"

namespace scree::inline SCREE_BACKEND {

/// Sort key of each body: level and column in the upper bits, lower end on the sweep axis in the lower bits. Parked
/// bodies come last.
template <class R>
struct SweepKey {
  ColumnGrid grid;
  PositionColumn position;
  RadiusColumn<R> radius;
  TravelColumn<R, R> skin;
  double range;  ///< [-] farthest distance of a contact, in radii
  Span<std::uint64_t> key;
  Span<index_t> order;
  CellWrap cell;  ///< cell into which bodies are taken back; none if it is periodic along no edge

  SCREE_HD void operator()(std::size_t i) const {
    order[i] = static_cast<index_t>(i);
    Vec3d x = position[i];
    if (is_parked(x)) {
      key[i] = ~std::uint64_t(0);
      return;
    }
    if (cell.any()) { x = cell.taken_back(x, cell.image(x)); }
    const double enlarged = range * double(radius[i]) + double(skin[i]);
    const std::uint64_t column = grid.column_of(grid.level_of(enlarged), x);
    key[i] = (column << 32) | (grid.sweep_place(x.x) - grid.sweep_extent(enlarged));
  }
};

/// Tables of the sorted bodies: the first body of each column, and the records that sweeps read. One thread per body
/// and column.
template <class R>
struct SweepTables {
  SweepPack<R> pack;
  std::size_t n_bodies, n_columns;
  Span<index_t> column_start;    ///< [n_columns + 1]
  Span<std::uint32_t> incoming;  ///< [n_bodies] is set to zero
  SCREE_HD void operator()(std::size_t i) const {
    if (i <= n_columns) {
      const auto end = static_cast<index_t>(n_bodies);
      column_start[i] = lower_bound(pack.key.data, 0, end, std::uint64_t(i) << 32);
    }
    if (i < n_bodies) {
      incoming[i] = 0;
      pack(i);
    }
  }
};

/// First body of each level.
struct LevelStart {
  ColumnGrid grid;
  Span<index_t> column_start, level_start;
  SCREE_HD void operator()(std::size_t level) const {
    level_start[level] = column_start[grid.levels[level].first_column];
  }
};

/// Positions of sorted bodies inside the periodic cell, only for the search.
struct SearchPlace {
  CellWrap cell;
  PositionColumn position, place;
  Span<std::uint8_t> image;  ///< code of the image by which each was taken back
  SCREE_HD void operator()(std::size_t i) const {
    const Image away = cell.image(position[i]);
    place[i] = cell.taken_back(position[i], away);
    image[i] = code_of(away);
  }
};

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

/// Sweeps of one body over columns. Bodies are in sorted order. Each pair whose gap is at most the Verlet distance is
/// met exactly once: two bodies of one level by the body that comes first, bodies of different levels by the larger
/// one. There are few large bodies, and small ones lie only around them, not inside. This needs a fraction of the tests
/// that small bodies would need among large ones.
template <class R>
struct PairSweep {
  ColumnGrid grid;
  PositionColumn position;
  RadiusColumn<R> radius;
  TravelColumn<R, R> skin;
  double range;  ///< [-] farthest distance of a contact, in radii
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
    double enlarged;              ///< [m] radius times range, plus skin
    std::uint32_t column, place;  ///< `place`: of the centre on the sweep axis
    std::uint32_t extent;
    SweepRecords::Own record;
  };

  SCREE_INLINE Visitor visitor_of(index_t k) const {
    const double enlarged = range * double(radius[k]) + double(skin[k]);
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
      const double reach = visitor.enlarged + (range * double(radius[other]) + double(skin[other]));
      if (dot(branch, branch) <= reach * reach) { meet_stranger(other); }
    };
#if SCREE_ON_CUDA
    for (; j < end && records.low[j] <= high; ++j) {
      const std::uint32_t nearness = records.nearness(visitor.record, j);
      if (nearness > 0xffffu) {
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
        if ((bits >> lane & 0x10000u) != 0) {
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

/// Number of pairs that a body can keep from counting to listing. The few bodies with more are swept twice.
inline constexpr offset_t found_per_body = KeptList::most;

/// Counts the later neighbours of each body in its own level, and keeps the first found_per_body of them.
template <class R>
struct PairCount {
  PairSweep<R> sweep;
  Span<offset_t> count;
  KeptList found;
  SCREE_HD void operator()(std::size_t begin, std::size_t end) const {
    SweepCursors cursors;
    for (std::size_t k = begin; k < end; ++k) {
      offset_t n = 0;
      const auto keep = [&](index_t met) {
        if (n < found_per_body) { found.at(k, n) = met; }
        ++n;
      };
      sweep.visit_level(static_cast<index_t>(k), cursors, keep);
      sweep.visit_images(static_cast<index_t>(k), keep);
      count[k] = n;
    }
  }
};

/// Adds each larger body, from `first` on, to the neighbours of smaller ones, since a pair is listed by the body that
/// comes first in memory. `parts` threads share a body; each visits every `parts`-th row of columns.
template <class R>
struct PairCountOfLarger {
  PairSweep<R> sweep;
  std::size_t first;
  std::uint32_t parts;
  Span<offset_t> count;
  KeptList found;
  SCREE_HD void operator()(std::size_t begin, std::size_t end) const {
    SweepCursors cursors;
    for (std::size_t i = begin; i < end; ++i) {
      const auto k = static_cast<index_t>(first + i / parts);
      sweep.visit_smaller(k, static_cast<std::uint32_t>(i % parts), parts, cursors, [&](index_t j) {
        const offset_t n = atomic_add(&count[j], offset_t(1));
        if (n < found_per_body) { found.at(j, n) = k; }
      });
    }
  }
};

/// Counts distance tests instead of pairs, for reports.
template <class R>
struct TestCount {
  PairSweep<R> sweep;
  Span<offset_t> count;
  SCREE_HD void operator()(std::size_t begin, std::size_t end) const {
    SweepCursors cursors;
    for (std::size_t i = begin; i < end; ++i) {
      const auto k = static_cast<index_t>(i);
      count[k] = sweep.template visit_level<true>(k, cursors, [](index_t) {}) +
                 sweep.template visit_images<true>(k, [](index_t) {}) +
                 sweep.template visit_smaller<true>(k, 0, 1, cursors, [](index_t) {});
    }
  }
};

/// Writes the pairs that each body found.
struct PairRows {
  Span<index_t> id;
  Span<offset_t> start;
  Span<BodyPair> pairs;
  /// [n_pairs] number of a pair among those that others found with its later body, in arbitrary order
  Span<std::uint32_t> rank;
  Span<std::uint32_t> incoming;   ///< [n_bodies] how many pairs others found with a body; zero before
  Span<std::uint8_t> image;       ///< [n_pairs] code of the second body's image; empty without a periodic cell
  Span<std::uint8_t> taken_back;  ///< [n_bodies] SearchPlace::image

  /// Writes a pair with the lower id first.
  SCREE_INLINE void write(offset_t slot, index_t body, index_t met) const {
    index_t other = met;
    if (image.size > 0) {
      other = met & met_mask;
      // The image with which `body` met `other` is, inverted, the image of `other` as seen from `body`.
      const Image seen = image_of(taken_back[body]) - image_of(taken_back[other]) - visitor_of_met(met);
      image[slot] = code_of(id[body] < id[other] ? seen : -seen);
    }
    pairs[slot] = id[body] < id[other] ? BodyPair{body, other} : BodyPair{other, body};
    rank[slot] = atomic_add(&incoming[other], 1u);
  }
};

/// Writes the pairs of the bodies that could keep all of theirs.
struct PairFill {
  PairRows rows;
  KeptList found;
  SCREE_HD void operator()(std::size_t body) const {
    const offset_t begin = rows.start[body];
    const offset_t n = rows.start[body + 1] - begin;
    if (n > found_per_body) { return; }
    for (offset_t k = 0; k < n; ++k) { rows.write(begin + k, static_cast<index_t>(body), found.at(body, k)); }
  }
};

/// Sweeps once more for the other bodies.
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
      sweep.visit_images(static_cast<index_t>(k), list);
    }
  }
};

}  // namespace scree::inline SCREE_BACKEND
