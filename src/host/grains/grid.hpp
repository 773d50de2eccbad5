#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "scree/values.hpp"

namespace scree::grains {

/// A regular grid of points; x varies fastest in all arrays of their values.
struct Grid {
  Real3 origin{};                       ///< [m] place of the point (0, 0, 0)
  std::array<std::uint32_t, 3> size{};  ///< numbers of points along x, y, z
  double spacing = 0;                   ///< [m]

  [[nodiscard]] std::size_t points() const { return std::size_t{size[0]} * size[1] * size[2]; }
  [[nodiscard]] std::size_t index(std::size_t i, std::size_t j, std::size_t k) const {
    return (k * size[1] + j) * size[0] + i;
  }
  /// The differences of the indices of neighbouring points along each axis.
  [[nodiscard]] std::array<std::size_t, 3> stride() const {
    return {1, std::size_t{size[0]}, std::size_t{size[0]} * size[1]};
  }
  [[nodiscard]] Real3 place(std::size_t i, std::size_t j, std::size_t k) const {
    return {origin[0] + spacing * static_cast<double>(i), origin[1] + spacing * static_cast<double>(j),
            origin[2] + spacing * static_cast<double>(k)};
  }
};

/// Calls visit(index, i, j, k) for all points in the order of their index, without the `margin` layers at each face.
template <class Visit>
void for_each_point(const Grid& grid, std::size_t margin, Visit&& visit) {
  for (std::size_t k = margin; k + margin < grid.size[2]; ++k) {
    for (std::size_t j = margin; j + margin < grid.size[1]; ++j) {
      for (std::size_t i = margin; i + margin < grid.size[0]; ++i) visit(grid.index(i, j, k), i, j, k);
    }
  }
}

}  // namespace scree::grains
