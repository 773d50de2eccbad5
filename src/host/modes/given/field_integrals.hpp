#pragma once

#include "host/modes/given/given_field.hpp"

namespace scree::modes {

/// The motion of a rigid body of density 1 that the modes of a field hold.
struct RigidPart {
  Matrix motion;  ///< [6 x n] shift and turn about the origin, of each mode
  Matrix mass;    ///< [n x n] [m3] what the mass of the modes loses without it
};
[[nodiscard]] RigidPart rigid_part(const GivenField& field);

/// Mass over the density and stiffness over Young's modulus, of a linear elastic material.
struct ModeMatrices {
  Matrix mass, stiffness;  ///< [n x n] [m3], [m]
};
[[nodiscard]] ModeMatrices integrals(const GivenField& field, double poisson_ratio);

}  // namespace scree::modes
