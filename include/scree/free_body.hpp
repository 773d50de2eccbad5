#pragma once

#include <optional>

#include "scree/values.hpp"

/// Free rigid bodies, as in a case file.
namespace scree {

/// Motion of a mesh as a rigid body with six degrees of freedom, by forces, torques, gravity and contacts with
/// particles. It does not touch other boundaries. Either `density` is given, and the mesh is closed, or `mass`,
/// `inertia` and `center` are given. Places and axes are those of the mesh at the start.
struct FreeBody {
  std::optional<double> density{};  ///< [kg/m3] mass, inertia and centre of the mesh follow from it
  std::optional<double> mass{};     ///< [kg]
  std::optional<Real3> inertia{};   ///< [kg m2] principal moments
  std::optional<Real3> center{};    ///< [m] centre of mass
  /// turns the principal axes into the world; none: the principal axes are the axes of the world
  std::optional<QuaternionWxyz> principal_axes{};
  Real3 velocity{};             ///< [m/s] of the centre of mass when it is released
  Real3 angular_velocity{};     ///< [rad/s] when it is released
  Real3 force{};                ///< [N] in addition to gravity and contacts
  Real3 torque{};               ///< [N m] about the centre of mass, in addition to that of the contacts
  double damping = 0;           ///< [N s/m] resistance to its velocity
  double rotation_damping = 0;  ///< [N m s] resistance to its angular velocity
};

}  // namespace scree
