#pragma once

#include "host/modes/given/given_field.hpp"

namespace scree::modes {

/// The rigid-body motion in the modes of a field.
struct RigidPart {
  Matrix motion;  ///< [6 x n] shift and rotation about the origin, for each mode
  Matrix mass;    ///< [n x n] [m3] mass over the density of this motion
};
/// Finds the rigid-body motion in each mode by projection in the mass.
[[nodiscard]] RigidPart rigid_part(const GivenField& field);

struct ModeMatrices {
  Matrix mass;       ///< [n x n] [m3] mass over the density
  Matrix stiffness;  ///< [n x n] [m] stiffness over Young's modulus
};
/// The mass and stiffness of modes of a linear elastic material.
[[nodiscard]] ModeMatrices integrals(const GivenField& field, double poisson_ratio);

}  // namespace scree::modes
