#pragma once

#include <cstdint>
#include <string>

#include "host/bench/tile.hpp"

namespace scree {

/// The standard bed of `scree bench settle`: spheres of radius 1 mm +- 5 % at rest under gravity, in the box of
/// box_scene(). About 1e4 are settled; larger beds are mirror images of them side by side.
class SettledBed {
 public:
  /// Settles the tile with the host backend: some seconds.
  explicit SettledBed(int threads, int across = 20, int layers = 25, int steps = 12000);

  /// The same bed at rest under one of bench_law_names(): an eighth of the settling again, with that law.
  [[nodiscard]] SettledBed under(const std::string& law) const;

  /// Scene of about `n` particles, a whole number of tiles.
  [[nodiscard]] Scene scene(std::uint64_t n, Precision precision) const;

 private:
  Tile tile_;
  int threads_, steps_;
  std::string law_;  ///< empty: that of box_scene()
};

}  // namespace scree
