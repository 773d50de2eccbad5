#pragma once

#include <cstdint>

#include "scree/scene.hpp"

namespace scree {

/// The standard bed of `scree bench settle`: glass-like spheres of radius 1 mm +- 5 %, Hertz-Mindlin, friction and
/// restitution 0.5, at rest under gravity between a rough floor and four smooth rigid walls.
/// About 1e4 spheres are settled; larger beds are mirror images of them side by side. A smooth rigid wall loads a
/// sphere exactly as its own mirror image would, so a mirrored bed is in equilibrium but for friction.
class SettledBed {
 public:
  /// Settles the tile with the host backend: some seconds.
  explicit SettledBed(int threads);

  /// Scene of about `n` particles (a whole number of tiles when above one tile, a slice of it when below).
  [[nodiscard]] Scene scene(std::uint64_t n, Precision precision) const;

 private:
  ParticleSet tile_;
  double width_ = 0;  ///< [m] of the square tile
};

}  // namespace scree
