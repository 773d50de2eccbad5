#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "host/packing/region.hpp"
#include "host/packing/sphere_grid.hpp"
#include "scree/case.hpp"

namespace scree::packing {

/// The largest number of particles that ids can distinguish.
inline constexpr std::uint64_t most_particles = (std::uint64_t{1} << 31) - 1;

/// Throws CaseError (path: empty) because a fill needs more than `most_particles`.
[[noreturn]] void refuse_too_many();
/// Throws CaseError (path: empty) with the expected number of particles of a fill if it is above `most_particles`. This
/// check comes before the particles are drawn.
void expect_few_enough(double particles);

/// Spheres of one group, in the order of their ids.
struct Spheres {
  std::vector<Real3> position;  ///< [m]
  std::vector<double> radius;   ///< [m]
};

/// The method that found the places of spheres.
enum class FillMethod { insertion, relaxation, growth, lattice };

/// Places spheres of known radii [m], in the order of `radii`, wholly inside a region, where they overlap neither each
/// other nor `obstacles`. The order of the ids is unrelated to the places. Thin fills (solid fraction up to 0.2) are
/// made by random sequential insertion. Denser fills (to about 0.57) are made by pushing apart spheres that were
/// scattered evenly. If that fails, the fill is grown as by pack_densely() if this takes at most about a minute, and
/// otherwise placed on a lattice with jitter (to about 0.7 for equal spheres). `method` receives the method that was
/// used. Equal seeds give equal bits. In a periodic `cell` spheres do not overlap across its faces either. Throws
/// CaseError (path: empty) with the number that fits if the fill is impossible.
[[nodiscard]] Spheres place_spheres(const FillRegion& region, std::vector<double> radii, const Spheres& obstacles,
                                    std::uint64_t seed, std::uint64_t group, const geometry::CellFrame* cell = nullptr,
                                    FillMethod* method = nullptr);

/// Measures of a dense packing.
struct PackingQuality {
  double solid_fraction = 0;  ///< [-] volume of the spheres over the volume of the region
  double closest = 0;         ///< [-] smallest gap of two spheres over the smaller radius; negative: an overlap
  double coordination = 0;    ///< [-] spheres and obstacles nearer than 1 % of the smaller radius, mean per sphere
};

/// Grows a dense random packing: spheres with reduced radii are relaxed until none overlap, and then grow step by step
/// to their full radii. In each step overlapping spheres repel each other by springs, and FIRE (Bitzek et al. 2006)
/// minimises the energy. No overlaps are left. Equal spheres reach a solid fraction of about 0.63 in a periodic cell,
/// and less near walls. Throws CaseError (path: empty) with the solid fraction that was reached if growth stops early.
[[nodiscard]] Spheres pack_densely(const FillRegion& region, std::vector<double> radii, const Spheres& obstacles,
                                   std::uint64_t seed, std::uint64_t group, const geometry::CellFrame* cell,
                                   PackingQuality& quality);

/// Radii [m] of a fill of one kind, in the order of the ids, drawn from the random stream of the sizes of entry
/// `group`. Throws CaseError (path: empty or "count") if there are too many.
[[nodiscard]] std::vector<double> radii_of_fill(const FillRegion& region, const Fill& fill,
                                                const SizeDistribution& sizes, std::uint64_t seed, std::uint64_t group);

/// A grid that holds the obstacles, for spheres with these radii [m] in this region.
[[nodiscard]] SphereGrid grid_with_obstacles(const FillRegion& region, const std::vector<double>& radii,
                                             const Spheres& obstacles);

/// The images of obstacles that reach into the bounds of a region.
[[nodiscard]] Spheres obstacles_near(const FillRegion& region, const Spheres& obstacles,
                                     const geometry::CellFrame* cell);
/// Throws CaseError (path: empty) if spheres overlap each other across the faces of a cell. This happens if the region
/// `name` is larger than the cell or crosses its faces.
void expect_apart_across_faces(const Spheres& spheres, const geometry::CellFrame& cell, const std::string& name);

// Methods that place spheres with given radii. `grid` holds the obstacles, and the methods insert the spheres into it.
// `position` is in the order of `radii` and is valid only if all spheres were placed.

/// Tries random places for one sphere after the other, largest first. Returns how many spheres were placed.
[[nodiscard]] std::size_t insert_at_random(const FillRegion& region, const std::vector<double>& radii, SphereGrid& grid,
                                           Random& random, std::vector<Real3>& position);
/// Result of a scatter: no overlap is left; overlaps are left; or the region has too few sites for the spheres.
enum class Scatter { apart, crowded, without_sites };
/// Scatters all spheres evenly and pushes apart those that overlap.
[[nodiscard]] Scatter relax_from_scatter(const FillRegion& region, const std::vector<double>& radii, SphereGrid& grid,
                                         Random& random, std::vector<Real3>& position);
/// Pushes overlapping spheres apart; spheres with numbers below `first` stay in place. Stops after about `most_turns`
/// turns, in each of which one sphere is pushed. Returns whether no overlap is left.
[[nodiscard]] bool push_apart(const FillRegion& region, SphereGrid& grid, std::uint32_t first, std::size_t most_turns);
/// The largest number of moves of all spheres in a step of growth, and in the last step.
struct GrowthPatience {
  int moves = 0, last_moves = 0;
};
/// Scatters spheres with reduced radii and grows them to their full radii, which have the solid fraction `fraction`.
/// Returns the solid fraction that was reached: `fraction` itself if all spheres have their full radii.
[[nodiscard]] double grow_from_scatter(const FillRegion& region, const std::vector<double>& radii,
                                       const Spheres& obstacles, double fraction, const GrowthPatience& patience,
                                       Random& random, std::vector<Real3>& position);
/// Puts the spheres on a face-centred lattice with room for the largest, and moves each at random. Returns the number
/// of spheres that have a site.
[[nodiscard]] std::size_t jitter_lattice(const FillRegion& region, const std::vector<double>& radii, SphereGrid& grid,
                                         Random& random, std::vector<Real3>& position);

}  // namespace scree::packing
