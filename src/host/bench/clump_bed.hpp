#pragma once

#include <cstdint>

#include "host/bench/tile.hpp"

namespace scree {

/// The bed of `scree bench clumps`: clumps of three spheres of 1 mm that touch each other, at rest under gravity in the
/// box of box_scene(). About 3,000 are settled; larger beds are mirror images of them side by side.
class ClumpBed {
 public:
  static constexpr std::uint64_t members = 3;  ///< spheres of a clump

  /// Settles the tile with the host backend: some seconds.
  explicit ClumpBed(int threads, int across = 10, int layers = 30, int steps = 12000);

  /// Scene of about `n` clumps, a whole number of tiles.
  [[nodiscard]] Scene scene(std::uint64_t n, Precision precision) const;

 private:
  Tile tile_;
};

}  // namespace scree
