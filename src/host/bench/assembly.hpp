#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "host/bench/tile.hpp"

namespace scree {

enum class SizeSpread { equal, power_law, bidisperse };

/// Which spheres an assembly is made of. The smallest have a radius of 1 mm, whatever the spread. A power law
/// n(r) ~ r^-4 has the same solid volume in every octave of radii, a bidisperse mixture in both of its sizes.
struct AssemblyKind {
  SizeSpread spread = SizeSpread::equal;
  double ratio = 1;  ///< [-] largest to smallest radius
};

/// "power_law", or "equal" when all have one size.
[[nodiscard]] std::string spread_name(const AssemblyKind& kind);

/// Radii [m], largest first: about `n`, and at least so many that there is a sphere of the largest size. Nothing is
/// drawn: the radii are quantiles of the distribution.
[[nodiscard]] std::vector<double> assembly_radii(const AssemblyKind& kind, std::uint64_t n);

/// A dense random assembly: spheres scattered in a cube and pushed apart, octave by octave of size, then compacted by
/// a discrete element run of `settling_steps` steps until they touch. Equal input gives equal bits.
[[nodiscard]] Tile dense_tile(const AssemblyKind& kind, std::uint64_t n, int threads);

/// Equal spheres, scattered so loosely that `pairs_per_particle` are within the Verlet distance of box_scene(), or as
/// near to it as a random packing comes. Many touch, overlapping by up to 0.6 % of their diameter.
[[nodiscard]] Tile loose_tile(std::uint64_t n, double pairs_per_particle, int threads);

/// Pairs within the Verlet distance of box_scene(), per particle.
[[nodiscard]] double pairs_per_particle(const Tile& tile, int threads);

/// Solid fraction [-] of an even bed with this centre of volume.
[[nodiscard]] double solid_fraction(const Tile& tile);

}  // namespace scree
