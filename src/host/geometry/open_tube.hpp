#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "scree/scene.hpp"

namespace scree::geometry {

/// A surface that is open at two ends, such as a slice of a drum or a funnel. The axis connects the centres of its
/// rims.
class OpenTube {
 public:
  /// The tube that these triangles of a mesh form. None if the triangles do not have exactly two rims, or if they are
  /// so flat that they may be a plate with a hole. Keeps a reference to the mesh.
  [[nodiscard]] static std::optional<OpenTube> made_of(const TriangleMesh& mesh,
                                                       std::vector<std::array<std::uint32_t, 3>> triangles);

  /// Whether the point lies between the two rims along the axis.
  [[nodiscard]] bool spans(const Real3& point) const;
  /// Whether the wall encloses the point: a ray at right angles to the axis crosses the wall an odd number of times.
  /// Valid for points for which spans() is true.
  [[nodiscard]] bool goes_around(const Real3& point) const;

 private:
  OpenTube(const TriangleMesh& mesh, std::vector<std::array<std::uint32_t, 3>> triangles, const Real3& axis, double low,
           double high);

  const TriangleMesh* mesh_;
  std::vector<std::array<std::uint32_t, 3>> triangles_;
  Real3 axis_, across_, beside_;  ///< orthogonal unit vectors
  double low_, high_;             ///< [m] range along the axis that lies between the rims
};

}  // namespace scree::geometry
