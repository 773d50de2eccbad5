#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "host/case/describe.hpp"
#include "host/text/text.hpp"

/// The regions of fills, inlets and probes.
namespace scree {

inline const std::vector<std::string>& axis_names() {
  static const std::vector<std::string> names = {"x", "y", "z"};
  return names;
}

inline auto describe(Of<BoxRegion>) {
  return row("Box with edges along the axes: [lowest corner, highest corner].",
             required("min", &BoxRegion::min, "m", "Lowest corner."),
             required("max", &BoxRegion::max, "m", "Highest corner."));
}
inline void check(const BoxRegion& box, Complaints& complaints) {
  for (std::size_t i = 0; i < 3; ++i) {
    if (!(box.max[i] - box.min[i] >= smallest_number)) {
      complaints.add("1." + std::to_string(i), "must be greater than " + number_text(box.min[i]) +
                                                   " of the lowest corner, got " + number_text(box.max[i]));
    }
  }
}

inline auto describe(Of<CylinderRegion>) {
  return object("Cylinder between the centres of its two end faces.",
                required("from", &CylinderRegion::from, "m", "Centre of the first end face."),
                required("to", &CylinderRegion::to, "m", "Centre of the second end face."),
                required("radius", &CylinderRegion::radius, "m", "Radius of the cylinder.", above(0)),
                field("inner_radius", &CylinderRegion::inner_radius, "m",
                      "Inner radius of a hollow cylinder: points nearer to the axis are outside.", at_least(0)));
}
inline void check(const CylinderRegion& cylinder, Complaints& complaints) {
  if (!are_apart(cylinder.from, cylinder.to)) complaints.add("to", "must differ from \"from\"");
  if (!(cylinder.radius - cylinder.inner_radius >= smallest_number)) {
    complaints.add("inner_radius", "must be below the radius, " + number_text(cylinder.radius) + " m, got " +
                                       number_text(cylinder.inner_radius) + " m");
  }
}

inline auto describe(Of<SphereRegion>) {
  return object("Ball.", required("center", &SphereRegion::center, "m", "Centre of the ball."),
                required("radius", &SphereRegion::radius, "m", "Radius of the ball.", above(0)));
}

inline auto describe(Of<Turn>) {
  return object("Turn about an axis through the origin.",
                required("axis", &Turn::axis, "", "Direction of the axis; its length does not count.", direction()),
                required("angle", &Turn::angle, "rad", "Angle, positive by the right-hand rule about the axis."));
}
inline void check(const Turn& turn, Complaints& complaints) {
  constexpr double whole = 6.2832;
  if (std::fabs(turn.angle) <= whole) return;
  complaints.add("angle", "must be between -2 pi and 2 pi rad, got " + number_text(turn.angle) +
                              (std::fabs(turn.angle) <= 360 ? "; 90 degrees are 1.5708 rad" : ""));
}

inline auto describe(Of<MeshRegion>) {
  return object(
      "Inside of a closed triangle surface.",
      required("file", &MeshRegion::file, "", "STL, OBJ, PLY or VTK file, relative to the case file.", existing_file()),
      field("scale", &MeshRegion::scale, "", "Factor from the units of the file to metres.", above(0)),
      field("rotate", &MeshRegion::rotate, "", "Turn of the scaled surface about an axis through the origin."),
      field("translate", &MeshRegion::translate, "m", "Shift of the scaled and turned surface."));
}

inline auto describe(Of<CellRegion>) { return object("The whole periodic cell; particles may lie across its faces."); }

inline auto describe(Of<AboveRegion>) {
  return object(
      "The part of a box above the highest surface of a triangle mesh, along z.",
      required("box", &AboveRegion::box, "m", "Lowest and highest corner of the box."),
      required("file", &AboveRegion::file, "", "STL, OBJ, PLY or VTK file, relative to the case file.",
               existing_file()),
      field("scale", &AboveRegion::scale, "", "Factor from the units of the file to metres.", above(0)),
      field("rotate", &AboveRegion::rotate, "", "Turn of the scaled surface about an axis through the origin."),
      field("translate", &AboveRegion::translate, "m", "Shift of the scaled and turned surface."),
      field(
          "holes", &AboveRegion::holes, "",
          "Accept holes: where the mesh has no surface, the region begins at the lower face of the box; without this, "
          "holes are an error."));
}

inline auto describe(Of<DiscFace>) {
  return object("Plane disc.", required("center", &DiscFace::center, "m", "Centre of the disc."),
                required("normal", &DiscFace::normal, "", "Normal towards the particles; its length does not count.",
                         direction()),
                required("radius", &DiscFace::radius, "m", "Radius of the disc.", above(0)));
}

inline auto describe(Of<FaceRegion>) {
  return object(
             "Surface of an inlet through which particles come in; they appear on the side to which its normals point.",
             field("file", &FaceRegion::file, "",
                   "STL, OBJ, PLY or VTK file of a triangle surface, relative to the case file.", existing_file()),
             field("scale", &FaceRegion::scale, "", "Factor from the units of the file to metres.", above(0)),
             field("rotate", &FaceRegion::rotate, "", "Turn of the scaled surface about an axis through the origin."),
             field("translate", &FaceRegion::translate, "m", "Shift of the scaled and turned surface."),
             field("polygon", &FaceRegion::polygon, "m",
                   "Corners of a plane polygon; seen from the tip of its normal they run counter-clockwise.",
                   Rule{}.at_least_items(3)),
             field("disc", &FaceRegion::disc, "", "A plane disc."),
             field("flip", &FaceRegion::flip, "", "Turn the normals round: particles appear on the other side."),
             field("depth", &FaceRegion::depth, "m", "Largest gap between a particle and the surface.", at_least(0)))
      .with_exactly_one({"file", "polygon", "disc"});
}
inline void check(const FaceRegion& face, Complaints& complaints) {
  if (face.file) return;
  if (face.scale != 1) complaints.add("scale", "belongs to \"file\"");
  if (face.rotate) complaints.add("rotate", "belongs to \"file\"");
  if (face.translate != Real3{}) complaints.add("translate", "belongs to \"file\"");
}

inline auto describe(Of<Region>) {
  return keyed("A region of space.", alternative<BoxRegion>("box"), alternative<CylinderRegion>("cylinder"),
               alternative<SphereRegion>("sphere"), alternative<MeshRegion>("mesh"), alternative<CellRegion>("cell"),
               alternative<AboveRegion>("above"), alternative<FaceRegion>("face"));
}

static_assert(lists_every_member<BoxRegion> && lists_every_member<CylinderRegion> && lists_every_member<SphereRegion> &&
              lists_every_member<Turn> && lists_every_member<MeshRegion> && lists_every_member<CellRegion> &&
              lists_every_member<AboveRegion> && lists_every_member<DiscFace> && lists_every_member<FaceRegion>);

}  // namespace scree
