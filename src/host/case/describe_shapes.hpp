#pragma once

#include "host/case/describe.hpp"
#include "host/text/text.hpp"

/// Shapes of particles: clumps and level-set grains, and how grains touch.
namespace scree {

inline auto describe(Of<MemberSphere>) {
  return object("A sphere of a clump.", required("center", &MemberSphere::center, "m", "Centre."),
                required("radius", &MemberSphere::radius, "m", "Radius.", above(0)));
}
inline auto describe(Of<ClumpTemplate>) {
  return object("A rigid body of spheres, which may overlap.",
                field("spheres", &ClumpTemplate::spheres, "m", "The spheres, in any frame.", some_items()),
                field("file", &ClumpTemplate::file, "",
                      "CSV file with a header line and the columns x, y, z, r, relative to the case file.",
                      existing_file()),
                field("scale", &ClumpTemplate::scale, "", "Factor from the units of the spheres to metres.", above(0)),
                field("resolution", &ClumpTemplate::resolution, "",
                      "Cells along the shortest edge of a grid that measures volume and inertia of overlapping "
                      "spheres; left "
                      "out: they are computed exactly.",
                      from_up_to(8, 1024)))
      .with_exactly_one({"spheres", "file"});
}

inline auto describe(Of<BallForm>) {
  return object("Ball about the origin.", required("radius", &BallForm::radius, "m", "Radius.", above(0)));
}
inline auto describe(Of<BoxForm>) {
  return object("Box about the origin with edges along the axes.",
                required("half_edges", &BoxForm::half_edges, "m", "Half of the edge lengths along x, y, z.", above(0)));
}
inline auto describe(Of<CapsuleForm>) {
  return object("Cylinder about z with half balls at its ends.",
                required("radius", &CapsuleForm::radius, "m", "Radius.", above(0)),
                required("half_length", &CapsuleForm::half_length, "m",
                         "Distance from the middle to the centre of a half ball.", above(0)));
}
inline auto describe(Of<CylinderForm>) {
  return object("Cylinder about z.", required("radius", &CylinderForm::radius, "m", "Radius.", above(0)),
                required("half_height", &CylinderForm::half_height, "m", "Half of its height.", above(0)));
}
inline auto describe(Of<TorusForm>) {
  return object(
      "Ring about z.",
      required("major_radius", &TorusForm::major_radius, "m", "Radius of the circle in the middle of the ring.",
               above(0)),
      required("minor_radius", &TorusForm::minor_radius, "m", "Half of the thickness of the ring.", above(0)));
}
inline void check(const TorusForm& ring, Complaints& complaints) {
  if (ring.minor_radius < ring.major_radius) return;
  complaints.add("minor_radius", "must be less than the major radius " + number_text(ring.major_radius) + ", got " +
                                     number_text(ring.minor_radius));
}
inline auto describe(Of<SuperellipsoidForm>) {
  return object(
      "Superellipsoid about the origin.",
      required("half_axes", &SuperellipsoidForm::half_axes, "m", "Half axes a, b, c along x, y, z.", above(0)),
      field("exponents", &SuperellipsoidForm::exponents, "",
            "Exponents e1 and e2: 0.1 is nearly a box, 1 an ellipsoid, 2 an octahedron.", from_up_to(0.1, 2)));
}
inline auto describe(Of<ClosedMode>) {
  return Words<ClosedMode>{{{"homogeneous", ClosedMode::homogeneous},
                            {"strain_xx", ClosedMode::strain_xx},
                            {"strain_yy", ClosedMode::strain_yy},
                            {"strain_zz", ClosedMode::strain_zz},
                            {"strain_xy", ClosedMode::strain_xy},
                            {"strain_yz", ClosedMode::strain_yz},
                            {"strain_zx", ClosedMode::strain_zx},
                            {"bending_xy", ClosedMode::bending_xy},
                            {"bending_xz", ClosedMode::bending_xz},
                            {"bending_yx", ClosedMode::bending_yx},
                            {"bending_yz", ClosedMode::bending_yz},
                            {"bending_zx", ClosedMode::bending_zx},
                            {"bending_zy", ClosedMode::bending_zy},
                            {"stretching_x", ClosedMode::stretching_x},
                            {"stretching_y", ClosedMode::stretching_y},
                            {"stretching_z", ClosedMode::stretching_z}}};
}

inline auto describe(Of<Deformation>) {
  return object(
      "Deformation of a level-set grain: its modes with their masses, stiffnesses and damping.",
      field("forms", &Deformation::forms, "", "Modes with a closed form, in place of the modes of a template."),
      field("beam_theory", &Deformation::beam_theory, "",
            "Take bending and stretching as those of slender bodies, which contract freely across their length."),
      field("count", &Deformation::count, "",
            "Number of modes of the template that are used, from the first; left out: all; 0: the grain is rigid."),
      field("mass", &Deformation::mass, "kg", "Mass of each mode of each grain; left out: from the density.", above(0)),
      field("stiffness", &Deformation::stiffness, "N/m",
            "Stiffness of each mode of each grain; left out: from Young's modulus.", at_least(0)),
      field("table", &Deformation::table, "m, N",
            "Knots of the force of a single mode of each grain over its amplitude, ascending from 0."),
      field("damping_ratio", &Deformation::damping_ratio, "",
            "Damping coefficient of each mode over its critical damping.", at_least(0)),
      field("damping_coefficient", &Deformation::damping_coefficient, "N s/m", "Damping coefficient of each mode.",
            at_least(0)),
      field("damping_by_stiffness", &Deformation::damping_by_stiffness, "s",
            "Damping coefficient of each mode over its stiffness.", at_least(0)),
      field("deforming_inertia", &Deformation::deforming_inertia, "",
            "The moments of inertia follow the deformation, and the rates of the modes carry angular momentum."));
}

inline auto describe(Of<LevelSetTemplate>) {
  return object(
             "A grain of any shape: a level set on a grid, and nodes on the surface.",
             field("sphere", &LevelSetTemplate::sphere, "", "A ball."),
             field("box", &LevelSetTemplate::box, "", "A box."),
             field("capsule", &LevelSetTemplate::capsule, "", "A cylinder with half balls at its ends."),
             field("cylinder", &LevelSetTemplate::cylinder, "", "A cylinder."),
             field("torus", &LevelSetTemplate::torus, "", "A ring."),
             field("superellipsoid", &LevelSetTemplate::superellipsoid, "", "A superellipsoid."),
             field("file", &LevelSetTemplate::file, "",
                   "Closed mesh (STL, OBJ, PLY, VTK), image of labelled voxels (NRRD, or a JSON header of raw voxels), "
                   "or template of `scree grain` (HDF5), relative to the case file.",
                   existing_file()),
             field("scale", &LevelSetTemplate::scale, "", "Factor from the units of the file to metres.", above(0)),
             field("label", &LevelSetTemplate::label, "", "Label of the grain in an image.", at_least(1)),
             field("grid_spacing", &LevelSetTemplate::grid_spacing, "m",
                   "Distance between neighbouring points of the grid; only a template may leave it out.", above(0)),
             field("node_spacing", &LevelSetTemplate::node_spacing, "",
                   "Distance between neighbouring nodes over the spacing of the grid; left out: 0.9.",
                   from_up_to(0.1, 2)),
             field("deformation", &LevelSetTemplate::deformation, "",
                   "How the grain deforms; left out: a template deforms by its own modes if it has any, and all other "
                   "grains are rigid."))
      .with_exactly_one({"sphere", "box", "capsule", "cylinder", "torus", "superellipsoid", "file"});
}
inline auto describe(Of<ShapeTemplate>) {
  return tagged("Kind of the shape.", alternative<ClumpTemplate>("clump"), alternative<LevelSetTemplate>("level_set"));
}
inline auto describe(Of<FieldUpdate>) {
  return Words<FieldUpdate>{{{"remap", FieldUpdate::remap},
                             {"remap_corners", FieldUpdate::remap_corners},
                             {"recompute", FieldUpdate::recompute},
                             {"advect", FieldUpdate::advect},
                             {"precomputed", FieldUpdate::precomputed}}};
}
inline auto describe(Of<GrainContacts>) {
  return object(
      "Contacts of level-set grains.",
      field(
          "two_pass", &GrainContacts::two_pass, "",
          "Count the nodes of both grains, each with half of the force, instead of those of the smaller grain alone."),
      field("by_area", &GrainContacts::by_area, "",
            "Make the force of a node proportional to its area, instead of counting each node as one contact."),
      field("remap_iterations", &GrainContacts::remap_iterations, "",
            "For a grain that deforms: number of iterations that move a point back to the undeformed grain, after a "
            "first guess; left out: until the point is known to 1e-4 of the spacing of the grid.",
            from_up_to(0, 20)),
      field(
          "field_update", &GrainContacts::field_update, "",
          "How contacts get the level set of a grain that deforms: remap moves the point back to the undeformed grain, "
          "remap_corners the corners of its grid cell; recompute and advect give each grain its own grid; precomputed "
          "interpolates between grids of each shape."),
      field("field_levels", &GrainContacts::field_levels, "",
            "For precomputed: number of amplitudes of each sign of each mode for which a grid is made; left out: 2.",
            from_up_to(1, 16)));
}
inline void check(const GrainContacts& contacts, Complaints& complaints) {
  if (contacts.field_levels && contacts.field_update != FieldUpdate::precomputed) {
    complaints.add("field_levels", "has no effect; only the field_update \"precomputed\" has levels");
  }
}
inline auto describe(Of<Shape>) { return object("A shape of particles.", inlined(&Shape::kind)); }

static_assert(lists_every_member<MemberSphere> && lists_every_member<ClumpTemplate> &&
              lists_every_member<LevelSetTemplate> && lists_every_member<GrainContacts> &&
              lists_every_member<CapsuleForm> && lists_every_member<SuperellipsoidForm> && lists_every_member<Shape>);

}  // namespace scree
