#pragma once

#include <cstddef>
#include <optional>

#include "scree/scene.hpp"

namespace scree {

/// The measured cost of a step with the particles of inlets.
struct BlockCost {
  std::size_t spheres = 0;  ///< number of spheres of the block
  double seconds = 0;       ///< [s] time of a step over the number of spheres
};

/// Measures steps of a cube of resting spheres that touch each other, with the laws and the precision of the scene but
/// nothing else of it. The spheres have the size of those of the first inlet, or of the members of its clumps. None if
/// the first inlet brings level-set grains, whose cost this does not tell, or if the block cannot run.
[[nodiscard]] std::optional<BlockCost> cost_of_touching_block(const Scene& scene, int threads);

}  // namespace scree
