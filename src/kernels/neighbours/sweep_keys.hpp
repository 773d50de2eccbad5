#pragma once

#include "kernels/neighbours/column_grid.hpp"
#include "kernels/neighbours/sweep_records.hpp"
#include "kernels/state/bodies.hpp"
#include "kernels/state/cell.hpp"
#include "kernels/state/contact_ranges.hpp"

/// What sorts bodies for the sweeps, and the tables of the sorted bodies.
namespace scree::inline SCREE_BACKEND {

/// Sort key of each body: level and column in the upper bits, lower end on the sweep axis in the lower bits. Parked
/// bodies come last.
template <class R>
struct SweepKey {
  ColumnGrid grid;
  PositionColumn position;
  RadiusColumn<R> radius;
  TravelColumn<R, R> skin;
  RangeOfBody range;
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
    const double enlarged = range(i) * double(radius[i]) + double(skin[i]);
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
    SCREE_ASSERT(has_code(away) || is_parked(position[i]));  // bodies farther out were taken back before the search
    place[i] = cell.taken_back(position[i], away);
    image[i] = code_of(away);
  }
};

}  // namespace scree::inline SCREE_BACKEND
