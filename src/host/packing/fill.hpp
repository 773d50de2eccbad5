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
/// random in space and in size. Up to a solid fraction of 0.25 by random sequential insertion, largest first; above
/// that the spheres start on a face-centred lattice with room for the largest, and are then shaken (Monte Carlo moves
/// of hard spheres), which leaves no trace of the lattice up to about 0.45; what no lattice holds is tried by insertion
/// (wide distributions reach 0.4 and more). Equal seeds give equal bits.
/// Throws CaseError (empty path) that says what fits.
[[nodiscard]] Spheres fill_region(const FillRegion& region, const Fill& fill, const SizeDistribution& sizes,
                                  const Spheres& obstacles, std::uint64_t seed, std::uint64_t group);

/// The two ways to place spheres of given radii; `grid` holds the obstacles. Both return how many fit, and put the
/// spheres into `position` (in the order of `radii`) when that is all of them.
[[nodiscard]] std::size_t insert_at_random(const FillRegion& region, const std::vector<double>& radii, SphereGrid& grid,
                                           Random& random, std::vector<Real3>& position);
[[nodiscard]] std::size_t shake_from_lattice(const FillRegion& region, const std::vector<double>& radii,
                                             SphereGrid& grid, Random& random, std::vector<Real3>& position);

}  // namespace scree::packing
