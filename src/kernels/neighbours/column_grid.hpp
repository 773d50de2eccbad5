#pragma once

#include "kernels/math/vec3.hpp"

namespace scree::inline SCREE_BACKEND {

inline constexpr int most_levels = 16;

/// Columns along x for bodies of one range of size.
struct ColumnLevel {
  double column_width;  ///< [m]
  double largest;       ///< [m] largest enlarged radius of the level
  std::uint32_t ny, nz;
  std::uint32_t first_column;  ///< in the table of all levels
  std::uint32_t largest_extent;  ///< of half an interval on the sweep axis, in fixed point
  int bits_low;                  ///< bits of the shorter side that are interleaved
};

struct ColumnRange {
  std::uint32_t y0, y1, z0, z1;  ///< inclusive
};

/// The sweep-and-prune: bodies are sorted by (level, column, lower end on the x axis). Positions on x are 32-bit
/// fixed point: comparisons are exact and cannot differ between backends. Intervals are rounded outwards.
struct ColumnGrid {
  Vec3d origin;        ///< [m] lower corner of all centres
  double sweep_scale;  ///< [1/m] fixed-point units per metre
  std::uint32_t n_columns;
  int n_levels;
  ColumnLevel levels[most_levels];

  SCREE_INLINE int level_of(double enlarged_radius) const {
    int level = 0;
    while (level + 1 < n_levels && enlarged_radius > levels[level].largest) { ++level; }
    return level;
  }

  SCREE_INLINE std::uint32_t sweep_place(double x) const {
    return static_cast<std::uint32_t>((x - origin.x) * sweep_scale) + (std::uint32_t(1) << 29);
  }
  SCREE_INLINE std::uint32_t sweep_extent(double radius) const { return static_cast<std::uint32_t>(radius * sweep_scale) + 2u; }

  static SCREE_INLINE std::uint32_t cell(double offset, double width, std::uint32_t n) {
    const double c = offset / width;
    if (!(c > 0)) { return 0; }
    const auto whole = c < 4e9 ? static_cast<std::uint32_t>(c) : 0xfffffffeu;
    return whole < n ? whole : n - 1;
  }

  SCREE_INLINE std::uint32_t column_of(int level, const Vec3d& x) const {
    const ColumnLevel& l = levels[level];
    return column(l, cell(x.y - origin.y, l.column_width, l.ny), cell(x.z - origin.z, l.column_width, l.nz));
  }

  /// Columns in Morton order, so that neighbours in y and in z are near in memory; a longer side has its upper bits on
  /// top of the interleaved ones.
  static SCREE_INLINE std::uint32_t column(const ColumnLevel& l, std::uint32_t y, std::uint32_t z) {
    const std::uint32_t mask = (1u << l.bits_low) - 1u;
    const std::uint32_t low = spread(y & mask) | (spread(z & mask) << 1);
    const std::uint32_t high = (y >> l.bits_low) | (z >> l.bits_low);  // one of them is zero
    return l.first_column + (low | (high << (2 * l.bits_low)));
  }

  SCREE_INLINE ColumnRange columns_near(int level, const Vec3d& x, double reach) const {
    const ColumnLevel& l = levels[level];
    return {cell(x.y - reach - origin.y, l.column_width, l.ny), cell(x.y + reach - origin.y, l.column_width, l.ny),
            cell(x.z - reach - origin.z, l.column_width, l.nz), cell(x.z + reach - origin.z, l.column_width, l.nz)};
  }

 private:
  static SCREE_INLINE std::uint32_t spread(std::uint32_t v) {
    v = (v | (v << 8)) & 0x00ff00ffu;
    v = (v | (v << 4)) & 0x0f0f0f0fu;
    v = (v | (v << 2)) & 0x33333333u;
    return (v | (v << 1)) & 0x55555555u;
  }
};

}  // namespace scree::inline SCREE_BACKEND
