#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "host/bench/tile.hpp"

namespace scree {

enum class SizeSpread { equal, power_law, bidisperse };

/// The sizes of the spheres of an assembly. The smallest radius is always 1 mm. A power law n(r) ~ r^-4 has the same
/// solid volume in every octave of radii. A bidisperse mixture has the same solid volume in both of its sizes.
struct AssemblyKind {
  SizeSpread spread = SizeSpread::equal;
  double ratio = 1;  ///< [-] largest to smallest radius
};

/// The name of the spread in tables: "power_law", "bidisperse", or "equal" if all spheres have one size.
[[nodiscard]] std::string spread_name(const AssemblyKind& kind);

/// [m] About `n` radii, largest first, but at least so many that one sphere has the largest size. The radii are not
/// random: they are quantiles of the distribution.
[[nodiscard]] std::vector<double> assembly_radii(const AssemblyKind& kind, std::uint64_t n);

/// A dense random assembly: spheres scattered in a cube and pushed apart, octave by octave of size, then compacted by
/// a discrete element run of `settling_steps` steps until they touch. Equal input gives equal bits.
[[nodiscard]] Tile dense_tile(const AssemblyKind& kind, std::uint64_t n, int threads);

/// Equal spheres in a random packing so loose that about `pairs_per_particle` pairs per particle are within the Verlet
/// distance of box_scene(); if no random packing has so many, the densest one. Many spheres touch, with overlaps of up
/// to 0.6 % of their diameter.
[[nodiscard]] Tile loose_tile(std::uint64_t n, double pairs_per_particle, int threads);

/// Pairs within the Verlet distance of box_scene(), per particle.
[[nodiscard]] double pairs_per_particle(const Tile& tile, int threads);

/// [-] Solid fraction of a tile, computed from the height of its centre of volume as if the bed were uniform.
[[nodiscard]] double solid_fraction(const Tile& tile);

}  // namespace scree
