#pragma once

#include "host/modes/linear_algebra.hpp"

namespace scree::modes {

using ElementMatrix = Eigen::Matrix<double, 24, 24>;

inline constexpr double nearly_incompressible = 0.45;  ///< Poisson's ratio above which the dilatation is averaged

/// The stiffness of a cube of edge 1 with Young's modulus 1, trilinear displacements and 2 x 2 x 2 Gauss points. Rows
/// are x, y, z of corner 0, of corner 1, and so on; bit 0 of a corner goes along x, bit 1 along y, bit 2 along z. Above
/// `nearly_incompressible` the dilatation is averaged over the element (B-bar), which avoids locking.
[[nodiscard]] ElementMatrix cube_stiffness(double poisson_ratio);

}  // namespace scree::modes
