#pragma once

#include <cmath>

#include "host/case/describe.hpp"
#include "host/text/text.hpp"

namespace scree {

// --- regions -----------------------------------------------------------------------------------------------------

inline auto describe(Of<BoxRegion>) {
  return row("Box along the axes: its lowest and its highest corner.",
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
                required("radius", &CylinderRegion::radius, "m", "Radius of the cylinder.", above(0)));
}
inline void check(const CylinderRegion& cylinder, Complaints& complaints) {
  if (!are_apart(cylinder.from, cylinder.to)) complaints.add("to", "must differ from \"from\"");
}

inline auto describe(Of<SphereRegion>) {
  return object("Ball.", required("center", &SphereRegion::center, "m", "Centre of the ball."),
                required("radius", &SphereRegion::radius, "m", "Radius of the ball.", above(0)));
}

inline auto describe(Of<MeshRegion>) {
  return object(
      "Inside of a closed triangle surface.",
      required("file", &MeshRegion::file, "", "STL, OBJ, PLY or VTK file, relative to the case file.", existing_file()),
      field("scale", &MeshRegion::scale, "", "Factor from the units of the file to metres.", above(0)));
}

inline auto describe(Of<CellRegion>) { return object("The whole periodic cell, across its faces."); }

inline auto describe(Of<AboveRegion>) {
  return object(
      "The part of a box above the highest surface of a triangle mesh, along z.",
      required("box", &AboveRegion::box, "m", "Lowest and highest corner of the box."),
      required("file", &AboveRegion::file, "", "STL, OBJ, PLY or VTK file, relative to the case file.",
               existing_file()),
      field("scale", &AboveRegion::scale, "", "Factor from the units of the file to metres.", above(0)),
      field("translate", &AboveRegion::translate, "m", "Shift of the mesh after scaling."),
      field("holes", &AboveRegion::holes, "",
            "Where the mesh has no surface, the region begins at the lower face of the box; else that is an error."));
}

inline auto describe(Of<DiscFace>) {
  return object(
      "Plane disc.", required("center", &DiscFace::center, "m", "Centre of the disc."),
      required("normal", &DiscFace::normal, "", "Towards the particles; its length does not count.", direction()),
      required("radius", &DiscFace::radius, "m", "Radius of the disc.", above(0)));
}

inline auto describe(Of<FaceRegion>) {
  return object("Surface through which particles come in, of inlets; they appear where its normals point.",
                field("file", &FaceRegion::file, "",
                      "STL, OBJ, PLY or VTK file of a triangle surface, relative to the case file.", existing_file()),
                field("scale", &FaceRegion::scale, "", "Factor from the units of the file to metres.", above(0)),
                field("translate", &FaceRegion::translate, "m", "Shift of the mesh after scaling."),
                field("polygon", &FaceRegion::polygon, "m",
                      "Corners of a plane polygon, counterclockwise where its normal points to the eye.",
                      Rule{}.at_least_items(3)),
                field("disc", &FaceRegion::disc, "", "A plane disc."),
                field("flip", &FaceRegion::flip, "", "The particles appear on the other side of the surface."),
                field("depth", &FaceRegion::depth, "m", "Largest gap between a particle and the surface.", at_least(0)))
      .with_exactly_one({"file", "polygon", "disc"});
}
inline void check(const FaceRegion& face, Complaints& complaints) {
  if (face.file) return;
  if (face.scale != 1) complaints.add("scale", "belongs to \"file\"");
  if (face.translate != Real3{}) complaints.add("translate", "belongs to \"file\"");
}

inline auto describe(Of<Region>) {
  return keyed("Where particles are put.", alternative<BoxRegion>("box"), alternative<CylinderRegion>("cylinder"),
               alternative<SphereRegion>("sphere"), alternative<MeshRegion>("mesh"), alternative<CellRegion>("cell"),
               alternative<AboveRegion>("above"), alternative<FaceRegion>("face"));
}

// --- sizes -------------------------------------------------------------------------------------------------------

inline void check_size_limits(double min, double max, const std::string& max_key, Complaints& complaints) {
  if (max < min) {
    complaints.add(max_key, "must be at least the smallest radius " + number_text(min) + ", got " + number_text(max));
  }
}
inline void check_size_centre(double centre, double min, double max, const std::string& key, Complaints& complaints) {
  if (min <= max && (centre < min || centre > max)) {
    complaints.add(key, "must lie between min " + number_text(min) + " and max " + number_text(max) + ", got " +
                            number_text(centre));
  }
}

inline auto describe(Of<FixedSize>) {
  return single("The same radius for all.", required("value", &FixedSize::value, "m", "Radius.", above(0)));
}

inline auto describe(Of<UniformSize>) {
  return row("Uniform by number between a smallest and a largest radius.",
             required("min", &UniformSize::min, "m", "Smallest radius.", above(0)),
             required("max", &UniformSize::max, "m", "Largest radius.", above(0)));
}
inline void check(const UniformSize& size, Complaints& complaints) {
  check_size_limits(size.min, size.max, "1", complaints);
}

inline auto describe(Of<NormalSize>) {
  return object("Normal by number, cut off at a smallest and a largest radius.",
                required("mean", &NormalSize::mean, "m", "Mean radius before the cut.", above(0)),
                required("deviation", &NormalSize::deviation, "m", "Standard deviation before the cut.", at_least(0)),
                required("min", &NormalSize::min, "m", "Smallest radius.", above(0)),
                required("max", &NormalSize::max, "m", "Largest radius.", above(0)));
}
inline void check(const NormalSize& size, Complaints& complaints) {
  check_size_limits(size.min, size.max, "max", complaints);
  check_size_centre(size.mean, size.min, size.max, "mean", complaints);
}

inline auto describe(Of<LogNormalSize>) {
  return object("Log-normal by number, cut off at a smallest and a largest radius.",
                required("median", &LogNormalSize::median, "m", "Median radius before the cut.", above(0)),
                required("deviation", &LogNormalSize::deviation, "",
                         "Standard deviation of the natural logarithm of the radius before the cut.", at_least(0)),
                required("min", &LogNormalSize::min, "m", "Smallest radius.", above(0)),
                required("max", &LogNormalSize::max, "m", "Largest radius.", above(0)));
}
inline void check(const LogNormalSize& size, Complaints& complaints) {
  check_size_limits(size.min, size.max, "max", complaints);
  check_size_centre(size.median, size.min, size.max, "median", complaints);
}

inline auto describe(Of<DiscreteSize>) {
  return object(
      "A few radii, each with its share by number.",
      required("values", &DiscreteSize::values, "m", "Radii.", above(0).at_least_items(1)),
      required("weights", &DiscreteSize::weights, "", "Share of each radius; the sum need not be 1.", at_least(0)));
}
inline void check(const DiscreteSize& size, Complaints& complaints) {
  if (size.weights.size() != size.values.size()) {
    complaints.add("weights", "must have one weight per value: " + std::to_string(size.values.size()) + ", got " +
                                  std::to_string(size.weights.size()));
    return;
  }
  double sum = 0;
  for (const double weight : size.weights) sum += weight;
  if (!(sum > 0) || !std::isfinite(sum)) {
    complaints.add("weights", "must have a positive, finite sum, got " + number_text(sum));
  }
}

inline auto describe(Of<SieveSize>) {
  return object("Sieve curve, linear between its points.",
                required("passing", &SieveSize::passing, "m, -",
                         "Points [radius, mass fraction of all finer particles], from fraction 0 to fraction 1.",
                         at_least(0).at_least_items(2)));
}
inline void check(const SieveSize& size, Complaints& complaints) {
  const auto& points = size.passing;
  const std::string list = "passing.";
  for (std::size_t i = 0; i < points.size(); ++i) {
    const std::string row = list + std::to_string(i);
    if (i == 0 && !(points[0][0] > 0)) {
      complaints.add(row + ".0", "must be greater than 0, got " + number_text(points[0][0]));
    }
    if (i > 0 && points[i][0] < points[i - 1][0]) {
      complaints.add(row + ".0", "must be at least the radius before it, " + number_text(points[i - 1][0]) + ", got " +
                                     number_text(points[i][0]));
    }
    if (i > 0 && points[i][1] < points[i - 1][1]) {
      complaints.add(row + ".1", "must be at least the fraction before it, " + number_text(points[i - 1][1]) +
                                     ", got " + number_text(points[i][1]));
    }
  }
  if (points.front()[1] != 0) {
    complaints.add(list + "0.1", "the first fraction must be 0, got " + number_text(points.front()[1]));
  }
  if (points.back()[1] != 1) {
    complaints.add(list + std::to_string(points.size() - 1) + ".1",
                   "the last fraction must be 1, got " + number_text(points.back()[1]));
  }
}

inline auto describe(Of<RosinRammlerSize>) {
  return object("Rosin-Rammler (Weibull) by mass, cut off at a smallest and a largest radius.",
                required("characteristic", &RosinRammlerSize::characteristic, "m",
                         "Radius above which 36.8 % of the mass lies, before the cut.", above(0)),
                required("exponent", &RosinRammlerSize::exponent, "",
                         "Exponent n of the mass exp(-(r / characteristic)^n) above a radius r: the larger, the "
                         "narrower.",
                         above_up_to(0, 50)),
                required("min", &RosinRammlerSize::min, "m", "Smallest radius.", above(0)),
                required("max", &RosinRammlerSize::max, "m", "Largest radius.", above(0)));
}
inline void check(const RosinRammlerSize& size, Complaints& complaints) {
  check_size_limits(size.min, size.max, "max", complaints);
  check_size_centre(size.characteristic, size.min, size.max, "characteristic", complaints);
}

inline auto describe(Of<SizeDistribution>) {
  return keyed("Radius of the particles: one number for all, or a distribution.", alternative<FixedSize>(""),
               alternative<UniformSize>("uniform"), alternative<NormalSize>("normal"),
               alternative<LogNormalSize>("lognormal"), alternative<DiscreteSize>("discrete"),
               alternative<SieveSize>("sieve"), alternative<RosinRammlerSize>("rosin_rammler"));
}

// --- shapes ------------------------------------------------------------------------------------------------------

inline auto describe(Of<MemberSphere>) {
  return object("A sphere of a clump.", required("center", &MemberSphere::center, "m", "Centre."),
                required("radius", &MemberSphere::radius, "m", "Radius.", above(0)));
}
inline auto describe(Of<ClumpTemplate>) {
  return object(
             "A rigid body of spheres, which may overlap.",
             field("spheres", &ClumpTemplate::spheres, "m", "The spheres, in any frame.", some_items()),
             field("file", &ClumpTemplate::file, "",
                   "CSV file with a header line and the columns x, y, z, r, relative to the case file.",
                   existing_file()),
             field("scale", &ClumpTemplate::scale, "", "Takes the units of the spheres to metres.", above(0)),
             field(
                 "resolution", &ClumpTemplate::resolution, "",
                 "Cells along the shortest edge of a grid on which overlapping spheres are measured; left out: exact.",
                 from_up_to(8, 1024)))
      .with_exactly_one({"spheres", "file"});
}

inline auto describe(Of<BallForm>) {
  return object("Ball about the origin.", required("radius", &BallForm::radius, "m", "Radius.", above(0)));
}
inline auto describe(Of<BoxForm>) {
  return object("Box about the origin, along the axes.",
                required("half_edges", &BoxForm::half_edges, "m", "Half of its edges.", above(0)));
}
inline auto describe(Of<CapsuleForm>) {
  return object("Cylinder about z with half balls at its ends.",
                required("radius", &CapsuleForm::radius, "m", "Radius.", above(0)),
                required("half_length", &CapsuleForm::half_length, "m", "From the middle to the centre of a half ball.",
                         above(0)));
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
            "e1 and e2: nearly a box, over 1 (an ellipsoid), to 2 (an octahedron).", from_up_to(0.1, 2)));
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
      "How a level-set grain deforms: its modes, and what they resist.",
      field("forms", &Deformation::forms, "", "Modes with a closed form, in place of those of a template."),
      field("beam_theory", &Deformation::beam_theory, "",
            "Bending and stretching are those of slender bodies, which contract freely across."),
      field("count", &Deformation::count, "", "So many modes of the template; left out: all; 0: the grain is rigid."),
      field("mass", &Deformation::mass, "kg", "Mass of each mode of each grain; left out: from the density.", above(0)),
      field("stiffness", &Deformation::stiffness, "N/m",
            "Stiffness of each mode of each grain; left out: from Young's modulus.", at_least(0)),
      field("table", &Deformation::table, "m, N",
            "Knots of the force of a single mode of each grain over its amplitude, ascending from 0."),
      field("damping_ratio", &Deformation::damping_ratio, "", "Damping of each mode over the critical one.",
            at_least(0)),
      field("damping_coefficient", &Deformation::damping_coefficient, "N s/m", "Damping of each mode.", at_least(0)),
      field("damping_by_stiffness", &Deformation::damping_by_stiffness, "s", "Damping of each mode over its stiffness.",
            at_least(0)),
      field("deforming_inertia", &Deformation::deforming_inertia, "",
            "The moments of inertia follow the deformation, and the rates of the modes carry angular momentum."));
}

