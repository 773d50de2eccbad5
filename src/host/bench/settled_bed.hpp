#pragma once

#include <cstdint>
#include <string>

#include "host/bench/tile.hpp"

namespace scree {

/// The standard bed of `scree bench settle`: spheres of radius 1 mm +- 5 % at rest under gravity, in the box of
/// box_scene(). A tile of about 1e4 spheres is settled; larger beds consist of mirror images of the tile side by side.
class SettledBed {
 public:
  /// Settles the tile with the host backend, which takes some seconds.
  explicit SettledBed(int threads, int across = 20, int layers = 25, int steps = 12000);

  /// The bed at rest under one of bench_law_names(). It settles with that law for an eighth of the steps.
  [[nodiscard]] SettledBed under(const std::string& law) const;

  /// A scene of about `n` particles, which consists of a whole number of tiles.
  [[nodiscard]] Scene scene(std::uint64_t n, Precision precision) const;

 private:
  Tile tile_;
  int threads_, steps_;
  std::string law_;  ///< name in bench_law_names(); empty: the law of box_scene()
};

}  // namespace scree
