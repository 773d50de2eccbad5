#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "host/geometry/real3.hpp"

namespace scree::geometry {

/// Twice the area [m2] of a polygon times its unit normal, by the right-hand rule about its corners (Newell's method).
/// Zero for fewer than three corners.
[[nodiscard]] Real3 area_vector(const std::vector<Real3>& corners);

/// [n_corners - 2] Indices of the corners of the triangles into which ear clipping cuts a simple polygon. The polygon
/// may be concave, and plane or nearly plane. Triangles keep its orientation. None if it crosses itself or has no area.
[[nodiscard]] std::optional<std::vector<std::array<std::size_t, 3>>> triangles_of(const std::vector<Real3>& corners);

/// The triangles of a face of a mesh file, as in triangles_of(). A face for which a fan around its first corner is
/// right (such as a convex face), or that has no area, becomes a fan. None if the face crosses itself, or if it is
/// concave and has more than 1000 corners.
[[nodiscard]] std::optional<std::vector<std::array<std::size_t, 3>>> triangles_of_face(
    const std::vector<Real3>& corners);

}  // namespace scree::geometry
