#pragma once

#include <limits>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "scree/free_body.hpp"
#include "scree/motions.hpp"
#include "scree/time_table.hpp"
#include "scree/values.hpp"

/// Boundaries, as in a case file: their shapes, and how they move.
namespace scree {

/// A wall that moves along its normal so that it holds a stress or a force. Exactly one of `stress` and `force` is
/// given.
struct Servo {
  std::optional<GoalCourse> stress{};  ///< [Pa] mean normal stress on it; pressure is positive
  std::optional<GoalCourse> force{};   ///< [N] total normal force on it; pressure is positive
  std::optional<Real3> direction{};    ///< towards the particles, of any length; none: the normal of the plane
  std::optional<double> area{};        ///< [m2] of the wall, for a stress; none: of a mesh, or between four planes
  double inertial_number = 1e-3;       ///< [-] limit of the rates at which it compresses
  double from = 0;                     ///< [s] the wall is held until then; times of tables count from then
};
/// A cylinder that changes its radius so that it holds a radial stress or force. Exactly one of `stress` and `force` is
/// given.
struct RadialServo {
  std::optional<GoalCourse> stress{};  ///< [Pa] mean radial stress of the particles on it; pressure is positive
  std::optional<GoalCourse> force{};   ///< [N] sum of the forces away from the axis
  double inertial_number = 1e-3;       ///< [-] limit of the rates at which it compresses
  double from = 0;                     ///< [s] the radius is held until then; times of tables count from then
};
/// An infinite plane through a point [m]; particles are on the side to which the normal (of any length) points.
struct PlaneBoundary {
  Real3 point{}, normal{0, 0, 1};
  std::optional<Servo> servo{};  ///< instead of a drive
};
/// A box of six planes, given by its lowest and its highest corner [m]; particles are inside.
struct BoxBoundary {
  Real3 min{}, max{};
};
/// The open shell of a cylinder between two rims with these centres [m] and this radius [m]; particles touch both
/// sides.
struct CylinderBoundary {
  Real3 from{}, to{};
  double radius = 0;
  std::optional<RadialServo> servo{};  ///< instead of a drive; the particles are inside
};
/// The open shell of a truncated cone between two rims with these centres [m] and radii [m]; particles touch both
/// sides.
struct ConeBoundary {
  Real3 from{}, to{};
  double radius_from = 0, radius_to = 0;
};
/// The shell of a sphere, given by its centre [m] and its radius [m]; particles touch both sides.
struct SphereBoundary {
  Real3 center{};
  double radius = 0;
};
/// Loads and wear of each facet of a mesh, for the frame files of the boundary.
struct FacetOutput {
  double archard = 0;  ///< [1/Pa] worn volume over normal force times sliding distance; 0: not written
  double finnie = 0;   ///< [1/Pa] cut volume over m v^2 of an impact times Finnie's function; 0: not written
};
/// A surface of triangles (STL, OBJ, PLY or VTK); particles touch both sides. Its vertices are first multiplied by
/// `scale` [-], which converts them to metres, then turned by `rotate`, then shifted by `translate` [m].
struct MeshBoundary {
  std::string file;
  double scale = 1;
  std::optional<Turn> rotate{};
  Real3 translate{};
  std::optional<std::string> part{};  ///< only this solid of a text STL, or this object or group of an OBJ
  std::optional<FacetOutput> facets{};
  std::optional<Servo> servo{};  ///< instead of a drive
};
using BoundaryShape =
    std::variant<PlaneBoundary, BoxBoundary, CylinderBoundary, ConeBoundary, SphereBoundary, MeshBoundary>;
/// The servo of a plane, a cylinder or a mesh. Empty for other shapes and for boundaries without a servo.
[[nodiscard]] inline std::optional<Servo> servo_of(const BoundaryShape& shape) {
  if (const auto* tube = std::get_if<CylinderBoundary>(&shape); tube != nullptr && tube->servo) {
    return Servo{tube->servo->stress, tube->servo->force, {}, {}, tube->servo->inertial_number, tube->servo->from};
  }
  if (const auto* plane = std::get_if<PlaneBoundary>(&shape)) { return plane->servo; }
  const auto* mesh = std::get_if<MeshBoundary>(&shape);
  return mesh != nullptr ? mesh->servo : std::nullopt;
}

/// Motion of a boundary with mass by forces, along some axes of the world.
struct DrivenTranslation {
  double mass = 0;                               ///< [kg]
  std::vector<std::string> free{"x", "y", "z"};  ///< axes along which it moves

  Real3 force{};       ///< [N] in addition to gravity and contacts
  Real3 velocity{};    ///< [m/s] when it is released
  double damping = 0;  ///< [N s/m] resistance to its velocity
};
/// Rotation of a boundary with a moment of inertia by torques, about an axis.
struct DrivenRotation {
  double inertia = 0;  ///< [kg m2] about the axis
  Real3 axis{0, 0, 1};
  Real3 origin{};      ///< [m] a point of the axis
  double torque = 0;   ///< [N m] in addition to that of the contacts
  double rate = 0;     ///< [rad/s] when it is released
  double damping = 0;  ///< [N m s] resistance to its rate
};
/// Motion of a boundary by forces, in addition to its prescribed motions.
struct Drive {
  std::optional<DrivenTranslation> translation{};
  std::optional<DrivenRotation> rotation{};
  double from = 0;                 ///< [s] the boundary is held until then
  std::optional<FreeBody> body{};  ///< of a mesh, instead of translation and rotation
};
struct Boundary {
  BoundaryShape shape;
  std::string material;
  std::vector<Motion> motion;
  std::optional<Drive> drive;
  /// Motion of the surface relative to the boundary, as of a belt; the boundary itself does not move by it. The
  /// velocity of the surface at a point is the sum of the velocities of these motions, without the component along the
  /// normal. The motions turn with the boundary.
  std::vector<Motion> surface_motion{};
  double from = 0;                                         ///< [s] nothing touches the boundary before
  double until = std::numeric_limits<double>::infinity();  ///< [s] nothing touches it from then on
  bool from_start = false;  ///< it begins where the run of Case::start left the boundary of this name
  // With Case::heat. At most one of the two is given; a boundary with neither is adiabatic.
  std::optional<double> temperature{};  ///< [K] fixed
  std::optional<double> heat_flux{};    ///< [W/m2] over the area pi r^2 of each particle that touches it
};

}  // namespace scree
