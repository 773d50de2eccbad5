#pragma once

#include <cstdint>
#include <vector>

#include "scree/engine.hpp"
#include "scree/scene.hpp"

namespace scree {

/// [m2] The present area of a wall with a servo: the given area, or the area between the planes beside it, or that of
/// its cylinder; 0 if it has none. `loads` [n_boundaries] has the present places of boundaries; empty: the start of the
/// run.
[[nodiscard]] double area_now(const Scene& scene, const SceneServo& servo, const std::vector<BoundaryLoad>& loads);

/// [m] The present radius of the boundary `cylinder`; `loads` as in area_now().
[[nodiscard]] double radius_now(const Scene& scene, std::uint32_t cylinder, const std::vector<BoundaryLoad>& loads);

/// [N] The force of the particles on a wall against the direction of its servo, or on a cylinder away from its axis.
[[nodiscard]] double pushed_with(const SceneServo& servo, const BoundaryLoad& load);

/// [Pa] or [N] The stress or force that a wall should hold at a time [s].
[[nodiscard]] double goal_at(const SceneServo& servo, double time);

}  // namespace scree