inline auto describe(Of<LevelSetTemplate>) {
  return object("A grain of any shape: a level set on a grid, and nodes on the surface.",
                field("sphere", &LevelSetTemplate::sphere, "", "A ball."),
                field("box", &LevelSetTemplate::box, "", "A box."),
                field("capsule", &LevelSetTemplate::capsule, "", "A cylinder with half balls at its ends."),
                field("cylinder", &LevelSetTemplate::cylinder, "", "A cylinder."),
                field("torus", &LevelSetTemplate::torus, "", "A ring."),
                field("superellipsoid", &LevelSetTemplate::superellipsoid, "", "A superellipsoid."),
                field("file", &LevelSetTemplate::file, "",
                      "Closed mesh (STL, OBJ, PLY, VTK), image of labelled voxels (NRRD, or a JSON header of raw "
                      "voxels), or "
                      "template of `scree grain`, relative to the case file.",
                      existing_file()),
                field("scale", &LevelSetTemplate::scale, "", "Takes the units of the file to metres.", above(0)),
                field("label", &LevelSetTemplate::label, "", "Which grain of an image.", at_least(1)),
                field("grid_spacing", &LevelSetTemplate::grid_spacing, "m",
                      "Distance of the points of the grid; needed except with a template.", above(0)),
                field("node_spacing", &LevelSetTemplate::node_spacing, "",
                      "Distance of the nodes over the spacing of the grid; left out: 0.9.", from_up_to(0.1, 2)),
                field("deformation", &LevelSetTemplate::deformation, "",
                      "How the grain deforms; left out: as the modes of the template say, which is rigid as a rule."))
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
      "How level-set grains touch.",
      field("two_pass", &GrainContacts::two_pass, "",
            "The nodes of both grains touch, each with half of the force; else those of the smaller grain."),
      field("by_area", &GrainContacts::by_area, "",
            "The force of a node goes with its area; else each node counts as one contact."),
      field("remap_iterations", &GrainContacts::remap_iterations, "",
            "How often the place of a point in a deformed grain before its deformation is improved, after a "
            "first guess; left out: until it stands to 1e-4 of the spacing of the grid.",
            from_up_to(0, 20)),
      field("field_update", &GrainContacts::field_update, "",
            "Where contacts find the level set of a grain that deforms."),
      field("field_levels", &GrainContacts::field_levels, "",
            "Of precomputed: amplitudes of each sign of each mode for which a level set is made; left out: 2.",
            from_up_to(1, 16)));
}
inline void check(const GrainContacts& contacts, Complaints& complaints) {
  if (contacts.field_levels && contacts.field_update != FieldUpdate::precomputed) {
    complaints.add("field_levels", "has no effect; only the field_update \"precomputed\" has levels");
  }
}
inline auto describe(Of<Shape>) { return object("A shape of particles.", inlined(&Shape::kind)); }

