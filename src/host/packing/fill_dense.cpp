#include <algorithm>
#include <numbers>
#include <numeric>
#include <optional>

#include "host/packing/exact_math.hpp"
#include "host/packing/fill.hpp"
#include "host/packing/lattice_sites.hpp"

namespace scree::packing {
namespace {

double lattice_spacing(const FillRegion& region, std::size_t count) {
  return exact_cbrt(std::numbers::sqrt2 * region.volume() / static_cast<double>(count));
}

/// Gives each sphere a random site and inserts it into the grid. Returns the ids in the order of insertion. This is the
/// order of the sites, so that neighbours in space are near in memory.
std::vector<std::size_t> take_sites(const std::vector<Real3>& sites, const std::vector<double>& radii, SphereGrid& grid,
                                    Random& random) {
  std::vector<std::size_t> site_of(sites.size());
  std::iota(site_of.begin(), site_of.end(), std::size_t{0});
  for (std::size_t id = 0; id < radii.size(); ++id) {
    std::swap(site_of[id], site_of[id + random.below(sites.size() - id)]);
  }
  std::vector<std::size_t> ids(radii.size());
  std::iota(ids.begin(), ids.end(), std::size_t{0});
  std::sort(ids.begin(), ids.end(), [&](std::size_t a, std::size_t b) { return site_of[a] < site_of[b]; });
  for (const auto id : ids) grid.insert(sites[site_of[id]], radii[id]);
  return ids;
}

std::vector<Real3> positions(const SphereGrid& grid, const std::vector<std::size_t>& ids) {
  std::vector<Real3> position(ids.size());
  const std::size_t first = grid.size() - ids.size();
  for (std::size_t k = 0; k < ids.size(); ++k) position[ids[k]] = grid.centre(static_cast<std::uint32_t>(first + k));
  return position;
}

/// The distance [m] that sites of a scatter keep from the border of the region. The radius of the smallest sphere is
/// enough, because each sphere is pulled inside by its own radius later; with the largest radius small spheres would be
/// missing at the border. For nearly equal radii the random shift hides this effect, and the largest radius is safer.
double margin_of_sites(const std::vector<double>& radii) {
  constexpr double little = 1.25;
  const auto [smallest, largest] = std::minmax_element(radii.begin(), radii.end());
  return *largest <= little * *smallest ? *largest : *smallest;
}

/// A random place inside the region near a site, or the site itself; nothing if the region holds neither.
std::optional<Real3> place_about(const Real3& site, double shift, const FillRegion& region, double radius,
                                 Random& random) {
  // A random shift by more than the spacing removes the order of the lattice but keeps its even density.
  const Real3 inside = region.pulled_inside(geometry::along(site, 1.1 * shift, random.in_ball()), radius);
  if (region.holds(inside, radius)) return inside;
  if (region.holds(site, radius)) return site;
  return std::nullopt;
}

/// Pushes overlapping spheres apart, one after the other, until none overlap or the turns are used up.
class Relaxation {
 public:
  Relaxation(const FillRegion& region, SphereGrid& grid, std::uint32_t first)
      : region_(region), grid_(grid), first_(first), waits_(grid.size() - first, true), queue_(waits_.size()) {
    std::iota(queue_.begin(), queue_.end(), first);
  }

  /// Each overlapping pair always has a member in the queue, so no spheres overlap when the queue is empty.
  bool run(std::size_t most_turns) {
    for (std::size_t turn = 0; !queue_.empty(); ++turn) {
      // Each round processes the spheres in the order of their numbers, which is the order in memory.
      round_.swap(queue_);
      std::sort(round_.begin(), round_.end());
      for (const auto number : round_) {
        waits_[number - first_] = false;
        push_apart(number);
      }
      turn += round_.size();
      round_.clear();
      if (turn > most_turns) return queue_.empty();
    }
    return true;
  }

