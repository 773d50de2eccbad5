#pragma once

#include "kernels/math/vec3.hpp"

namespace scree::inline SCREE_BACKEND {

inline constexpr int most_levels = 16;

/// The columns along x for bodies of one range of size.
struct ColumnLevel {
  double column_width;   ///< [m]
  double inverse_width;  ///< [1/m]
  double largest;        ///< [m] largest enlarged radius of the level
  std::uint32_t ny, nz;
  std::uint32_t first_column;                     ///< index in the table of all levels
  std::uint32_t mask_y, mask_z;                   ///< bits of a column's number that hold its cell in y and in z
  int bits_low;                                   ///< number of interleaved bits: as many as the shorter side has
  std::uint32_t largest_extent, smallest_extent;  ///< of half an interval on the sweep axis, in fixed point
};

struct ColumnRange {
  std::uint32_t y0, y1, z0, z1;  ///< inclusive
};

/// Increments a number whose bits are spread over `mask`.
SCREE_INLINE std::uint32_t next_deposited(std::uint32_t deposited, std::uint32_t mask) {
  return (deposited - mask) & mask;
}

/// Grid of the sweep-and-prune. Bodies are sorted by (level, column, lower end on the x axis). Positions on x are
/// 32-bit fixed point, so that comparisons are exact and the same on all backends. Intervals are rounded outwards.
/// Bodies outside of the box of the grid are treated as if they were on its surface. Moving two points to the nearest
/// points of a box never increases their distance, so neighbours are found there, too.
struct ColumnGrid {
  Vec3d origin;        ///< [m] lower corner of the box
  double sweep_scale;  ///< [1/m] fixed-point units per metre
  std::uint32_t n_columns;
  int n_levels;
  ColumnLevel levels[most_levels];

  SCREE_INLINE int level_of(double enlarged_radius) const {
    int level = 0;
    while (level + 1 < n_levels && enlarged_radius > levels[level].largest) { ++level; }
    return level;
  }

  /// Places on the sweep axis are from `sweep_begin` on. A sweep begins at most three of the largest extents below the
  /// place of its body, so it begins above 0.
  static constexpr std::uint32_t sweep_begin = std::uint32_t(1) << 29, sweep_length = std::uint32_t(1) << 30;
  static constexpr double most_extent = 0x1p27;
  /// The number of cells of a level along y, and along z, is below this: spread() takes 16 bits.
  static constexpr double most_cells = 60000;

  SCREE_INLINE std::uint32_t sweep_place(double x) const {
    const double place = (x - origin.x) * sweep_scale;
    const double inside = math::max(0.0, math::min(place, double(sweep_length)));
    return static_cast<std::uint32_t>(inside) + sweep_begin;
  }
  SCREE_INLINE std::uint32_t sweep_extent(double radius) const {
    return static_cast<std::uint32_t>(radius * sweep_scale) + 2u;
  }

  static SCREE_INLINE std::uint32_t cell(double offset, double inverse_width, std::uint32_t n) {
    const double c = offset * inverse_width;
    if (!(c > 0)) { return 0; }
    const auto whole = c < 4e9 ? static_cast<std::uint32_t>(c) : 0xfffffffeu;
    return whole < n ? whole : n - 1;
  }

  SCREE_INLINE std::uint32_t column_of(int level, const Vec3d& x) const {
    const ColumnLevel& l = levels[level];
    return column(l, cell(x.y - origin.y, l.inverse_width, l.ny), cell(x.z - origin.z, l.inverse_width, l.nz));
  }

  /// Number of a column. Columns are in Morton order, so that neighbours in y and in z are near in memory. The longer
  /// side has its upper bits above the interleaved bits.
  static SCREE_INLINE std::uint32_t column(const ColumnLevel& l, std::uint32_t y, std::uint32_t z) {
    return l.first_column + (deposit_y(l, y) | deposit_z(l, z));
  }
  static SCREE_INLINE std::uint32_t deposit_y(const ColumnLevel& l, std::uint32_t y) {
    return spread(y & ((1u << l.bits_low) - 1u)) | (y >> l.bits_low) << (2 * l.bits_low);
  }
  static SCREE_INLINE std::uint32_t deposit_z(const ColumnLevel& l, std::uint32_t z) {
    return spread(z & ((1u << l.bits_low) - 1u)) << 1 | (z >> l.bits_low) << (2 * l.bits_low);
  }

  /// Lower bound of the square of the distance [m2], across the sweep axis, between a body in cell `there` and a body
  /// in cell `here` that is at `offset` from the lower side of the box. Cells at the sides of the box extend to
  /// infinity.
  static SCREE_INLINE double square_gap(const ColumnLevel& l, double offset, std::uint32_t here, std::uint32_t there) {
    if (there == here) { return 0; }
    const double side = l.column_width * double(there > here ? there : there + 1);
    const double gap = (there > here ? side - offset : offset - side) - 1e-6 * l.column_width;  // rounding of cells
    return gap > 0 ? gap * gap : 0;
  }

  SCREE_INLINE ColumnRange columns_near(int level, const Vec3d& x, double reach) const {
    const ColumnLevel& l = levels[level];
    return {cell(x.y - reach - origin.y, l.inverse_width, l.ny), cell(x.y + reach - origin.y, l.inverse_width, l.ny),
            cell(x.z - reach - origin.z, l.inverse_width, l.nz), cell(x.z + reach - origin.z, l.inverse_width, l.nz)};
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