// --- groups ------------------------------------------------------------------------------------------------------

inline auto describe(Of<Fill>) {
  return object("Random particles that do not overlap, inside a region.", inlined(&Fill::region),
                field("count", &Fill::count, "", "Number of particles.", at_least(1)),
                field("solid_fraction", &Fill::solid_fraction, "",
                      "Volume of the particles over the volume of the region.", above_up_to(0, 0.74)),
                field("keep_clear", &Fill::keep_clear, "", "No particle overlaps a boundary at the start."),
                field("dense", &Fill::dense, "",
                      "Grow a dense random packing, up to a solid fraction of about 0.63 for equal spheres."))
      .with_exactly_one({"count", "solid_fraction"});
}
inline void check(const Fill& fill, Complaints& complaints) {
  if (fill.dense && !fill.solid_fraction) {
    complaints.add("dense", "needs \"solid_fraction\", to which the packing is grown");
  }
}

inline auto describe(Of<LatticeKind>) {
  return Words<LatticeKind>{{{"simple_cubic", LatticeKind::simple_cubic},
                             {"body_centred", LatticeKind::body_centred},
                             {"face_centred", LatticeKind::face_centred}}};
}

inline auto describe(Of<Lattice>) {
  return object("Particles on the points of a lattice inside a box.",
                field("type", &Lattice::type, "", "Kind of the lattice."),
                required("box", &Lattice::box, "m", "Lowest and highest corner of the box that the particles fill."),
                required("spacing", &Lattice::spacing, "m", "Distance of nearest neighbours.", above(0)),
                field("jitter", &Lattice::jitter, "", "Random shift as a fraction of the free gap.", from_up_to(0, 1)));
}

