#pragma once

#include <cstddef>
#include <span>

#include "scree/engine.hpp"
#include "scree/scene.hpp"

namespace scree {

/// [m] How far a boundary has moved since the start of the run: the middle of a mesh or a shape, a point of a plane.
[[nodiscard]] Real3 displacement(const SceneBoundary& boundary, const BoundaryLoad& now);

/// [m] Where the point of a plane is now; without `loads`, as at the start of a run, where the case puts it.
[[nodiscard]] Real3 place_of_plane(const Scene& scene, std::size_t plane, std::span<const BoundaryLoad> loads);

}  // namespace scree
