#pragma once

#include <vector>

#include "scree/engine.hpp"
#include "scree/scene.hpp"

namespace scree {

/// [m2] The area of a wall that holds a stress, as the planes beside it stand now; `loads` tell where boundaries are,
/// and may be empty at the start of a run.
[[nodiscard]] double area_now(const Scene& scene, const SceneServo& servo, const std::vector<BoundaryLoad>& loads);

/// [Pa] or [N] What a wall should hold at a time [s].
[[nodiscard]] double goal_at(const SceneServo& servo, double time);

}  // namespace scree
