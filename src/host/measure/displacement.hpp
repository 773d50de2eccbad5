#pragma once

#include "scree/engine.hpp"
#include "scree/scene.hpp"

namespace scree {

/// [m] How far a boundary has moved since the start of the run: the middle of a mesh or a shape, a point of a plane.
[[nodiscard]] Real3 displacement(const SceneBoundary& boundary, const BoundaryLoad& now);

}  // namespace scree
