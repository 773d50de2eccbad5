#include "host/grains/trilinear.hpp"

#include <algorithm>

namespace scree::grains {
namespace {

/// The cell that contains a point.
struct Cell {
  std::array<std::size_t, 3> corner{};  ///< its first corner
  Real3 part{};                         ///< coordinates of the point in the cell, 0 to 1
};

std::optional<Cell> cell_of(const Grid& grid, const Real3& point) {
  Cell cell;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double at = (point[axis] - grid.origin[axis]) / grid.spacing;
    if (grid.size[axis] < 2 || !(at >= 0 && at <= grid.size[axis] - 1.0)) return std::nullopt;
    cell.corner[axis] = std::min(static_cast<std::size_t>(at), std::size_t{grid.size[axis]} - 2);
    cell.part[axis] = at - static_cast<double>(cell.corner[axis]);
  }
  return cell;
}

double between(double a, double b, double part) { return a + part * (b - a); }

/// Central difference [value/spacing] along an axis; one-sided at the faces.
template <class Number>
double difference(const Grid& grid, std::span<const Number> values, const std::array<std::size_t, 3>& at,
                  std::size_t axis) {
  const std::size_t index = grid.index(at[0], at[1], at[2]), step = grid.stride()[axis];
  const std::size_t before = at[axis] > 0 ? step : 0, behind = at[axis] + 1 < grid.size[axis] ? step : 0;
  const double steps = static_cast<double>((before + behind) / step);
  return (static_cast<double>(values[index + behind]) - static_cast<double>(values[index - before])) / steps;
}

}  // namespace

template <class Number>
std::optional<ValueAndGradient> trilinear(const Grid& grid, std::span<const Number> values, const Real3& point) {
  const auto cell = cell_of(grid, point);
  if (!cell) return std::nullopt;
  const auto& [x, y, z] = cell->part;
  const std::size_t first = grid.index(cell->corner[0], cell->corner[1], cell->corner[2]);
  std::array<double, 4> along_x{}, slope_x{};  // of the edges at (y, z) = (0, 0), (1, 0), (0, 1), (1, 1)
  for (std::size_t edge = 0; edge < 4; ++edge) {
    const std::size_t at = first + (edge % 2) * grid.stride()[1] + (edge / 2) * grid.stride()[2];
    const double a = static_cast<double>(values[at]), b = static_cast<double>(values[at + 1]);
    slope_x[edge] = b - a;
    along_x[edge] = a + x * (b - a);
  }
  const double low = between(along_x[0], along_x[1], y), high = between(along_x[2], along_x[3], y);
  const double slope_y = between(along_x[1] - along_x[0], along_x[3] - along_x[2], z);
  const double all_x = between(between(slope_x[0], slope_x[1], y), between(slope_x[2], slope_x[3], y), z);
  const double h = grid.spacing;
  return ValueAndGradient{between(low, high, z), {all_x / h, slope_y / h, (high - low) / h}};
}

template <class Number>
std::optional<ValueAndGradient> trilinear_with_nodal_gradient(const Grid& grid, std::span<const Number> values,
                                                              const Real3& point) {
  const auto cell = cell_of(grid, point);
  if (!cell) return std::nullopt;
  ValueAndGradient sum;
  for (std::size_t corner = 0; corner < 8; ++corner) {
    std::array<std::size_t, 3> at = cell->corner;
    double weight = 1;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const bool upper = ((corner >> axis) & 1U) != 0;
      at[axis] += upper ? 1 : 0;
      weight *= upper ? cell->part[axis] : 1 - cell->part[axis];
    }
    sum.value += weight * static_cast<double>(values[grid.index(at[0], at[1], at[2])]);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      sum.gradient[axis] += weight * difference(grid, values, at, axis) / grid.spacing;
    }
  }
  return sum;
}

template std::optional<ValueAndGradient> trilinear(const Grid&, std::span<const float>, const Real3&);
template std::optional<ValueAndGradient> trilinear(const Grid&, std::span<const double>, const Real3&);
template std::optional<ValueAndGradient> trilinear_with_nodal_gradient(const Grid&, std::span<const float>,
                                                                       const Real3&);
template std::optional<ValueAndGradient> trilinear_with_nodal_gradient(const Grid&, std::span<const double>,
                                                                       const Real3&);

}  // namespace scree::grains
