#pragma once

#include <cstdint>

#include "host/bench/tile.hpp"

namespace scree {

/// The standard bed of `scree bench settle`: spheres of radius 1 mm +- 5 % at rest under gravity, in the box of
/// box_scene(). About 1e4 are settled; larger beds are mirror images of them side by side.
class SettledBed {
 public:
  /// Settles the tile with the host backend: some seconds.
  explicit SettledBed(int threads);

  /// Scene of about `n` particles, a whole number of tiles.
  [[nodiscard]] Scene scene(std::uint64_t n, Precision precision) const { return tiled_scene(tile_, n, precision); }

 private:
  Tile tile_;
};

}  // namespace scree
