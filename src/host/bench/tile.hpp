#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "scree/scene.hpp"
#include "scree/snapshot.hpp"

namespace scree {

/// Spheres or clumps in a box with a square floor. Large scenes consist of mirror images of a tile side by side. A
/// smooth rigid wall acts on a sphere exactly as its mirror image would, so a mirrored bed at rest stays at rest, apart
/// from friction. All members of a clump must lie in the plane of its first two principal axes, and grains must be
/// symmetric about this plane. Then the mirror image of a particle is the same particle in another orientation.
struct Tile {
  ParticleSet particles;                ///< spheres only, or clumps only
  std::vector<ClumpShape> shapes = {};  ///< shapes of the clumps
  std::vector<GrainShape> grains = {};  ///< grains to which `shapes` refer
  double width = 0;                     ///< [m] edge of the floor, which extends from the origin along x and y
};

/// The scene of all benchmarks: glass-like spheres with the law hertz_mindlin, friction and restitution 0.5, under
/// gravity along -z, between a rough floor and four smooth rigid walls. `width_x` and `width_y` [m] are the edges of
/// the floor. The time step suits spheres of radius 1 mm.
[[nodiscard]] Scene box_scene(ParticleSet particles, double width_x, double width_y, Precision precision);

/// Writes the particles of a scene as a particle file for cases, with all digits. Throws OutputError.
void write_bed(const Scene& scene, const std::string& path);

/// The particles of a snapshot, brought to rest.
[[nodiscard]] ParticleSet at_rest(const Snapshot& snapshot);

/// Gives a scene of box_scene() the level-set shapes of a tile.
void add_grains(Scene& scene, const Tile& tile);

/// The number of tiles that have nearly `n` particles together, at least 1. A clump counts as one particle.
[[nodiscard]] std::uint64_t tile_count(const Tile& tile, std::uint64_t n);

/// A scene of about `n` particles at rest, which consists of a whole number of tiles. Its floor is as square as that
/// number allows.
[[nodiscard]] Scene tiled_scene(const Tile& tile, std::uint64_t n, Precision precision);

}  // namespace scree
