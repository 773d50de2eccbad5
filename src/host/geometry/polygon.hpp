#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "host/geometry/real3.hpp"

namespace scree::geometry {

/// Twice the area of a polygon times its normal, by the right-hand rule about its corners (Newell). Zero for fewer than
/// three corners.
[[nodiscard]] Real3 area_vector(const std::vector<Real3>& corners);

/// [corners - 2] corners of the triangles of a simple polygon, by ear clipping: convex or not, plane or nearly so.
/// Triangles keep the sense of the polygon. None: the polygon crosses itself or has no area.
[[nodiscard]] std::optional<std::vector<std::array<std::size_t, 3>>> triangles_of(const std::vector<Real3>& corners);

/// The same for a face of a mesh file. A fan around the first corner where that is right, as for a convex face, or
/// where the face has no area. None: the face crosses itself, or is not convex and has more than 1000 corners.
[[nodiscard]] std::optional<std::vector<std::array<std::size_t, 3>>> triangles_of_face(
    const std::vector<Real3>& corners);

}  // namespace scree::geometry
