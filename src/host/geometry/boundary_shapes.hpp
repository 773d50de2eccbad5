#pragma once

#include <optional>
#include <vector>

#include "scree/scene.hpp"

/// Geometry of boundary shapes on the host. A mesh has no planes, parts or outline here, and its distance is infinite:
/// use its triangles.
namespace scree::geometry {

/// A plane that keeps particles where (x - point) . inward >= 0.
struct Side {
  Real3 point{};   ///< [m]
  Real3 inward{};  ///< unit normal
};
/// A disc at right angles to `axis` (of any length), or a ball if it has no axis.
struct Part {
  Real3 centre{};     ///< [m]
  double radius = 0;  ///< [m]
  std::optional<Real3> axis{};
};

/// The planes that a shape consists of; empty for curved shapes and meshes.
[[nodiscard]] std::vector<Side> sides_of(const BoundaryShape& shape);
/// Parts whose convex hull contains the whole shape; empty for a plane, which is unbounded, and for a mesh.
[[nodiscard]] std::vector<Part> parts_of(const BoundaryShape& shape);
/// Distance [m] from a point to the surface; negative behind a plane and outside a box.
[[nodiscard]] double distance_to(const BoundaryShape& shape, const Real3& point);
/// Triangles that show the surface in pictures; none for a plane or a mesh.
[[nodiscard]] TriangleMesh outline(const BoundaryShape& shape);

}  // namespace scree::geometry
