#pragma once

#include "scree/scene.hpp"

/// Triangles for pictures only, not for contacts. Circles have 64 corners.
namespace scree::geometry {

/// The shell of a cylinder or cone between two rims, given by their centres [m] and radii [m]; a radius of 0 is a tip.
[[nodiscard]] TriangleMesh shell_outline(const Real3& from, const Real3& to, double radius_from, double radius_to);
/// A sphere with this centre [m] and radius [m].
[[nodiscard]] TriangleMesh ball_outline(const Real3& centre, double radius);
/// The twelve triangles of a box between two opposite corners [m].
[[nodiscard]] TriangleMesh box_outline(const Real3& min, const Real3& max);
/// The faces of a periodic cell.
[[nodiscard]] TriangleMesh outline(const CellState& cell);

}  // namespace scree::geometry