constexpr std::string_view orientation_text =
    "Unit quaternion [w, x, y, z] that turns the frame of a clump's spheres into the world; left out: random.";
/// of a quaternion's length: more than written digits lose, less than an angle in its place would make
constexpr double unit_within = 1e-3;

inline bool is_unit(const QuaternionWxyz& q) {
  return std::fabs(std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]) - 1) <= unit_within;
}
inline void check_orientation(const std::optional<QuaternionWxyz>& orientation, const std::string& key,
                              const std::string& shape, Complaints& complaints) {
  if (!orientation) return;
  if (shape == "sphere") {
    complaints.add(key, "is not allowed for spheres, which have none");
  } else if (!is_unit(*orientation)) {
    complaints.add(key, "must be a quaternion [w, x, y, z] of length 1 within " + number_text(unit_within));
  }
}

inline auto describe(Of<Inlet>) {
  return object("Particles that appear during the run where they overlap nothing.",
                field("name", &Inlet::name, "", "By which stages know it."),
                field("rate", &Inlet::rate, "1/s", "Particles per time.", above(0)),
                field("mass_flow", &Inlet::mass_flow, "kg/s", "Mass per time.", above(0)),
                required("region", &Inlet::region, "m", "A particle lies wholly inside when it appears."),
                field("velocity", &Inlet::velocity, "m/s", "Velocity of a new particle."),
                field("normal_speed", &Inlet::normal_speed, "m/s",
                      "Added to the velocity along the normal of a \"face\", where the particle appears."),
                field("angular_velocity", &Inlet::angular_velocity, "rad/s", "Angular velocity of a new particle."),
                field("orientation", &Inlet::orientation, "", orientation_text),
                field("from", &Inlet::from, "s", "Time at which the flow begins.", at_least(0)),
                field("until", &Inlet::until, "s", "Time at which the flow ends; left out: never.", above(0)),
                field("count", &Inlet::count, "", "No more particles than this.", at_least(1)),
                field("mass", &Inlet::mass, "kg", "No more mass than this.", above(0)))
      .with_exactly_one({"rate", "mass_flow"});
}
inline void check(const Inlet& inlet, Complaints& complaints) {
  if (inlet.normal_speed != 0 && !std::holds_alternative<FaceRegion>(inlet.region)) {
    complaints.add("normal_speed", "needs a \"face\" as the region, which has a normal");
  }
  if (!(inlet.until > inlet.from)) {
    complaints.add("until",
                   "must be greater than \"from\" " + number_text(inlet.from) + ", got " + number_text(inlet.until));
  }
}

