#pragma once

#include <cstdint>
#include <vector>

#include "scree/engine.hpp"
#include "scree/scene.hpp"

namespace scree {

/// [m2] The area of a wall that holds a stress, between the present places of the planes beside it, or of its cylinder.
/// `loads` has the places of boundaries, and may be empty at the start of a run.
[[nodiscard]] double area_now(const Scene& scene, const SceneServo& servo, const std::vector<BoundaryLoad>& loads);

/// [m] The present radius of a cylinder; `loads` as above.
[[nodiscard]] double radius_now(const Scene& scene, std::uint32_t cylinder, const std::vector<BoundaryLoad>& loads);

/// [N] The force of the particles on a wall against the direction of its servo, or on a cylinder away from its axis.
[[nodiscard]] double pushed_with(const SceneServo& servo, const BoundaryLoad& load);

/// [Pa] or [N] What a wall should hold at a time [s].
[[nodiscard]] double goal_at(const SceneServo& servo, double time);

}  // namespace scree
