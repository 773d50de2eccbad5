#pragma once

#include <functional>
#include <vector>

#include "host/grains/grid.hpp"

namespace scree::grains {

/// A function of place [m] that is negative inside a body, zero on its surface, and near the surface about the distance
/// [m] from it.
using Level = std::function<double(const Real3&)>;

/// Gradient by central differences over `step` [m] on both sides.
[[nodiscard]] Real3 gradient_of(const Level& level, const Real3& at, double step);

/// The point on the surface that a few Newton steps along the gradient reach from a nearby point.
[[nodiscard]] Real3 onto_surface(const Level& level, const Real3& from, double spacing);

/// A triangulated surface whose vertices become the nodes of a grain.
struct Surface {
  std::vector<Real3> vertex;                           ///< [n] [m]
  std::vector<Real3> normal;                           ///< [n] unit vectors outwards
  std::vector<bool> is_sharp;                          ///< [n] whether the vertex lies on an edge or corner of the body
  std::vector<std::array<std::uint32_t, 3>> triangle;  ///< [n_triangles] counter-clockwise seen from outside
};

/// Finds the surface level = 0 by dual contouring (Ju et al. 2002). Each cell that the surface cuts has one vertex,
/// which lies on the edge or corner of the body if the cell contains one. `values` are the values of `level` at the
/// points of the grid; they must be positive in the outermost layer. Normals are left empty.
[[nodiscard]] Surface contour(const Grid& grid, const std::vector<double>& values, const Level& level);

/// Moves the vertices along the surface until they are spread evenly, and sets the normals. Vertices on edges and
/// corners stay.
void spread_evenly(Surface& surface, const Level& level, double spacing);

/// The area [m2] that each vertex represents: a third of the area of the triangles around it. The area of a triangle is
/// extrapolated from its division into four, because plane triangles underestimate the area of a curved surface.
[[nodiscard]] std::vector<double> vertex_areas(const Surface& surface, const Level& level, double spacing);

}  // namespace scree::grains
