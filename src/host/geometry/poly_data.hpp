#pragma once

#include <cstdint>
#include <vector>

#include "host/geometry/mesh_io.hpp"

namespace scree::geometry {

/// Points, polygons and strips of a surface in VTK's terms, as they are read; becomes triangles.
class PolyData {
 public:
  std::vector<Real3> points;  ///< [n_points] [file unit]

  /// Adds a polygon, cut into triangles by ear clipping. Throws CaseError (path: empty) for fewer than three corners,
  /// more than 1000, corners that are no points, and polygons that cross themselves or have no area.
  void add_polygon(const std::vector<std::uint64_t>& corners);
  /// Adds the triangles of a strip: each corner from the third on makes one with the two before it, and every second
  /// one is turned round. Throws as above.
  void add_strip(const std::vector<std::uint64_t>& corners);
  /// The triangles. Throws CaseError (path: empty) without any.
  [[nodiscard]] TriangleSoup triangles() &&;

 private:
  [[nodiscard]] const Real3& point(std::uint64_t index) const;
  void add(std::uint64_t a, std::uint64_t b, std::uint64_t c);

  TriangleSoup soup_;
  std::size_t cells_ = 0;  ///< polygons and strips so far
};

}  // namespace scree::geometry
