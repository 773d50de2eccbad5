#include "host/packing/lattice_sites.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "host/packing/exact_math.hpp"

namespace scree::packing {

std::vector<Real3> lattice_sites(const FillRegion& region, const SphereGrid& obstacles, double spacing, double radius) {
  const geometry::Bounds box = region.bounds();
  const double plane_distance = spacing / std::numbers::sqrt2;
  std::array<std::size_t, 3> planes{};
  Real3 step{};
  for (std::size_t k = 0; k < 3; ++k) {
    const double room = box.upper[k] - box.lower[k] - 2 * radius;
    if (room < 0) return {};
    planes[k] = static_cast<std::size_t>(std::floor(room / plane_distance));
    step[k] = planes[k] > 0 ? room / static_cast<double>(planes[k]) : 0;
  }
  const auto coordinate = [&](std::size_t k, std::size_t index) {
    return std::fmin(box.lower[k] + radius + static_cast<double>(index) * step[k], box.upper[k] - radius);
  };
  std::vector<Real3> sites;
  for (std::size_t z = 0; z <= planes[2]; ++z) {
    for (std::size_t y = 0; y <= planes[1]; ++y) {
      for (std::size_t x = (y + z) % 2; x <= planes[0]; x += 2) {
        const Real3 site = {coordinate(0, x), coordinate(1, y), coordinate(2, z)};
        if (region.holds(site, radius) && obstacles.is_free(site, radius)) sites.push_back(site);
      }
    }
  }
  return sites;
}

std::vector<Real3> widest_lattice(const FillRegion& region, const SphereGrid& obstacles, std::size_t count,
                                  double closest, double radius) {
  const auto wanted = static_cast<double>(count);
  double spacing = exact_cbrt(std::numbers::sqrt2 * region.volume() / wanted);
  while (true) {
    spacing = std::max(spacing, closest);
    auto sites = lattice_sites(region, obstacles, spacing, radius);
    if (sites.size() >= count || spacing == closest) return sites;
    const double share = std::max(static_cast<double>(sites.size()) / wanted, 0.7);
    spacing *= std::min(exact_cbrt(share), 0.995);
  }
}

}  // namespace scree::packing
