#pragma once

#include <optional>
#include <vector>

#include "scree/scene.hpp"

/// What the host asks of the shape of a boundary; boundary_shapes.cpp answers for every shape. For a mesh only the
/// triangles know: all of this is empty.
namespace scree::geometry {

/// A plane that keeps particles where (x - point) . inward >= 0.
struct Side {
  Real3 point{}, inward{};  ///< [m], of length 1
};
/// A disc across `axis` (of any length), or a ball where there is none.
struct Part {
  Real3 centre{};     ///< [m]
  double radius = 0;  ///< [m]
  std::optional<Real3> axis{};
};

/// The planes that a shape is made of; empty for shapes that are shells.
[[nodiscard]] std::vector<Side> sides_of(const BoundaryShape& shape);
/// Parts whose convex hull holds all of the shape; empty for a plane, which has no end.
[[nodiscard]] std::vector<Part> parts_of(const BoundaryShape& shape);
/// [m] Distance of a point; negative behind a plane and outside a box.
[[nodiscard]] double distance_to(const BoundaryShape& shape, const Real3& point);
/// Triangles that show the surface, for pictures only; nothing for a plane.
[[nodiscard]] TriangleMesh outline(const BoundaryShape& shape);

}  // namespace scree::geometry
