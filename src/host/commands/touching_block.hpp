#pragma once

#include <cstddef>
#include <optional>

#include "scree/scene.hpp"

namespace scree {

/// What a step costs once the particles of inlets are there.
struct BlockCost {
  std::size_t spheres = 0;  ///< of the block
  double seconds = 0;       ///< of a step, over the number of spheres
};

/// Measures steps of a cube of resting spheres that touch each other, without anything else of the scene: spheres as
/// the first inlet brings them, also in place of its clumps, with the laws and the precision of the scene. None: they
/// are level-set grains, whose cost this does not tell, or such a block cannot run.
[[nodiscard]] std::optional<BlockCost> cost_of_touching_block(const Scene& scene, int threads);

}  // namespace scree
