#include "host/packing/fill.hpp"

#include <algorithm>
#include <functional>

#include "host/geometry/sphere_volume.hpp"
#include "host/packing/sizes.hpp"
#include "host/text/text.hpp"
#include "scree/errors.hpp"

namespace scree::packing {
namespace {

constexpr double thin_fraction = 0.2;        // above it, insertion needs more than about five attempts per sphere
constexpr double insertion_fraction = 0.45;  // above it, insertion saturates even for wide distributions
constexpr double random_fraction = 0.6;      // above it, scattered spheres that are pushed apart jam
constexpr double grown_fraction = 0.64;      // above it, growing spheres jam too, unless their radii differ much
constexpr std::size_t most_grown = 100'000;  // takes about a minute
// A step that succeeds takes some hundred moves; a jammed step never ends.
constexpr GrowthPatience some_patience{1000, 1000};

double total_volume(const std::vector<double>& radii) {
  double sum = 0;
  for (const double radius : radii) sum += geometry::sphere_volume(radius);
  return sum;
}

/// Draws as many radii as the fill asks for, or as many as come nearest to its solid fraction of `volume` [m3].
std::vector<double> draw_radii(const Fill& fill, const SizeDistribution& sizes, double volume, Random& random) {
  const SizeSampler sampler(sizes);
  std::vector<double> radii;
  if (fill.count) {
    if (*fill.count > most_particles) refuse_too_many();
    radii.resize(*fill.count);
    for (double& radius : radii) radius = sampler.draw(random);
    return radii;
  }
  const double target = *fill.solid_fraction * volume;
  expect_few_enough(target / (geometry::sphere_volume(1) * mean_cube(sizes)));
  for (double sum = 0; true;) {
    const double radius = sampler.draw(random), with_it = sum + geometry::sphere_volume(radius);
    if (with_it > target && with_it - target > target - sum) break;
    if (radii.size() == most_particles) refuse_too_many();
    radii.push_back(radius);
    sum = with_it;
  }
  return radii;
}

/// One fill: tries one method after the other, and remembers the largest solid fraction that was possible.
class Attempt {
 public:
  Attempt(const FillRegion& region, std::vector<double> radii, const Spheres& obstacles, Random& random)
      : region_(region), obstacles_(obstacles), random_(random), spheres_{{}, std::move(radii)} {
    fraction_ = total_volume(spheres_.radius) / region.volume();
  }

  FillMethod run() {
    const bool thin = fraction_ <= thin_fraction;
    if (thin && insert()) return FillMethod::insertion;
    const Scatter scattered = fraction_ < random_fraction ? scatter(spheres_.radius) : Scatter::crowded;
    if (scattered == Scatter::apart) return FillMethod::relaxation;
    const bool has_sites = scattered == Scatter::crowded || !obstacles_.radius.empty();  // for reduced radii at least
    if (has_sites && grow()) return FillMethod::growth;
    if (!thin && fraction_ <= insertion_fraction && insert()) return FillMethod::insertion;
    if (lattice()) return FillMethod::lattice;
    fail();
  }

  [[nodiscard]] Spheres take() { return std::move(spheres_); }

 private:
  bool insert() {
    SphereGrid grid = grid_with_obstacles(region_, spheres_.radius, obstacles_);
    const std::size_t placed = insert_at_random(region_, spheres_.radius, grid, random_, spheres_.position);
    std::vector<double> largest = spheres_.radius;  // the spheres that were placed: insertion begins with the largest
    std::sort(largest.begin(), largest.end(), std::greater<>());
    largest.resize(placed);
    remember(placed, total_volume(largest) / region_.volume());
    return placed == spheres_.radius.size();
  }

  Scatter scatter(const std::vector<double>& radii) {
    SphereGrid grid = grid_with_obstacles(region_, radii, obstacles_);
    return relax_from_scatter(region_, radii, grid, random_, spheres_.position);
  }

  bool grow() {
    const std::size_t count = spheres_.radius.size();
    if (fraction_ > grown_fraction || count > most_grown) return false;
    const double reached =
        grow_from_scatter(region_, spheres_.radius, obstacles_, fraction_, some_patience, random_, spheres_.position);
    remember(static_cast<std::size_t>(reached / fraction_ * static_cast<double>(count)), reached);
    return reached >= fraction_;
  }

  bool lattice() {
    SphereGrid grid = grid_with_obstacles(region_, spheres_.radius, obstacles_);
    const std::size_t sites = jitter_lattice(region_, spheres_.radius, grid, random_, spheres_.position);
    const auto share = static_cast<double>(sites) / static_cast<double>(spheres_.radius.size());
    remember(sites, fraction_ * share);
    return sites == spheres_.radius.size();
  }

  void remember(std::size_t count, double fraction) {
    if (fraction <= best_fraction_) return;
    best_ = count;
    best_fraction_ = fraction;
  }