inline auto describe(Of<MixturePart>) {
  return object(
      "One kind of particles in a mixture.",
      required("mass_fraction", &MixturePart::mass_fraction, "",
               "Share of the mass of the particles; all parts together have 1.", above_up_to(0, 1)),
      required("material", &MixturePart::material, "", "Name of the material."),
      field("shape", &MixturePart::shape, "", "Shape of the particles: \"sphere\", or a name in \"shapes\"."),
      field("radius", &MixturePart::radius, "m",
            "Radius or its distribution; of a shape that of the sphere of the same volume, left out: its own size."),
      field("group", &MixturePart::group, "", "Name of the group in \"groups\"; left out: that of the entry."));
}
inline void check(const MixturePart& part, Complaints& complaints) {
  if (!part.radius && part.shape == "sphere") complaints.add("radius", "is missing; spheres need it");
}

/// Rules of an entry with a mixture.
inline void check_mixture(const ParticleGroup& group, Complaints& complaints) {
  constexpr double sum_within = 1e-6;
  if (!group.fill && !group.inlet) complaints.add("mixture", "is only allowed with \"fill\" and \"inlet\"");
  const auto refuse = [&](bool given, const char* key) {
    if (given) complaints.add(key, "is not allowed with \"mixture\", whose parts give it");
  };
  refuse(group.material.has_value(), "material");
  refuse(group.radius.has_value(), "radius");
  refuse(group.shape != "sphere", "shape");
  double sum = 0;
  for (const MixturePart& part : group.mixture) sum += part.mass_fraction;
  if (!(std::fabs(sum - 1) <= sum_within)) {
    complaints.add("mixture",
                   "the mass fractions must sum to 1 within " + number_text(sum_within) + ", got " + number_text(sum));
  }
}

