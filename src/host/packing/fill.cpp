#include "host/packing/fill.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "host/packing/sizes.hpp"
#include "host/text.hpp"
#include "scree/errors.hpp"

namespace scree::packing {
namespace {

constexpr double thin_fraction = 0.2;     // above it, insertion takes more than some five attempts a sphere
constexpr double random_fraction = 0.6;  // above it, spheres that are pushed apart at random jam

double sphere_volume(double radius) { return 4.0 / 3.0 * std::numbers::pi * radius * radius * radius; }

double total_volume(const std::vector<double>& radii) {
  double sum = 0;
  for (const double radius : radii) sum += sphere_volume(radius);
  return sum;
}

[[noreturn]] void too_many() {
  throw CaseError("", "needs more than the " + count_text(most_particles) + " particles that ids can tell apart");
}

/// As many radii as were asked for, or as come nearest to the volume asked for.
std::vector<double> draw_radii(const Fill& fill, const SizeDistribution& sizes, double volume, Random& random) {
  const SizeSampler sampler(sizes);
  std::vector<double> radii;
  if (fill.count) {
    if (*fill.count > most_particles) too_many();
    radii.resize(*fill.count);
    for (double& radius : radii) radius = sampler.draw(random);
    return radii;
  }
  const double target = *fill.solid_fraction * volume;
  if (target / sphere_volume(largest_size(sizes)) > static_cast<double>(most_particles)) too_many();
  for (double sum = 0; true;) {
    const double radius = sampler.draw(random), with_it = sum + sphere_volume(radius);
    if (with_it > target && with_it - target > target - sum) break;
    if (radii.size() == most_particles) too_many();
    radii.push_back(radius);
    sum = with_it;
  }
  return radii;
}

SphereGrid grid_of(const FillRegion& region, const std::vector<double>& radii, const Spheres& obstacles) {
  const geometry::Bounds box = region.bounds();
  double largest = *std::max_element(radii.begin(), radii.end());
  std::vector<std::size_t> near;
  for (std::size_t i = 0; i < obstacles.position.size(); ++i) {
    bool reaches = true;
    for (std::size_t k = 0; k < 3; ++k) {
      const double x = obstacles.position[i][k], r = obstacles.radius[i];
      reaches = reaches && x + r > box.lower[k] && x - r < box.upper[k];
    }
    if (reaches) {
      near.push_back(i);
      largest = std::max(largest, obstacles.radius[i]);
    }
  }
  SphereGrid grid(box, largest, radii.size() + near.size());
  for (const auto i : near) grid.insert(obstacles.position[i], obstacles.radius[i]);
  return grid;
}

[[noreturn]] void does_not_fit(const FillRegion& region, const std::vector<double>& radii, double fraction,
                               std::size_t fits, double fraction_that_fits) {
  const std::string where = "this " + region.name();
  if (fits == 0) {
    const double largest = *std::max_element(radii.begin(), radii.end());
    throw CaseError("", "no sphere of radius " + short_number_text(largest) + " finds room in " + where);
  }
  throw CaseError("", "cannot place " + count_text(radii.size()) + " spheres (solid fraction " +
                          short_number_text(fraction, 3) + ") in " + where + ": about " + count_text(fits) +
                          " (solid fraction " + short_number_text(fraction_that_fits, 2) +
                          ") fit; ask for fewer or enlarge the region");
}

}  // namespace

Spheres fill_region(const FillRegion& region, const Fill& fill, const SizeDistribution& sizes, const Spheres& obstacles,
                    std::uint64_t seed, std::uint64_t group) {
  if (const auto problem = size_problem(sizes)) throw CaseError("", "radius: " + *problem);
  Random for_sizes(seed, 2 * group), for_places(seed, 2 * group + 1);
  Spheres spheres;
  spheres.radius = draw_radii(fill, sizes, region.volume(), for_sizes);
  if (spheres.radius.empty()) return spheres;
  const double fraction = total_volume(spheres.radius) / region.volume();

  // Each way that failed says how much it could place; a lattice site is as good for any sphere, while insertion has
  // placed the largest ones when it gives up.
  std::size_t best = 0;
  double best_fraction = 0;
  if (fraction > thin_fraction && fraction < 0.75) {
    SphereGrid scattered = grid_of(region, spheres.radius, obstacles);
    if (fraction < random_fraction &&
        relax_from_scatter(region, spheres.radius, scattered, for_places, spheres.position)) {
      return spheres;
    }
    SphereGrid ordered = grid_of(region, spheres.radius, obstacles);
    best = jitter_lattice(region, spheres.radius, ordered, for_places, spheres.position);
    if (best == spheres.radius.size()) return spheres;
    best_fraction = fraction * static_cast<double>(best) / static_cast<double>(spheres.radius.size());
  }
  SphereGrid grid = grid_of(region, spheres.radius, obstacles);
  const std::size_t placed = insert_at_random(region, spheres.radius, grid, for_places, spheres.position);
  if (placed == spheres.radius.size()) return spheres;
  std::vector<double> sorted = spheres.radius;
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  sorted.resize(placed);
  const double placed_fraction = total_volume(sorted) / region.volume();
  if (placed_fraction > best_fraction) does_not_fit(region, spheres.radius, fraction, placed, placed_fraction);
  does_not_fit(region, spheres.radius, fraction, best, best_fraction);
}

}  // namespace scree::packing
