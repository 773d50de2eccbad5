#pragma once

#include "kernels/backend/buffer.hpp"
#include "kernels/math/four.hpp"
#include "kernels/math/vec3.hpp"

/// Level sets of deformed grains that are kept on grids, for the ways of FieldUpdate that need them. All lengths are
/// those of the template.
namespace scree::inline SCREE_BACKEND {

/// FieldUpdate for kernels, which do not see the case.
enum class FieldKind : std::uint32_t { remapped, remapped_corners, recomputed, advected, precomputed };

/// A grid around a shape, with room for its deformation. Its points are those of the grid of the template, and more.
struct LevelGrid {
  Vec3d origin;                     ///< [m]
  double spacing, inverse_spacing;  ///< [m], [1/m]
  std::uint32_t size[3];            ///< points along x, y, z
  std::uint32_t n_levels;           ///< of precomputed: amplitudes of each sign of each mode
  std::uint64_t first_value;        ///< of precomputed, in LevelViews::value
  std::uint64_t first_near;         ///< in LevelViews::near_start
  std::uint64_t first_triangle;     ///< in LevelViews::triangle

  SCREE_INLINE std::uint64_t points() const { return std::uint64_t(size[0]) * size[1] * size[2]; }
  /// Numbers of a point along the axes.
  SCREE_INLINE void indices_of(std::uint64_t point, std::uint32_t (&at)[3]) const {
    const std::uint64_t row = point / size[0], layer = row / size[1];
    at[0] = static_cast<std::uint32_t>(point - row * size[0]);
    at[1] = static_cast<std::uint32_t>(row - layer * size[1]);
    at[2] = static_cast<std::uint32_t>(layer);
  }
  SCREE_INLINE Vec3d place_of(std::uint64_t point) const {
    std::uint32_t at[3];
    indices_of(point, at);
    return origin + spacing * Vec3d{double(at[0]), double(at[1]), double(at[2])};
  }
  SCREE_INLINE bool holds(const Vec3d& x) const {
    const Vec3d u = inverse_spacing * (x - origin);
    return u.x >= 0 && u.y >= 0 && u.z >= 0 && u.x <= double(size[0] - 1) && u.y <= double(size[1] - 1) &&
           u.z <= double(size[2] - 1);
  }
};

/// A triangle of the surface between three nodes.
struct LevelTriangle {
  std::uint32_t node[3];
};
/// A triangle near a cell of a grid.
struct NearTriangle {
  std::uint32_t triangle;
  float distance;  ///< [m] from the centre of the cell, before deformation
};

/// What kernels see of the grids.
struct LevelViews {
  FieldKind kind = FieldKind::remapped;
  std::uint32_t stride = 0;  ///< most points of a grid of one grain; 0: grains have none
  double slack = 0;          ///< [spacings] no surface is farther than this from that of the remap
  Span<LevelGrid> grid;      ///< [n_modes] of the shape that has this ModeNumbers
  Span<Four<float>> value;   ///< precomputed: distance and gradient; see PrecomputedField
  Span<double> step;         ///< [n_modes] [m] precomputed: between amplitudes
  Span<LevelTriangle> triangle;
  Span<std::uint64_t> near_start;  ///< by point of a grid, that of the lowest corner of the cell
  Span<NearTriangle> near;         ///< of each cell, the nearest first
  Span<double> phi;                ///< [n_clumps * stride] [m] distances of each grain
  Span<double> change;             ///< [n_clumps * stride] [m] of one step
  Span<double> known;              ///< [n_clumps * most modes] [m] amplitudes that phi is for
  Span<double> moved;              ///< [n_clumps] [m] path of the surface since phi began; -1: there is no phi yet
};

}  // namespace scree::inline SCREE_BACKEND