inline auto describe(Of<ParticleGroup>) {
  return object(
             "Particles of one material or a mixture, that are there when the run starts or that appear at an inlet.",
             field("shape", &ParticleGroup::shape, "", "Shape of the particles: \"sphere\", or a name in \"shapes\"."),
             field("material", &ParticleGroup::material, "",
                   "Name of the material; needed but for a mixture and for a file with a column \"material\"."),
             field("mixture", &ParticleGroup::mixture, "",
                   "With fill and inlet: kinds of particles by mass fraction, in place of material, shape and radius.",
                   some_items().at_least_items(2)),
             field("radius", &ParticleGroup::radius, "m",
                   "Radius or its distribution, with fill, lattice and inlet; of a shape that of the sphere of the "
                   "same volume, "
                   "left out: its own size."),
             field("fill", &ParticleGroup::fill, "", "Random particles in a region."),
             field("lattice", &ParticleGroup::lattice, "", "Particles on a lattice."),
             field("file", &ParticleGroup::file, "",
                   "CSV file with a header line and columns x,y,z, radius or diameter, and any of vx,vy,vz; wx,wy,wz; "
                   "qw,qx,qy,qz; material; group; relative to the case file.",
                   existing_file()),
             field("inlet", &ParticleGroup::inlet, "", "Particles that appear during the run."),
             field("allow_overlap", &ParticleGroup::allow_overlap, "",
                   "Overlap at the start that is allowed to particles of a file or lattice, over the smaller radius of "
                   "the two; of two "
                   "entries the larger value counts; left out: 0.1.",
                   from_below(0, 1)),
             field("velocity", &ParticleGroup::velocity, "m/s", "Velocity at the start."),
             field("angular_velocity", &ParticleGroup::angular_velocity, "rad/s", "Angular velocity at the start."),
             field("orientation", &ParticleGroup::orientation, "", orientation_text),
             field("group", &ParticleGroup::group, "", "Name of the group in \"groups\" that the particles belong to."),
             field("temperature", &ParticleGroup::temperature, "K",
                   "At the start, or at the inlet; left out: that of \"heat\".", above(0)),
             field("film", &ParticleGroup::film, "",
                   "Liquid on a particle at the start, or at the inlet, over the volume of the particle; left out: 0.",
                   from_up_to(0, 1)))
      .with_exactly_one({"fill", "lattice", "file", "inlet"});
}
inline void check(const ParticleGroup& group, Complaints& complaints) {
  const bool mixed = !group.mixture.empty();
  if (mixed) check_mixture(group, complaints);
  if (!mixed && !group.file && !group.material) complaints.add("material", "is missing");
  if (group.file && group.radius) complaints.add("radius", "is not allowed with \"file\", which gives the radii");
  if (!mixed && !group.file && !group.radius && group.shape == "sphere") {
    complaints.add("radius", "is missing; it is needed by \"fill\", \"lattice\" and \"inlet\"");
  }
  if (group.allow_overlap && !group.file && !group.lattice) {
    complaints.add("allow_overlap",
                   "is only allowed with \"file\" and \"lattice\": other particles never overlap at the start");
  }
  std::string shape = group.shape;
  for (const MixturePart& part : group.mixture) shape = shape == "sphere" ? part.shape : shape;
  check_orientation(group.orientation, "orientation", shape, complaints);
  if (!group.inlet) return;
  check_orientation(group.inlet->orientation, "inlet.orientation", shape, complaints);
  if (group.orientation) complaints.add("orientation", "is not allowed with \"inlet\"; give inlet.orientation");
  if (group.velocity != Real3{}) complaints.add("velocity", "is not allowed with \"inlet\"; give inlet.velocity");
  if (group.angular_velocity != Real3{}) {
    complaints.add("angular_velocity", "is not allowed with \"inlet\"; give inlet.angular_velocity");
  }
}

static_assert(lists_every_member<BoxRegion> && lists_every_member<CylinderRegion> && lists_every_member<SphereRegion> &&
              lists_every_member<MeshRegion> && lists_every_member<CellRegion> && lists_every_member<FixedSize> &&
              lists_every_member<UniformSize> && lists_every_member<NormalSize> && lists_every_member<LogNormalSize> &&
              lists_every_member<DiscreteSize> && lists_every_member<SieveSize> &&
              lists_every_member<RosinRammlerSize> && lists_every_member<AboveRegion> && lists_every_member<DiscFace> &&
              lists_every_member<FaceRegion> && lists_every_member<MixturePart> && lists_every_member<Fill> &&
              lists_every_member<Lattice> && lists_every_member<Inlet> && lists_every_member<ParticleGroup>);

}  // namespace scree
