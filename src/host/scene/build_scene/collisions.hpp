#pragma once

#include <vector>

#include "scree/errors.hpp"
#include "scree/outputs.hpp"
#include "scree/scene.hpp"

namespace scree {

/// [J] The limits of the classes of losses, for SceneCollisions: from * 10^(k / bins_per_decade), rounded to six
/// digits, and `to` as the last one.
[[nodiscard]] std::vector<double> collision_limits(const CollisionOutput& output);

/// Refuses output with more classes of collisions than memory should hold. Needs materials and boundaries.
void check_collisions(const Scene& scene, std::vector<InputProblem>& problems);

}  // namespace scree
