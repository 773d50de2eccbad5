#pragma once

#include <functional>
#include <vector>

#include "host/grains/grid.hpp"

namespace scree::grains {

/// A function of place that is negative inside of a body and zero on its surface, near which it is about the distance.
using Level = std::function<double(const Real3&)>;

/// Gradient by central differences over `step` on both sides.
[[nodiscard]] Real3 gradient_of(const Level& level, const Real3& at, double step);

/// The point moved along the gradient onto the surface, by a few steps of Newton's method.
[[nodiscard]] Real3 onto_surface(const Level& level, const Real3& from, double spacing);

/// A surface whose vertices are nodes.
struct Surface {
  std::vector<Real3> vertex;                           ///< [n] [m]
  std::vector<Real3> normal;                           ///< [n] unit vectors outwards
  std::vector<bool> is_sharp;                          ///< [n] lies on an edge or a corner of the body
  std::vector<std::array<std::uint32_t, 3>> triangle;  ///< counter-clockwise seen from outside
};

/// The surface level = 0 by dual contouring (Ju et al. 2002): one vertex per cell that the surface cuts, on the edge or
/// corner of the body where there is one. `values` are those of `level` at the points of the grid; those in the
/// outermost layer are positive. Normals are not found yet.
[[nodiscard]] Surface contour(const Grid& grid, const std::vector<double>& values, const Level& level);

/// Moves the vertices along the surface until they are evenly spread; those on edges and corners stay. Finds normals.
void spread_evenly(Surface& surface, const Level& level, double spacing);

/// The part of the surface that each vertex stands for [m2]: a third of the triangles around it, extrapolated from
/// triangles cut into four so that a curved surface is not taken for too small.
[[nodiscard]] std::vector<double> vertex_areas(const Surface& surface, const Level& level, double spacing);

}  // namespace scree::grains
