#pragma once

#include <string>

#include "scree/scene.hpp"

namespace scree {

/// The fluid of a scene that has one, and how fast single spheres of the smallest and the largest radius of each
/// material sink or rise in it while it is at rest. In a scene with clumps or level-set grains only the fluid.
[[nodiscard]] std::string fluid_text(const Scene& scene);

}  // namespace scree
