#pragma once

#include <array>

#include "host/packing/random.hpp"
#include "scree/values.hpp"

namespace scree::clumps {

/// Unit quaternion w, x, y, z that turns components in a body into those in the world.
using Orientation = QuaternionWxyz;

/// The same turn as a quaternion of length 1; w >= 0. At least one component is not 0.
[[nodiscard]] Orientation unit_orientation(const Orientation& orientation);

/// The orientation of a body whose axis k is frame[k] in the world; a right-handed frame of unit vectors. w >= 0.
[[nodiscard]] Orientation orientation_of(const std::array<Real3, 3>& frame);

/// Uniform over all orientations: the direction of a point that is uniform in the ball of four dimensions.
[[nodiscard]] Orientation random_orientation(packing::Random& random);

/// The orientation after the turn b, followed by the turn a.
[[nodiscard]] Orientation product(const Orientation& a, const Orientation& b);

/// World components of a vector in the body.
[[nodiscard]] Real3 turned(const Orientation& orientation, const Real3& vector);

}  // namespace scree::clumps
