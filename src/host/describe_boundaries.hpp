#pragma once

#include "host/describe.hpp"
#include "host/text.hpp"

namespace scree {

inline auto describe(Of<Translation>) {
  return object("Motion along a straight line.",
                required("velocity", &Translation::velocity, "m/s", "Velocity of the boundary."));
}

inline auto describe(Of<Rotation>) {
  return object("Rotation about a fixed axis.",
                required("axis", &Rotation::axis, "", "Direction of the axis; its length does not count.", direction()),
                field("origin", &Rotation::origin, "m", "A point of the axis."),
                required("rate", &Rotation::rate, "rad/s", "Rate, positive by the right-hand rule about the axis."));
}

inline auto describe(Of<std::variant<Translation, Rotation>>) {
  return tagged("Kind of the motion.", alternative<Translation>("translation"), alternative<Rotation>("rotation"));
}

inline auto describe(Of<Motion>) {
  return object("A prescribed motion between two times.", inlined(&Motion::kind),
                field("from", &Motion::from, "s", "Time at which the motion begins.", at_least(0)),
                field("until", &Motion::until, "s", "Time at which the motion ends; left out: never.", above(0)));
}
inline void check(const Motion& motion, Complaints& complaints) {
  if (!(motion.until > motion.from)) {
    complaints.add("until", "must be greater than \"from\" " + number_text(motion.from) + ", got " +
                                number_text(motion.until));
  }
}

inline auto describe(Of<PlaneBoundary>) {
  return object("Infinite plane; particles live where its normal points.",
                required("point", &PlaneBoundary::point, "m", "A point of the plane."),
                required("normal", &PlaneBoundary::normal, "",
                         "Normal towards the particles; its length does not count.", direction()));
}

inline auto describe(Of<CylinderBoundary>) {
  return object("Open cylindrical shell; both sides are active.",
                required("from", &CylinderBoundary::from, "m", "Centre of the first rim."),
                required("to", &CylinderBoundary::to, "m", "Centre of the second rim."),
                required("radius", &CylinderBoundary::radius, "m", "Radius of the shell.", above(0)));
}
inline void check(const CylinderBoundary& cylinder, Complaints& complaints) {
  if (cylinder.from == cylinder.to) complaints.add("to", "must differ from \"from\"");
}

inline auto describe(Of<MeshBoundary>) {
  return object("Triangle surface; both sides are active.",
                required("file", &MeshBoundary::file, "", "STL or OBJ file, relative to the case file.",
                         existing_file()),
                field("scale", &MeshBoundary::scale, "", "Factor from the units of the file to metres.", above(0)),
                field("translate", &MeshBoundary::translate, "m", "Shift of the scaled surface."));
}

inline auto describe(Of<std::variant<PlaneBoundary, CylinderBoundary, MeshBoundary>>) {
  return tagged("Shape of the boundary.", alternative<PlaneBoundary>("plane"),
                alternative<CylinderBoundary>("cylinder"), alternative<MeshBoundary>("mesh"));
}

inline auto describe(Of<Boundary>) {
  return object("A rigid boundary, fixed or moving as prescribed.", inlined(&Boundary::shape),
                required("material", &Boundary::material, "", "Name of the material."),
                field("motion", &Boundary::motion, "", "Motions, applied one after the other."));
}

static_assert(lists_every_member<Translation> && lists_every_member<Rotation> && lists_every_member<Motion> &&
              lists_every_member<PlaneBoundary> && lists_every_member<CylinderBoundary> &&
              lists_every_member<MeshBoundary> && lists_every_member<Boundary>);

}  // namespace scree
