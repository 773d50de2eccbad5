#pragma once

#include <cstdint>

#include "host/bench/tile.hpp"

namespace scree {

/// How the tile of a bed is settled.
struct Settling {
  int threads, across, layers, steps;
};

/// A bed of clumps at rest under gravity in the box of box_scene(). A tile is settled; larger beds are mirror images of
/// it side by side.
class ClumpBed {
 public:
  static constexpr std::uint64_t members = 3;  ///< spheres of a clump of `scree bench clumps`

  /// The bed of `scree bench clumps`: three spheres of 1 mm that touch each other.
  static ClumpBed of_triangles(const Settling& settling);
  /// A bed of level-set grains of about 1 mm that are symmetric about the planes of their axes.
  static ClumpBed of_grains(const GrainShape& grain, const Settling& settling);

  /// The same bed of other templates of the same shape.
  void replace_grains(const GrainShape& grain);

  /// Scene of about `n` clumps, a whole number of tiles.
  [[nodiscard]] Scene scene(std::uint64_t n, Precision precision) const;

 private:
  /// Settles the tile with the host backend: some seconds.
  ClumpBed(Tile tile, const Settling& settling);

  Tile tile_;
};

}  // namespace scree
