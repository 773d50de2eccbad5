#pragma once

#include <array>
#include <optional>
#include <vector>

#include "host/modes/linear_algebra.hpp"
#include "scree/values.hpp"

namespace scree::modes {

/// A tetrahedron or hexahedron of a mesh, given by the places of its corners in the order of VTK.
struct SolidCell {
  std::size_t corners = 0;        ///< 4 or 8
  std::array<Real3, 8> corner{};  ///< [m]

  /// A value at a place as a weighted sum over the corners of the cell.
  struct Weights {
    std::array<double, 8> weight{};  ///< not negative; the sum is 1
    double beyond = 0;               ///< [sizes of the cell] distance from the cell to the place; 0: inside
  };
  /// The weights at the point of the cell that is nearest to a place in the coordinates of the cell. Nothing if these
  /// coordinates cannot be found.
  [[nodiscard]] std::optional<Weights> at(const Real3& place) const;

  using Slopes = Eigen::Matrix<double, 3, 8>;  ///< [1/m] of the weights of the corners, along three axes
  /// A quadrature point with slopes along the axes of frame(). The quadrature of a tetrahedron is exact for products of
  /// its linear functions; a hexahedron has 2 x 2 x 2 Gauss points.
  struct GaussPoint {
    double volume = 0;  ///< [m3] volume that the point represents, above 0
    std::array<double, 8> weight{};
    Slopes slope;
    /// Slopes for the shear strains yz, zx and xy. A bending hexahedron has spurious shear strains, which vanish in its
    /// middle. So the slopes for xy are those in the middle of x and y, at the place of the point along z, and likewise
    /// for the others. In a tetrahedron all slopes are equal.
    std::array<Slopes, 3> shear_slope;
  };
  /// [3 x 3] The axes (columns) of the frame of the cell: x along the first axis of the cell in its middle, y in the
  /// plane of the first two. For a tetrahedron these are the axes of the body.
  [[nodiscard]] Eigen::Matrix3d frame() const;
  /// The quadrature points; empty if the cell has no volume or a part of it is inside out.
  [[nodiscard]] std::vector<GaussPoint> gauss_points() const;
};

}  // namespace scree::modes
