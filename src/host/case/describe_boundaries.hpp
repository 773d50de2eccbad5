#pragma once

#include <algorithm>
#include <cmath>

#include "host/case/describe_goals.hpp"
#include "host/case/describe_regions.hpp"
#include "host/text/text.hpp"

namespace scree {

inline auto describe(Of<Translation>) {
  return object("Motion along a straight line.",
                required("velocity", &Translation::velocity, "m/s", "Velocity of the boundary."));
}

inline auto describe(Of<Rotation>) {
  return object("Rotation about a fixed axis.",
                required("axis", &Rotation::axis, "", "Direction of the axis; its length does not count.", direction()),
                field("origin", &Rotation::origin, "m", "A point of the axis."),
                field("rate", &Rotation::rate, "rad/s", "Rate, positive by the right-hand rule about the axis."),
                field("rpm", &Rotation::rpm, "1/min", "The rate in revolutions per minute."))
      .with_exactly_one({"rate", "rpm"});
}

/// Complains about an origin of a motion along a direction: only a rotation about an axis has an origin.
template <class M>
void check_line_or_axis(const M& motion, Complaints& complaints) {
  if (motion.direction && motion.origin != Real3{}) {
    complaints.add("origin", "belongs to \"axis\"; a motion along \"direction\" has none");
  }
}

inline auto describe(Of<Oscillation>) {
  return object(
             "Harmonic oscillation along a direction or about an axis; it begins at the present place of the boundary.",
             field("direction", &Oscillation::direction, "", "Direction; its length does not count.", direction()),
             field("axis", &Oscillation::axis, "", "Direction of the axis; its length does not count.", direction()),
             field("origin", &Oscillation::origin, "m", "A point of the axis."),
             required("amplitude", &Oscillation::amplitude, "m or rad",
                      "Amplitude: m along a direction, rad about an axis."),
             required("frequency", &Oscillation::frequency, "Hz", "Cycles per second.", above(0)),
             field("phase", &Oscillation::phase, "rad", "Phase at the beginning.", from_up_to(-1e6, 1e6)))
      .with_exactly_one({"direction", "axis"});
}
inline void check(const Oscillation& motion, Complaints& complaints) { check_line_or_axis(motion, complaints); }

inline auto describe(Of<TableMotion>) {
  return object("Motion along a direction or about an axis by a table over time.",
                field("direction", &TableMotion::direction, "", "Direction; its length does not count.", direction()),
                field("axis", &TableMotion::axis, "", "Direction of the axis; its length does not count.", direction()),
                field("origin", &TableMotion::origin, "m", "A point of the axis."),
                field("position", &TableMotion::position, "s, m or rad",
                      "Rows [time, displacement], linear in between; constant outside.", some_items()),
                field("velocity", &TableMotion::velocity, "s, m/s or rad/s",
                      "Rows [time, velocity], linear in between; zero outside.", some_items()),
                field("position_file", &TableMotion::position_file, "",
                      "CSV file of the rows of \"position\", relative to the case file.", existing_file()),
                field("velocity_file", &TableMotion::velocity_file, "",
                      "CSV file of the rows of \"velocity\", relative to the case file.", existing_file()))
      .with_exactly_one({"direction", "axis"})
      .with_exactly_one({"position", "velocity", "position_file", "velocity_file"});
}
inline void check(const TableMotion& motion, Complaints& complaints) { check_line_or_axis(motion, complaints); }

inline auto describe(Of<MotionKind>) {
  return tagged("Kind of the motion.", alternative<Translation>("translation"), alternative<Rotation>("rotation"),
                alternative<Oscillation>("oscillation"), alternative<TableMotion>("table"));
}

inline auto describe(Of<Motion>) {
  return object("A prescribed motion between two times.", inlined(&Motion::kind),
                field("from", &Motion::from, "s", "Time at which the motion begins.", at_least(0)),
                field("until", &Motion::until, "s", "Time at which the motion ends; left out: never.", above(0)));
}
inline void check(const Motion& motion, Complaints& complaints) {
  if (!(motion.until > motion.from)) {
    complaints.add("until",
                   "must be greater than \"from\" " + number_text(motion.from) + ", got " + number_text(motion.until));
  }
}

inline auto describe(Of<Servo>) {
  return object(
             "A wall that moves along its normal such that it holds a stress or a force.",
             field("stress", &Servo::stress, "Pa",
                   "Mean normal stress on the wall, or a table of it over time; pressure is positive."),
             field("force", &Servo::force, "N",
                   "Normal force on the wall, or a table of it over time; pressure is positive."),
             field("direction", &Servo::direction, "",
                   "Direction towards the particles; left out: the normal of the plane.", direction()),
             field("area", &Servo::area, "m2",
                   "Area on which the stress acts; left out: the area of the mesh, or the area between the four planes "
                   "beside the wall.",
                   above(0)),
             field("inertial_number", &Servo::inertial_number, "",
                   "Largest inertial number at which the wall compresses the particles; it limits the speed of the "
                   "wall.",
                   above_up_to(0, 1)),
             field("from", &Servo::from, "s", "The wall does not move before this time; times in tables count from it.",
                   at_least(0)))
      .with_exactly_one({"stress", "force"});
}
inline void check(const Servo& servo, Complaints& complaints) {
  check_not_negative("stress", servo.stress, complaints);
  check_not_negative("force", servo.force, complaints);
  if (servo.area && servo.force) complaints.add("area", "belongs to \"stress\"; a force needs none");
}

inline auto describe(Of<RadialServo>) {
  return object(
             "A cylinder that changes its radius such that it holds a radial stress or force.",
             field("stress", &RadialServo::stress, "Pa",
                   "Mean radial stress of the particles on the shell, or a table of it over time; pressure is "
                   "positive."),
             field("force", &RadialServo::force, "N",
                   "Sum of the forces of the particles away from the axis, or a table of it over time; pressure is "
                   "positive."),
             field("inertial_number", &RadialServo::inertial_number, "",
                   "Largest inertial number at which the cylinder compresses the particles; it limits the rate of the "
                   "radius.",
                   above_up_to(0, 1)),
             field("from", &RadialServo::from, "s",
                   "The radius does not change before this time; times in tables count from it.", at_least(0)))
      .with_exactly_one({"stress", "force"});
}
inline void check(const RadialServo& servo, Complaints& complaints) {
  check_not_negative("stress", servo.stress, complaints);
  check_not_negative("force", servo.force, complaints);
}

inline auto describe(Of<PlaneBoundary>) {
  return object("Infinite plane; the particles are on the side to which its normal points.",
                required("point", &PlaneBoundary::point, "m", "A point of the plane."),
                required("normal", &PlaneBoundary::normal, "",
                         "Normal towards the particles; its length does not count.", direction()),
                field("servo", &PlaneBoundary::servo, "",
                      "The plane moves so that it holds a stress or a force; not together with \"drive\"."));
}

inline auto describe(Of<BoxBoundary>) {
  return object("Box of six planes; the particles are inside.",
                required("min", &BoxBoundary::min, "m", "Lowest corner."),
                required("max", &BoxBoundary::max, "m", "Highest corner."));
}
inline void check(const BoxBoundary& box, Complaints& complaints) {
  for (std::size_t k = 0; k < 3; ++k) {
    if (box.max[k] - box.min[k] >= smallest_number) continue;
    complaints.add("max." + std::to_string(k), "must be greater than " + number_text(box.min[k]) +
                                                   " of the lowest corner, got " + number_text(box.max[k]));
  }
}

inline auto describe(Of<CylinderBoundary>) {
  return object(
      "Open cylindrical shell; particles touch both sides.",
      required("from", &CylinderBoundary::from, "m", "Centre of the first rim."),
      required("to", &CylinderBoundary::to, "m", "Centre of the second rim."),
      required("radius", &CylinderBoundary::radius, "m", "Radius of the shell.", above(0)),
      field("servo", &CylinderBoundary::servo, "",
            "The radius changes so that the shell holds a radial stress or force of the particles inside; not together "
            "with \"drive\"."));
}
inline void check(const CylinderBoundary& cylinder, Complaints& complaints) {
  if (!are_apart(cylinder.from, cylinder.to)) complaints.add("to", "must differ from \"from\"");
}

inline auto describe(Of<ConeBoundary>) {
  return object(
      "Open shell of a truncated cone; particles touch both sides.",
      required("from", &ConeBoundary::from, "m", "Centre of the first rim."),
      required("to", &ConeBoundary::to, "m", "Centre of the second rim."),
      required("radius_from", &ConeBoundary::radius_from, "m", "Radius of the first rim; 0: the tip.", at_least(0)),
      required("radius_to", &ConeBoundary::radius_to, "m", "Radius of the second rim; 0: the tip.", at_least(0)));
}
inline void check(const ConeBoundary& cone, Complaints& complaints) {
  if (!are_apart(cone.from, cone.to)) complaints.add("to", "must differ from \"from\"");
  if (cone.radius_from == 0 && cone.radius_to == 0) {
    complaints.add("radius_to", "must be > 0 where \"radius_from\" is 0, got 0");
  }
}

inline auto describe(Of<SphereBoundary>) {
  return object("Spherical shell; particles touch both sides.",
                required("center", &SphereBoundary::center, "m", "Centre."),
                required("radius", &SphereBoundary::radius, "m", "Radius of the shell.", above(0)));
}

inline auto describe(Of<FacetOutput>) {
  return object(
      "Loads and wear of each facet of a mesh, written with the frames.",
      field("archard", &FacetOutput::archard, "1/Pa",
            "Archard's coefficient of wear k / H: worn volume over normal force times sliding distance.", at_least(0)),
      field("finnie", &FacetOutput::finnie, "1/Pa",
            "Finnie's coefficient of erosion: cut volume over m v^2 of an impact times his function of the angle.",
            at_least(0)));
}

inline auto describe(Of<MeshBoundary>) {
  return object(
      "Triangle surface; particles touch both sides.",
      required("file", &MeshBoundary::file, "", "STL, OBJ, PLY or VTK file, relative to the case file.",
               existing_file()),
      field("scale", &MeshBoundary::scale, "", "Factor from the units of the file to metres.", above(0)),
      field("rotate", &MeshBoundary::rotate, "", "Turn of the scaled surface about an axis through the origin."),
      field("translate", &MeshBoundary::translate, "m", "Shift of the scaled and turned surface."),
      field("part", &MeshBoundary::part, "",
            "Takes only this part of the file: a solid of a text STL, an object or a group of an OBJ."),
      field("facets", &MeshBoundary::facets, "", "Write pressure, shear and wear of each facet with the frames."),
      field("servo", &MeshBoundary::servo, "",
            "The mesh moves so that it holds a stress or a force; not together with \"drive\"."));
}

inline auto describe(Of<BoundaryShape>) {
  return tagged("Shape of the boundary.", alternative<PlaneBoundary>("plane"), alternative<BoxBoundary>("box"),
                alternative<CylinderBoundary>("cylinder"), alternative<ConeBoundary>("cone"),
                alternative<SphereBoundary>("sphere"), alternative<MeshBoundary>("mesh"));
}

inline auto describe(Of<DrivenTranslation>) {
  return object("Motion of a boundary with mass by forces.",
                required("mass", &DrivenTranslation::mass, "kg", "Mass; gravity acts on it.", above(0)),
                field("free", &DrivenTranslation::free, "", "Axes along which it may move.",
                      one_of(axis_names()).at_least_items(1)),
                field("force", &DrivenTranslation::force, "N", "Force in addition to gravity and contacts."),
                field("velocity", &DrivenTranslation::velocity, "m/s", "Velocity when the boundary is released."),
                field("damping", &DrivenTranslation::damping, "N s/m", "Resisting force over velocity.", at_least(0)));
}
inline void check(const DrivenTranslation& drive, Complaints& complaints) {
  for (std::size_t i = 1; i < drive.free.size(); ++i) {
    if (std::count(drive.free.begin(), drive.free.begin() + std::ptrdiff_t(i), drive.free[i]) == 0) continue;
    complaints.add("free." + std::to_string(i), "\"" + drive.free[i] + "\" is listed twice");
  }
  for (std::size_t k = 0; k < 3; ++k) {
    const std::string& axis = axis_names()[k];
    if (drive.velocity[k] == 0 || std::find(drive.free.begin(), drive.free.end(), axis) != drive.free.end()) continue;
    complaints.add("velocity." + std::to_string(k),
                   "must be 0, since \"" + axis + "\" is not free, got " + number_text(drive.velocity[k]));
  }
}

inline auto describe(Of<DrivenRotation>) {
  return object(
      "Rotation of a boundary with a moment of inertia about an axis by torques.",
      required("inertia", &DrivenRotation::inertia, "kg m2", "Moment of inertia about the axis.", above(0)),
      required("axis", &DrivenRotation::axis, "", "Direction of the axis; its length does not count.", direction()),
      field("origin", &DrivenRotation::origin, "m", "A point of the axis, which moves with the boundary."),
      field("torque", &DrivenRotation::torque, "N m", "Torque in addition to the torque of the contacts."),
      field("rate", &DrivenRotation::rate, "rad/s", "Rate of rotation when the boundary is released."),
      field("damping", &DrivenRotation::damping, "N m s", "Resisting torque over rate.", at_least(0)));
}

inline auto describe(Of<FreeBody>) {
  return object(
             "Motion of a mesh as a rigid body with six degrees of freedom. Other boundaries do not touch it.",
             field("density", &FreeBody::density, "kg/m3",
                   "Density of a closed mesh, from which mass, inertia and center follow.", above(0)),
             field("mass", &FreeBody::mass, "kg", "Mass; gravity acts on it.", above(0)),
             field("inertia", &FreeBody::inertia, "kg m2", "Principal moments of inertia.", above(0)),
             field("center", &FreeBody::center, "m", "Centre of mass at the start."),
             field("principal_axes", &FreeBody::principal_axes, "",
                   "Unit quaternion [w, x, y, z] that turns the principal axes into the world at the start; left out: "
                   "the "
                   "principal axes are the axes of the world."),
             field("velocity", &FreeBody::velocity, "m/s", "Velocity of the centre of mass when the body is released."),
             field("angular_velocity", &FreeBody::angular_velocity, "rad/s",
                   "Angular velocity when the body is released."),
             field("force", &FreeBody::force, "N", "Force in addition to gravity and contacts."),
             field("torque", &FreeBody::torque, "N m",
                   "Torque about the centre of mass in addition to the torque of the contacts."),
             field("damping", &FreeBody::damping, "N s/m", "Resisting force over velocity.", at_least(0)),
             field("rotation_damping", &FreeBody::rotation_damping, "N m s", "Resisting torque over angular velocity.",
                   at_least(0)))
      .with_exactly_one({"density", "mass"});
}
inline void check(const FreeBody& body, Complaints& complaints) {
  const auto refuse = [&](bool given, const char* key) {
    if (given) complaints.add(key, "follows from \"density\"");
  };
  if (body.density) {
    refuse(body.inertia.has_value(), "inertia");
    refuse(body.center.has_value(), "center");
    refuse(body.principal_axes.has_value(), "principal_axes");
  } else if (body.mass) {
    if (!body.inertia) complaints.add("inertia", "is missing; with \"mass\" it is needed");
    if (!body.center) complaints.add("center", "is missing; with \"mass\" it is needed");
  }
  if (body.inertia) {
    for (std::size_t k = 0; k < 3; ++k) {
      const Real3& moment = *body.inertia;
      const double others = moment[(k + 1) % 3] + moment[(k + 2) % 3];
      if (!(moment[k] > others * (1 + 1e-9))) continue;
      complaints.add("inertia." + std::to_string(k), "must not exceed the sum of the other two, " +
                                                         number_text(others) + ", got " + number_text(moment[k]));
    }
  }
  if (body.principal_axes) {
    double square = 0;
    for (const double part : *body.principal_axes) square += part * part;
    if (!(square > 1 - 1e-6 && square < 1 + 1e-6)) {
      complaints.add("principal_axes", "must have the length 1, got " + number_text(std::sqrt(square)));
    }
  }
}

inline auto describe(Of<Drive>) {
  return object(
      "Motion of the boundary by forces, in addition to its prescribed motions.",
      field("translation", &Drive::translation, "", "Motion along axes of the world."),
      field("rotation", &Drive::rotation, "", "Rotation about one axis."),
      field("body", &Drive::body, "", "Motion of a mesh as a free rigid body."),
      field("from", &Drive::from, "s", "Time at which the boundary is released; it is held before.", at_least(0)));
}
inline void check(const Drive& drive, Complaints& complaints) {
  if (drive.body && (drive.translation || drive.rotation)) {
    complaints.add("body", "moves and turns in all directions; it excludes \"translation\" and \"rotation\"");
  }
  if (!drive.translation && !drive.rotation && !drive.body) {
    complaints.add("", "must have \"translation\", \"rotation\" or both, or \"body\"");
  }
}

inline auto describe(Of<Boundary>) {
  return object(
      "A rigid boundary: fixed, moved as prescribed, or moved by forces.", inlined(&Boundary::shape),
      required("material", &Boundary::material, "", "Name of the material."),
      field("motion", &Boundary::motion, "", "Prescribed motions, applied one after the other."),
      field("drive", &Boundary::drive, "", "Mass and forces by which the boundary moves as well."),
      field("surface_motion", &Boundary::surface_motion, "",
            "Motions of the surface along itself, as of a conveyor belt; the boundary itself does not move by them."),
      field("present_from", &Boundary::from, "s", "Nothing touches the boundary before this time.", at_least(0)),
      field("present_until", &Boundary::until, "s",
            "Nothing touches the boundary from this time on; left out: the boundary stays.", above(0)),
      field("from_start", &Boundary::from_start, "",
            "The boundary begins at the place that the boundary of this name has in the checkpoint of \"start\"."),
      field("temperature", &Boundary::temperature, "K",
            "Fixed temperature; without temperature and heat_flux no heat passes the boundary.", above(0)),
      field("heat_flux", &Boundary::heat_flux, "W/m2",
            "Heat flux into each particle that touches the boundary, over the area pi r^2 of the particle."));
}
inline void check(const Boundary& boundary, Complaints& complaints) {
  if (!(boundary.until > boundary.from)) {
    complaints.add("present_until", "must be greater than \"present_from\" " + number_text(boundary.from) + ", got " +
                                        number_text(boundary.until));
  }
  const bool has_times = boundary.from > 0 || boundary.until < std::numeric_limits<double>::infinity();
  if (has_times && servo_of(boundary.shape)) {
    complaints.add(boundary.from > 0 ? "present_from" : "present_until",
                   "is not possible with a servo, which needs a wall that is always there");
  }
  if (boundary.drive && boundary.drive->body) {
    if (!std::holds_alternative<MeshBoundary>(boundary.shape)) complaints.add("drive.body", "needs a mesh");
    if (!boundary.motion.empty()) complaints.add("motion", "is not possible for a free body, which forces move");
  }
  if (boundary.temperature && boundary.heat_flux) {
    complaints.add("heat_flux", "excludes temperature; give one of them");
  }
  if (servo_of(boundary.shape) && boundary.drive) {
    complaints.add("servo", "moves the boundary itself; it must have no \"drive\"");
  }
}

static_assert(alternatives_list_every_member<MotionKind> && alternatives_list_every_member<BoundaryShape> &&
              lists_every_member<Motion> && lists_every_member<DrivenTranslation> &&
              lists_every_member<DrivenRotation> && lists_every_member<Drive> && lists_every_member<Servo> &&
              lists_every_member<RadialServo> && lists_every_member<FacetOutput> && lists_every_member<FreeBody> &&
              lists_every_member<Boundary>);

}  // namespace scree
