#pragma once

#include <cstdint>
#include <vector>

#include "host/packing/region.hpp"
#include "host/packing/sphere_grid.hpp"
#include "scree/case.hpp"

namespace scree::packing {

/// Most particles that ids can tell apart.
constexpr std::uint64_t most_particles = (std::uint64_t{1} << 31) - 1;

/// Spheres of one group, in the order of their ids.
struct Spheres {
  std::vector<Real3> position;  ///< [m]
  std::vector<double> radius;   ///< [m]
};

/// Fills a region with spheres that lie wholly inside it and overlap neither each other nor `obstacles`.
/// Radii are drawn in the order of the ids and the places of two ids have nothing to do with each other, so ids are
/// random in space and in size. Thin fills (solid fraction up to 0.2) are made by random sequential insertion, denser
/// ones by pushing apart spheres that were scattered evenly (random to about 0.58), and what that cannot reach by a
/// lattice with jitter (equal spheres only, to about 0.7). Equal seeds give equal bits.
/// In a periodic `cell` all of this holds across its faces too.
/// Throws CaseError (empty path) that says what fits.
[[nodiscard]] Spheres fill_region(const FillRegion& region, const Fill& fill, const SizeDistribution& sizes,
                                  const Spheres& obstacles, std::uint64_t seed, std::uint64_t group,
                                  const geometry::CellFrame* cell = nullptr);

/// The three ways to place spheres of given radii; `grid` holds the obstacles and takes the spheres. `position` is in
/// the order of `radii`, and only meant for use when all were placed.

/// Tries random places for one sphere after the other, largest first. Returns how many found one.
[[nodiscard]] std::size_t insert_at_random(const FillRegion& region, const std::vector<double>& radii, SphereGrid& grid,
                                           Random& random, std::vector<Real3>& position);
/// Scatters all spheres evenly and pushes apart what overlaps. Returns whether no overlap is left.
[[nodiscard]] bool relax_from_scatter(const FillRegion& region, const std::vector<double>& radii, SphereGrid& grid,
                                      Random& random, std::vector<Real3>& position);
/// Pushes apart the overlapping ones among the spheres from number `first` on, and away from those before it, which
/// stay. Each push of one sphere is a turn. Returns whether no overlap is left.
[[nodiscard]] bool push_apart(const FillRegion& region, SphereGrid& grid, std::uint32_t first, std::size_t most_turns);
/// Puts the spheres on a face-centred lattice with room for the largest and moves each by chance. Returns for how many
/// the region has sites.
[[nodiscard]] std::size_t jitter_lattice(const FillRegion& region, const std::vector<double>& radii, SphereGrid& grid,
                                         Random& random, std::vector<Real3>& position);

}  // namespace scree::packing
