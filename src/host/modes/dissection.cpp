#include "host/modes/dissection.hpp"

#include <algorithm>
#include <numeric>
#include <span>

namespace scree::modes {
namespace {

constexpr std::size_t fewest_points = 30;  ///< parts of so few points are not divided

/// Orders a part of the points: the lower half, the upper half, then the layer between.
void dissect(const std::vector<std::array<std::int32_t, 3>>& place, std::span<std::int32_t> part) {
  if (part.size() <= fewest_points) return;
  std::size_t axis = 0;
  std::array<std::int32_t, 3> low{}, high{};
  for (std::size_t k = 0; k < 3; ++k) {
    const auto [first, last] = std::minmax_element(part.begin(), part.end(), [&](std::int32_t a, std::int32_t b) {
      return place[static_cast<std::size_t>(a)][k] < place[static_cast<std::size_t>(b)][k];
    });
    low[k] = place[static_cast<std::size_t>(*first)][k];
    high[k] = place[static_cast<std::size_t>(*last)][k];
    if (high[k] - low[k] > high[axis] - low[axis]) axis = k;
  }
  if (high[axis] - low[axis] < 2) return;
  const auto at = [&](std::int32_t point) { return place[static_cast<std::size_t>(point)][axis]; };
  std::vector<std::int32_t> layers(part.size());
  std::transform(part.begin(), part.end(), layers.begin(), at);
  const auto half = layers.begin() + static_cast<std::ptrdiff_t>(layers.size() / 2);
  std::nth_element(layers.begin(), half, layers.end());
  const std::int32_t middle = std::clamp(*half, low[axis] + 1, high[axis] - 1);
  const auto upper = std::stable_partition(part.begin(), part.end(), [&](auto point) { return at(point) < middle; });
  const auto layer = std::stable_partition(upper, part.end(), [&](auto point) { return at(point) > middle; });
  dissect(place, {part.begin(), upper});
  dissect(place, {upper, layer});
}

}  // namespace

std::vector<std::int32_t> dissection_order(const CutCells& cells) {
  std::vector<std::array<std::int32_t, 3>> place(cells.points());
  for (std::size_t point = 0; point < cells.points(); ++point) {
    const Real3 at = cells.place(cells.point[point]);
    for (std::size_t axis = 0; axis < 3; ++axis) place[point][axis] = static_cast<std::int32_t>(at[axis]);
  }
  std::vector<std::int32_t> order(cells.points());
  std::iota(order.begin(), order.end(), 0);
  dissect(place, order);
  return order;
}

}  // namespace scree::modes
