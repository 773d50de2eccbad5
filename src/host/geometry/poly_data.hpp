#pragma once

#include <cstdint>
#include <vector>

#include "host/geometry/mesh_io.hpp"

namespace scree::geometry {

/// A PolyData surface of VTK: collects points, polygons and triangle strips, and cuts them into triangles.
class PolyData {
 public:
  std::vector<Real3> points;  ///< [n_points] [file unit]

  /// Adds the triangles of a polygon, cut by ear clipping. Throws CaseError (path: empty) if the polygon has fewer than
  /// 3 or more than 1000 corners, has the index of a point that does not exist, crosses itself or has no area.
  void add_polygon(const std::vector<std::uint64_t>& corners);
  /// Adds the triangles of a strip: each corner from the third on makes one with the two before it. The order of the
  /// corners is reversed in every second triangle. Throws like add_polygon().
  void add_strip(const std::vector<std::uint64_t>& corners);
  /// The triangles of all polygons and strips. Throws CaseError (path: empty) if there are none.
  [[nodiscard]] TriangleSoup triangles() &&;

 private:
  [[nodiscard]] const Real3& point(std::uint64_t index) const;
  void add(std::uint64_t a, std::uint64_t b, std::uint64_t c);

  TriangleSoup soup_;
  std::size_t cells_ = 0;  ///< number of polygons and strips added so far
};

}  // namespace scree::geometry
