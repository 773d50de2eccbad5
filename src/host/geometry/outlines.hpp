#pragma once

#include "scree/scene.hpp"

namespace scree::geometry {

/// Triangles that show the surface of a boundary which is no mesh; nothing for a plane, which has no end. For pictures
/// only: no contact looks at them. Circles have 64 corners.
[[nodiscard]] TriangleMesh outline(const SceneBoundary& boundary);
/// The faces of a periodic cell.
[[nodiscard]] TriangleMesh outline(const CellState& cell);

}  // namespace scree::geometry
