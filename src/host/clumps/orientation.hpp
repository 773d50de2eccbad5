#pragma once

#include <array>

#include "host/packing/random.hpp"
#include "scree/values.hpp"

namespace scree::clumps {

/// Unit quaternion w, x, y, z that rotates vectors from the body frame to the world frame.
using Orientation = QuaternionWxyz;

/// The same rotation as a unit quaternion with w >= 0. `orientation` must not be zero.
[[nodiscard]] Orientation unit_orientation(const Orientation& orientation);

/// The orientation (w >= 0) of a body whose axis k is frame[k] in the world; `frame` is right-handed and orthonormal.
[[nodiscard]] Orientation orientation_of(const std::array<Real3, 3>& frame);

/// A random orientation, uniform over all: the direction of a point that is uniform in a four-dimensional ball.
[[nodiscard]] Orientation random_orientation(packing::Random& random);

/// The rotation b followed by the rotation a.
[[nodiscard]] Orientation product(const Orientation& a, const Orientation& b);

/// World components of a vector in the body.
[[nodiscard]] Real3 turned(const Orientation& orientation, const Real3& vector);

}  // namespace scree::clumps
