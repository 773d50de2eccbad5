#pragma once

#include <array>
#include <optional>
#include <vector>

#include "host/modes/linear_algebra.hpp"
#include "scree/values.hpp"

namespace scree::modes {

/// A tetrahedron or hexahedron of a mesh by the places of its corners, in the order of VTK.
struct SolidCell {
  std::size_t corners = 0;        ///< 4 or 8
  std::array<Real3, 8> corner{};  ///< [m]

  /// Values at a place in the cell as a sum over its corners.
  struct Weights {
    std::array<double, 8> weight{};  ///< they sum to 1 and are at least 0
    double beyond = 0;               ///< how far outside of the cell the place is, in sizes of the cell; 0: inside
  };
  /// At the point of the cell that is nearest in its own coordinates. Nothing if these cannot be found.
  [[nodiscard]] std::optional<Weights> at(const Real3& place) const;

  using Slopes = Eigen::Matrix<double, 3, 8>;  ///< [1/m] of the weights of the corners, along three axes
  /// A point of the quadrature: exact for products of the linear functions of a tetrahedron, 2 x 2 x 2 Gauss points of
  /// a hexahedron. Slopes are along the axes of `frame`.
  struct GaussPoint {
    double volume = 0;  ///< [m3] that it stands for, above 0
    std::array<double, 8> weight{};
    Slopes slope;
    /// For the shear strains yz, zx and xy. A hexahedron that bends has shear strains that its corners do not mean,
    /// which vanish in the middle: xy is that in the middle of x and y, at this place along z. The axes of the cell are
    /// those of its frame then. In a tetrahedron all slopes are the same.
    std::array<Slopes, 3> shear_slope;
  };
  /// [3 x 3] Columns: x along the first axis of the cell in its middle, y in the plane of the first two; of a
  /// tetrahedron those of the body.
  [[nodiscard]] Eigen::Matrix3d frame() const;
  /// Empty for a cell without volume, or one that is turned inside out in part.
  [[nodiscard]] std::vector<GaussPoint> gauss_points() const;
};

}  // namespace scree::modes
