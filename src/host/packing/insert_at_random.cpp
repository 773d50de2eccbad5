#include <algorithm>
#include <numeric>

#include "host/packing/fill.hpp"

namespace scree::packing {

std::size_t insert_at_random(const FillRegion& region, const std::vector<double>& radii, SphereGrid& grid,
                             Random& random, std::vector<Real3>& position) {
  constexpr std::size_t most_attempts_for_one = 100000;
  std::size_t attempts_left = 20'000'000 + 100 * radii.size();
  std::vector<std::size_t> order(radii.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return radii[a] > radii[b]; });
  position.assign(radii.size(), Real3{});
  for (std::size_t placed = 0; placed < order.size(); ++placed) {
    const std::size_t id = order[placed];
    std::size_t attempts = std::min(most_attempts_for_one, attempts_left);
    while (true) {
      if (attempts-- == 0) return placed;
      --attempts_left;
      const Real3 centre = region.candidate(radii[id], random);
      if (!region.holds(centre, radii[id]) || !grid.is_free(centre, radii[id])) continue;
      grid.insert(centre, radii[id]);
      position[id] = centre;
      break;
    }
  }
  return order.size();
}

}  // namespace scree::packing
