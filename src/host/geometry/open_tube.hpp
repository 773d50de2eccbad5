#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "scree/scene.hpp"

namespace scree::geometry {

/// A surface that is open at two ends, such as a slice of a drum or a funnel: its two rims go around an axis.
class OpenTube {
 public:
  /// The tube that these triangles of a mesh make; none if they have not just two rims, or if they are too flat to tell
  /// a tube from a plate with a hole. Keeps a reference to the mesh.
  [[nodiscard]] static std::optional<OpenTube> made_of(const TriangleMesh& mesh,
                                                       std::vector<std::array<std::uint32_t, 3>> triangles);

  /// Whether the point lies between the rims, along the axis.
  [[nodiscard]] bool spans(const Real3& point) const;
  /// Whether the wall goes around the point: a ray across the axis crosses it an odd number of times. For points that
  /// it spans.
  [[nodiscard]] bool goes_around(const Real3& point) const;

 private:
  OpenTube(const TriangleMesh& mesh, std::vector<std::array<std::uint32_t, 3>> triangles, const Real3& axis, double low,
           double high);

  const TriangleMesh* mesh_;
  std::vector<std::array<std::uint32_t, 3>> triangles_;
  Real3 axis_, across_, beside_;  ///< unit vectors at right angles
  double low_, high_;             ///< [m] along the axis, between the rims
};

}  // namespace scree::geometry
