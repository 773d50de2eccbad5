#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "host/packing/exact_math.hpp"
#include "host/packing/fill.hpp"

namespace scree::packing {
namespace {

/// Sites of a face-centred lattice with at least `spacing` between neighbours that hold a sphere of `radius`, x fastest.
/// The lattice is stretched along each axis until it spans the bounds of the region.
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
    const double upper = box.upper[k] - radius;
    return std::fmin(box.lower[k] + radius + static_cast<double>(index) * step[k], upper);
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

/// The widest lattice found that has at least `count` sites; fewer sites when even the closest one has not.
std::vector<Real3> widest_lattice(const FillRegion& region, const SphereGrid& obstacles, std::size_t count,
                                  double radius) {
  const double closest = 2 * radius * (1 + 1e-9);  // room for rounding, so that neighbours never overlap
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

/// Moves of hard spheres: each is tried in turn at a random place near by and stays where it fits.
void shake(const FillRegion& region, SphereGrid& grid, const std::vector<std::size_t>& ids,
           const std::vector<double>& radii, Random& random) {
  constexpr int sweeps = 24;
  const auto first = static_cast<std::uint32_t>(grid.size() - ids.size());
  const double spacing = exact_cbrt(std::numbers::sqrt2 * region.volume() / static_cast<double>(ids.size()));
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    for (std::uint32_t k = 0; k < ids.size(); ++k) {
      const double radius = radii[ids[k]], reach = std::max(spacing - 2 * radius, 0.05 * radius);
      const Real3 centre = geometry::along(grid.centre(first + k), reach, random.in_ball());
      if (region.holds(centre, radius) && grid.is_free(centre, radius, first + k)) grid.move(first + k, centre);
    }
  }
}

}  // namespace

std::size_t shake_from_lattice(const FillRegion& region, const std::vector<double>& radii, SphereGrid& grid,
                               Random& random, std::vector<Real3>& position) {
  const double largest = *std::max_element(radii.begin(), radii.end());
  const std::vector<Real3> sites = widest_lattice(region, grid, radii.size(), largest);
  if (sites.size() < radii.size()) return sites.size();

  std::vector<std::size_t> site_of(sites.size());  // of each id: a random choice in random order
  std::iota(site_of.begin(), site_of.end(), std::size_t{0});
  for (std::size_t id = 0; id < radii.size(); ++id) {
    std::swap(site_of[id], site_of[id + random.below(sites.size() - id)]);
  }
  std::vector<std::size_t> ids(radii.size());  // in the order of the sites, which keeps neighbours near in memory
  std::iota(ids.begin(), ids.end(), std::size_t{0});
  std::sort(ids.begin(), ids.end(), [&](std::size_t a, std::size_t b) { return site_of[a] < site_of[b]; });
  for (const auto id : ids) grid.insert(sites[site_of[id]], radii[id]);

  shake(region, grid, ids, radii, random);
  position.resize(radii.size());
  const std::size_t first = grid.size() - ids.size();
  for (std::size_t k = 0; k < ids.size(); ++k) position[ids[k]] = grid.centre(static_cast<std::uint32_t>(first + k));
  return radii.size();
}

}  // namespace scree::packing
