#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "scree/scene.hpp"
#include "scree/snapshot.hpp"

namespace scree {

/// Spheres, or clumps, in a box with a square floor, which is repeated to make large scenes: mirror images side by
/// side. A smooth rigid wall loads a sphere exactly as its own mirror image would, so a mirrored bed at rest stays at
/// rest, apart from friction. Clumps have all members in the plane of their first two principal axes, and grains are
/// symmetric about this plane, so that the mirror image of a particle is the same particle, turned.
struct Tile {
  ParticleSet particles;                ///< spheres only, or clumps only
  std::vector<ClumpShape> shapes = {};  ///< of the clumps
  std::vector<GrainShape> grains = {};  ///< that shapes name
  double width = 0;                     ///< [m] of the floor, which lies in the plane z = 0 from the origin on
};

/// The scene of all benchmarks: glass-like spheres, Hertz-Mindlin, friction and restitution 0.5, gravity along -z,
/// between a rough floor and four smooth rigid walls. The time step suits spheres of radius 1 mm.
[[nodiscard]] Scene box_scene(ParticleSet particles, double width_x, double width_y, Precision precision);

/// A particle file as cases read it; lengths with all digits. Throws OutputError.
void write_bed(const Scene& scene, const std::string& path);

/// The particles of a snapshot, brought to rest.
[[nodiscard]] ParticleSet at_rest(const Snapshot& snapshot);

/// Gives a scene of box_scene() the level-set shapes of a tile.
void add_grains(Scene& scene, const Tile& tile);

/// How many tiles come nearest to `n` particles, a clump being one; at least one tile.
[[nodiscard]] std::uint64_t tile_count(const Tile& tile, std::uint64_t n);

/// About `n` particles at rest: a whole number of tiles, in a floor plan as square as that number allows.
[[nodiscard]] Scene tiled_scene(const Tile& tile, std::uint64_t n, Precision precision);

}  // namespace scree