 private:
  void push_apart(std::uint32_t number) {
    const double radius = grid_.radius(number);
    Real3 centre = grid_.centre(number);
    near_.clear();
    grid_.visit_near(centre, radius, [&](std::uint32_t other, const Real3& place, double other_radius) {
      const double touch = radius + other_radius;
      if (other != number && geometry::squared_length(geometry::subtract(place, centre)) < touch * touch) {
        near_.push_back({other, geometry::subtract(place, grid_.centre(other))});
      }
      return true;
    });
    if (near_.empty()) return;
    std::sort(near_.begin(), near_.end());
    std::uint32_t last = SphereGrid::none;
    for (const auto& [other, shift] : near_) {
      if (other == last) continue;  // another image of the sphere that has just moved; the next turn treats it
      last = other;
      constexpr double spare = 1.006;          // leaves a small gap, so that the next push does not undo this one
      constexpr double over_relaxation = 1.7;  // needs a third of the turns of 1; from 1.8 on dense fills jam
      const double other_radius = grid_.radius(other), touch = radius + other_radius;
      const Real3 branch = geometry::subtract(geometry::add(grid_.centre(other), shift), centre);
      const double distance = geometry::length(branch);
      const Real3 normal = distance > 0 ? geometry::scaled(branch, 1 / distance) : Real3{1, 0, 0};
      const double push = over_relaxation * std::max(spare * touch - distance, 0.0);
      const bool fixed = other < first_;
      const double share = fixed ? 1.0 : other_radius / touch;
      centre = geometry::along(centre, -share * push, normal);
      if (!fixed) place(other, geometry::along(grid_.centre(other), (1 - share) * push, normal));
    }
    place(number, centre);
  }

  void place(std::uint32_t number, const Real3& centre) {
    const Real3 inside = region_.pulled_inside(centre, grid_.radius(number));
    if (region_.holds(inside, grid_.radius(number))) grid_.move(number, inside);
    if (waits_[number - first_]) return;
    waits_[number - first_] = true;
    queue_.push_back(number);
  }

  const FillRegion& region_;
  SphereGrid& grid_;
  std::uint32_t first_;
  std::vector<bool> waits_;
  std::vector<std::uint32_t> queue_, round_;
  /// the number of an overlapping sphere, and the vector [m] from its centre to the image that overlaps
  std::vector<std::pair<std::uint32_t, Real3>> near_;
};

}  // namespace

bool push_apart(const FillRegion& region, SphereGrid& grid, std::uint32_t first, std::size_t most_turns) {
  return Relaxation(region, grid, first).run(most_turns);
}

Scatter relax_from_scatter(const FillRegion& region, const std::vector<double>& radii, SphereGrid& grid, Random& random,
                           std::vector<Real3>& position) {
  const double margin = margin_of_sites(radii), spacing = lattice_spacing(region, radii.size());
  std::vector<Real3> sites = region.cell() != nullptr
                                 ? even_sites(region, grid, radii.size(), margin)
                                 : widest_lattice(region, grid, radii.size(), 0.5 * spacing, margin);
  // In a narrow tube that is not parallel to an axis, hardly any site of a lattice has room.
  if (sites.size() < radii.size() && region.cell() == nullptr) {
    sites = widest_lattice(region, grid, radii.size(), 0.5 * spacing, margin, Pull::inside);
  }
  if (sites.size() < radii.size()) return Scatter::without_sites;
  const auto first = static_cast<std::uint32_t>(grid.size());
  const auto ids = take_sites(sites, radii, grid, random);
  constexpr int most_tries = 1000;
  for (std::uint32_t k = 0; k < ids.size(); ++k) {
    const double radius = radii[ids[k]];
    auto centre = place_about(grid.centre(first + k), spacing, region, radius, random);
    for (int tries = 0; !centre && tries < most_tries; ++tries) {
      centre = place_about(sites[random.below(sites.size())], spacing, region, radius, random);
    }
    if (!centre) return Scatter::without_sites;
    grid.move(first + k, *centre);
  }
  if (!push_apart(region, grid, first, 80 * radii.size() + 100000)) return Scatter::crowded;
  position = positions(grid, ids);
  return Scatter::apart;
}

std::size_t jitter_lattice(const FillRegion& region, const std::vector<double>& radii, SphereGrid& grid, Random& random,
                           std::vector<Real3>& position) {
  constexpr int sweeps = 4;
  const double largest = *std::max_element(radii.begin(), radii.end());
  const double closest = 2 * largest * (1 + 1e-9);  // room for rounding, so that neighbours never overlap
  const std::vector<Real3> sites = widest_lattice(region, grid, radii.size(), closest, largest);
  if (sites.size() < radii.size()) return sites.size();
  const auto first = static_cast<std::uint32_t>(grid.size());
  const auto ids = take_sites(sites, radii, grid, random);
  const double spacing = lattice_spacing(region, radii.size());
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    for (std::uint32_t k = 0; k < ids.size(); ++k) {
      const double radius = radii[ids[k]], reach = std::max(spacing - 2 * radius, 0.05 * radius);
      const Real3 centre = geometry::along(grid.centre(first + k), reach, random.in_ball());
      if (region.holds(centre, radius) && grid.is_free(centre, radius, first + k)) grid.move(first + k, centre);
    }
  }
  position = positions(grid, ids);
  return radii.size();
}

}  // namespace scree::packing
