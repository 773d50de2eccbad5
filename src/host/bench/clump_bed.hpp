#pragma once

#include <cstdint>

#include "host/bench/tile.hpp"

namespace scree {

/// Size of the tile of a bed, and number of steps and threads with which it is settled.
struct Settling {
  int threads, across, layers, steps;
};

/// A bed of clumps at rest under gravity in the box of box_scene(). One tile is settled; larger beds consist of mirror
/// images of the tile side by side.
class ClumpBed {
 public:
  static constexpr std::uint64_t members = 3;  ///< number of spheres per clump in `scree bench clumps`

  /// The bed of `scree bench clumps`: three spheres of 1 mm that touch each other.
  static ClumpBed of_triangles(const Settling& settling);
  /// A bed of level-set grains of about 1 mm, which must be symmetric about the planes of their axes.
  static ClumpBed of_grains(const GrainShape& grain, const Settling& settling);

  /// Replaces the template of all grains by another template of the same shape.
  void replace_grains(const GrainShape& grain);

  /// A scene of about `n` clumps, which consists of a whole number of tiles.
  [[nodiscard]] Scene scene(std::uint64_t n, Precision precision) const;

 private:
  /// Settles the tile with the host backend, which takes some seconds.
  ClumpBed(Tile tile, const Settling& settling);

  Tile tile_;
};

}  // namespace scree
