#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "host/packing/region.hpp"
#include "host/packing/sphere_grid.hpp"
#include "scree/case.hpp"

namespace scree::packing {

/// Most particles that ids can tell apart.
inline constexpr std::uint64_t most_particles = (std::uint64_t{1} << 31) - 1;

/// Throws CaseError: a fill needs more particles than that.
[[noreturn]] void refuse_too_many();
/// Throws CaseError that says how many particles a fill is going to need, if they are more than that: before all of
/// them are drawn.
void expect_few_enough(double particles);

/// Spheres of one group, in the order of their ids.
struct Spheres {
  std::vector<Real3> position;  ///< [m]
  std::vector<double> radius;   ///< [m]
};

/// How places were found.
enum class FillMethod { insertion, relaxation, growth, lattice };

/// Places spheres of known radii, in the order of `radii`, wholly inside a region, where they overlap neither each
/// other nor `obstacles`. The places of two ids have nothing to do with each other, so ids are random in space. Thin
/// fills (solid fraction up to 0.2) are made by random sequential insertion, denser ones by pushing apart spheres that
/// were scattered evenly (to about 0.57). What that cannot reach is grown as by pack_densely(), but with less patience,
/// if it takes no more than about a minute. What is left stands on a lattice with jitter (equal spheres only, to about
/// 0.7): `method` says so. Equal seeds give equal bits. In a periodic `cell` all of this holds across its faces too.
/// Throws CaseError (empty path) that says what fits.
[[nodiscard]] Spheres place_spheres(const FillRegion& region, std::vector<double> radii, const Spheres& obstacles,
                                    std::uint64_t seed, std::uint64_t group, const geometry::CellFrame* cell = nullptr,
                                    FillMethod* method = nullptr);

/// What a dense packing is like.
struct PackingQuality {
  double solid_fraction = 0;  ///< [-] volume of the spheres over that of the region
  double closest = 0;         ///< [-] smallest gap of two spheres over the smaller radius; negative: an overlap
  double coordination = 0;    ///< [-] spheres and obstacles nearer than 1 % of the smaller radius, mean per sphere
};

/// Grows a dense random packing: spheres of scaled-down radii are relaxed until none overlap, and grown step by step to
/// their radii. In every step overlapping spheres repel each other by springs, and the energy is minimised by FIRE
/// (Bitzek et al. 2006). No overlaps are left. Equal spheres reach a solid fraction of about 0.63 in a periodic cell,
/// and less beside walls, where they pack worse. Throws CaseError (empty path) that says which solid fraction was
/// reached.
[[nodiscard]] Spheres pack_densely(const FillRegion& region, std::vector<double> radii, const Spheres& obstacles,
                                   std::uint64_t seed, std::uint64_t group, const geometry::CellFrame* cell,
                                   PackingQuality& quality);

/// Radii [m] of a fill of one kind, drawn in the order of the ids from the stream of the sizes of an entry. Throws
/// CaseError (path: none or "count") if there are too many.
[[nodiscard]] std::vector<double> radii_of_fill(const FillRegion& region, const Fill& fill,
                                                const SizeDistribution& sizes, std::uint64_t seed, std::uint64_t group);

/// The images of obstacles that reach into a region.
[[nodiscard]] Spheres obstacles_near(const FillRegion& region, const Spheres& obstacles,
                                     const geometry::CellFrame* cell);
/// Refuses spheres of a region that overlap images of each other across the faces of a cell.
void expect_apart_across_faces(const Spheres& spheres, const geometry::CellFrame& cell, const std::string& name);

/// The ways to place spheres of given radii; `grid` holds the obstacles and takes the spheres. `position` is in the
/// order of `radii`, and only meant for use when all were placed.

/// Tries random places for one sphere after the other, largest first. Returns how many found one.
[[nodiscard]] std::size_t insert_at_random(const FillRegion& region, const std::vector<double>& radii, SphereGrid& grid,
                                           Random& random, std::vector<Real3>& position);
/// What became of a scatter: no overlap is left; some are; or the region has too few places to scatter spheres over.
enum class Scatter { apart, crowded, without_sites };
/// Scatters all spheres evenly and pushes apart what overlaps.
[[nodiscard]] Scatter relax_from_scatter(const FillRegion& region, const std::vector<double>& radii, SphereGrid& grid,
                                         Random& random, std::vector<Real3>& position);
/// Pushes apart the overlapping ones among the spheres from number `first` on, and away from those before it, which
/// stay. Each push of one sphere is a turn. Returns whether no overlap is left.
[[nodiscard]] bool push_apart(const FillRegion& region, SphereGrid& grid, std::uint32_t first, std::size_t most_turns);
/// Most moves of all spheres in a step of growth, and in the last one.
struct GrowthPatience {
  int moves = 0, last_moves = 0;
};
/// Scatters smaller spheres and grows them up to their radii, which have the solid fraction `fraction`. Returns the
/// solid fraction that was reached: the same number where all have grown.
[[nodiscard]] double grow_from_scatter(const FillRegion& region, const std::vector<double>& radii,
                                       const Spheres& obstacles, double fraction, const GrowthPatience& patience,
                                       Random& random, std::vector<Real3>& position);
/// Puts the spheres on a face-centred lattice with room for the largest and moves each by chance. Returns for how many
/// the region has sites.
[[nodiscard]] std::size_t jitter_lattice(const FillRegion& region, const std::vector<double>& radii, SphereGrid& grid,
                                         Random& random, std::vector<Real3>& position);

}  // namespace scree::packing
