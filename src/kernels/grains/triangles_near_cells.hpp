#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernels/grains/level_update.hpp"

/// Which triangles of a surface are near which cells of a grid.
namespace scree::inline SCREE_BACKEND {

/// Triangles sorted into boxes, to find the triangles near a point.
class TriangleBoxes {
 public:
  /// `corner` has three corners [m] of each triangle.
  TriangleBoxes(const std::vector<std::array<Vec3d, 3>>& corner, const LevelGrid& grid)
      : corner_(corner), grid_(grid), members_(grid.points()) {
    for (std::size_t t = 0; t < corner.size(); ++t) {
      const Vec3d middle = (1.0 / 3) * (corner[t][0] + corner[t][1] + corner[t][2]);
      for (const Vec3d& c : corner[t]) { largest_ = std::max(largest_, norm(c - middle)); }
      members_[box_of(middle)].push_back(static_cast<std::uint32_t>(t));
    }
  }

  /// Triangles within `reach` of x, the nearest first, of equal ones the first.
  [[nodiscard]] std::vector<NearTriangle> near(const Vec3d& x, double reach) const {
    std::vector<NearTriangle> found;
    const double around = reach + largest_;
    const auto low = cell_of(x - Vec3d{around, around, around}), high = cell_of(x + Vec3d{around, around, around});
    for (std::uint32_t k = low[2]; k <= high[2]; ++k) {
      for (std::uint32_t j = low[1]; j <= high[1]; ++j) {
        for (std::uint32_t i = low[0]; i <= high[0]; ++i) {
          for (const std::uint32_t t : members_[(std::size_t(k) * grid_.size[1] + j) * grid_.size[0] + i]) {
            const auto& [a, b, c] = corner_[t];
            const double distance = norm(x - closest_on_triangle(x, a, b, c).point);
            if (distance <= reach) { found.push_back({t, static_cast<float>(distance)}); }
          }
        }
      }
    }
    std::sort(found.begin(), found.end(), [](const NearTriangle& a, const NearTriangle& b) {
      return a.distance < b.distance || (a.distance == b.distance && a.triangle < b.triangle);
    });
    return found;
  }

 private:
  [[nodiscard]] std::array<std::uint32_t, 3> cell_of(const Vec3d& x) const {
    const Vec3d u = grid_.inverse_spacing * (x - grid_.origin);
    const auto held = [](double v, std::uint32_t n) {
      return static_cast<std::uint32_t>(std::clamp(std::floor(v), 0.0, double(n - 1)));
    };
    return {held(u.x, grid_.size[0]), held(u.y, grid_.size[1]), held(u.z, grid_.size[2])};
  }
  [[nodiscard]] std::size_t box_of(const Vec3d& x) const {
    const auto [i, j, k] = cell_of(x);
    return (std::size_t(k) * grid_.size[1] + j) * grid_.size[0] + i;
  }

  const std::vector<std::array<Vec3d, 3>>& corner_;
  const LevelGrid& grid_;
  std::vector<std::vector<std::uint32_t>> members_;
  double largest_ = 0;  ///< [m] from the middle of a triangle to a corner
};

}  // namespace scree::inline SCREE_BACKEND