  [[noreturn]] void fail() {
    const std::string where = "this " + region_.name();
    for (const double trial : {0.55, 0.45, 0.3}) {
      const double share = trial / fraction_;
      if (share >= 1 || trial <= best_fraction_) continue;
      const auto count = static_cast<std::size_t>(share * static_cast<double>(spheres_.radius.size()));
      const auto first = spheres_.radius.begin();
      const std::vector<double> fewer(first, first + static_cast<std::ptrdiff_t>(count));
      if (count > 0 && scatter(fewer) == Scatter::apart) remember(count, trial);
    }
    // If insertion fails at such a small solid fraction, hardly any part of the region is free.
    constexpr double little = 1e-3;
    const char* const hint = fraction_ < little ? "; hardly any part of it is free: are all lengths in metres?" : "";
    if (best_ == 0) {
      const double largest = *std::max_element(spheres_.radius.begin(), spheres_.radius.end());
      throw CaseError("", "no sphere of radius " + number_text(largest) + " finds room in " + where + hint);
    }
    throw CaseError("", "cannot place " + count_text(spheres_.radius.size()) + " particles (solid fraction " +
                            short_number_text(fraction_, 3) + ") in " + where + ": about " + count_text(best_) +
                            " (solid fraction " + short_number_text(best_fraction_, 2) + ") fit" +
                            (fraction_ < little ? hint : "; ask for fewer or enlarge the region"));
  }

  const FillRegion& region_;
  const Spheres& obstacles_;
  Random& random_;
  Spheres spheres_;
  double fraction_ = 0;
  std::size_t best_ = 0;
  double best_fraction_ = 0;
};

}  // namespace

SphereGrid grid_with_obstacles(const FillRegion& region, const std::vector<double>& radii, const Spheres& obstacles) {
  double largest = *std::max_element(radii.begin(), radii.end());
  for (const double r : obstacles.radius) largest = std::max(largest, r);
  const std::size_t expected = radii.size() + obstacles.radius.size();
  SphereGrid grid = region.cell() != nullptr ? SphereGrid(*region.cell(), largest, expected)
                                             : SphereGrid(region.bounds(), largest, expected);
  for (std::size_t i = 0; i < obstacles.radius.size(); ++i) grid.insert(obstacles.position[i], obstacles.radius[i]);
  return grid;
}

void refuse_too_many() {
  throw CaseError("", "needs more than the " + count_text(most_particles) + " particles that ids can tell apart");
}

void expect_few_enough(double particles) {
  if (!(particles > static_cast<double>(most_particles))) return;
  throw CaseError("", "needs about " + short_number_text(particles, 2) + " particles, more than the " +
                          count_text(most_particles) + " particles that ids can tell apart");
}

Spheres obstacles_near(const FillRegion& region, const Spheres& obstacles, const geometry::CellFrame* cell) {
  const geometry::Bounds box = region.bounds();
  Spheres near;
  const auto take = [&](const Real3& centre, double r) {
    bool reaches = true;
    for (std::size_t k = 0; k < 3; ++k) {
      reaches = reaches && centre[k] + r > box.lower[k] && centre[k] - r < box.upper[k];
    }
    if (!reaches) return;
    near.position.push_back(centre);
    near.radius.push_back(r);
  };
  const double size = geometry::length(geometry::subtract(box.upper, box.lower));
  const Real3 middle = geometry::scaled(geometry::add(box.lower, box.upper), 0.5);
  for (std::size_t i = 0; i < obstacles.position.size(); ++i) {
    const double r = obstacles.radius[i];
    if (cell == nullptr) {
      take(obstacles.position[i], r);
      continue;
    }
    const Real3 centre = cell->folded(obstacles.position[i]);
    cell->visit_shifts(middle, 0.5 * size + r, [&](const Real3& shift) {
      take(geometry::add(centre, shift), r);
      return true;
    });
  }
  return near;
}

void expect_apart_across_faces(const Spheres& spheres, const geometry::CellFrame& cell, const std::string& name) {
  constexpr double rounding = 1 - 1e-9;
  SphereGrid grid(cell, *std::max_element(spheres.radius.begin(), spheres.radius.end()), spheres.radius.size());
  for (std::size_t i = 0; i < spheres.radius.size(); ++i) {
    if (!grid.is_free(spheres.position[i], rounding * spheres.radius[i])) {
      std::string sentence = "spheres of this " + name;
      sentence += " overlap images of others across the faces of the periodic cell; keep the " + name;
      throw CaseError("", sentence + " inside the cell, or fill \"cell\"");
    }
    grid.insert(spheres.position[i], rounding * spheres.radius[i]);
  }
}

std::vector<double> radii_of_fill(const FillRegion& region, const Fill& fill, const SizeDistribution& sizes,
                                  std::uint64_t seed, std::uint64_t group) {
  constexpr std::uint64_t worth_trying = 1'000'000;  // for fewer spheres, trying finds out how many fit
  const double least = geometry::sphere_volume(smallest_size(sizes));
  if (fill.count && *fill.count > worth_trying && static_cast<double>(*fill.count) * least > region.volume()) {
    throw CaseError("count", "must leave room: " + count_text(*fill.count) + " spheres of the smallest size have " +
                                 short_number_text(static_cast<double>(*fill.count) * least / region.volume(), 3) +
                                 " times the volume of this " + region.name());
  }
  Random for_sizes(seed, 2 * group);
  return draw_radii(fill, sizes, region.volume(), for_sizes);
}

Spheres place_spheres(const FillRegion& region, std::vector<double> radii, const Spheres& obstacles, std::uint64_t seed,
                      std::uint64_t group, const geometry::CellFrame* cell, FillMethod* method) {
  if (radii.empty()) return {};
  Random for_places(seed, 2 * group + 1);
  const Spheres near = region.cell() != nullptr ? obstacles : obstacles_near(region, obstacles, cell);
  Attempt attempt(region, std::move(radii), near, for_places);
  const FillMethod used = attempt.run();
  if (method != nullptr) *method = used;
  Spheres spheres = attempt.take();
  if (region.cell() == nullptr && cell != nullptr) expect_apart_across_faces(spheres, *cell, region.name());
  return spheres;
}

}  // namespace scree::packing
