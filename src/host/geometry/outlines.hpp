#pragma once

#include "scree/scene.hpp"

/// Triangles for pictures: no contact looks at them. Circles have 64 corners.
namespace scree::geometry {

/// A shell about an axis between two rims, each at its centre [m] and with its radius [m]; a radius of 0 is a tip.
[[nodiscard]] TriangleMesh shell_outline(const Real3& from, const Real3& to, double radius_from, double radius_to);
[[nodiscard]] TriangleMesh ball_outline(const Real3& centre, double radius);
/// Twelve triangles between two corners [m].
[[nodiscard]] TriangleMesh box_outline(const Real3& min, const Real3& max);
/// The faces of a periodic cell.
[[nodiscard]] TriangleMesh outline(const CellState& cell);

}  // namespace scree::geometry
