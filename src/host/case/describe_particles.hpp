#pragma once

#include <cmath>

#include "host/case/describe_goals.hpp"
#include "host/case/describe_regions.hpp"
#include "host/case/describe_sizes.hpp"
#include "host/text/text.hpp"

/// Fills, lattices, inlets, membranes and entries of particles.
namespace scree {

inline auto describe(Of<Fill>) {
  return object("Random particles that do not overlap, inside a region.", inlined(&Fill::region),
                field("count", &Fill::count, "", "Number of particles.", at_least(1)),
                field("solid_fraction", &Fill::solid_fraction, "",
                      "Volume of the particles over the volume of the region.", above_up_to(0, 0.74)),
                field("keep_clear", &Fill::keep_clear, "", "Place no particle that overlaps a boundary at the start."),
                field("keep_out_of", &Fill::keep_out_of, "",
                      "Names of boundaries that are closed meshes, such as shafts and paddles: no particle is placed "
                      "inside them."),
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
                field("jitter", &Lattice::jitter, "",
                      "Random shift of each particle, as a fraction of the free gap; it never causes overlaps.",
                      from_up_to(0, 1)));
}

constexpr std::string_view orientation_text =
    "Unit quaternion [w, x, y, z] that turns the frame of the shape into the world; left out: random orientations.";
/// Tolerance of the length of a quaternion. It is wider than the rounding of written digits, but narrow enough to find
/// a quaternion that was confused with an axis and an angle.
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
  return object(
             "Particles that appear during the run where they overlap nothing.",
             field("name", &Inlet::name, "", "Name by which stages refer to the inlet."),
             field("rate", &Inlet::rate, "1/s", "Number of particles per time.", above(0)),
             field("mass_flow", &Inlet::mass_flow, "kg/s", "Mass of particles per time.", above(0)),
             required("region", &Inlet::region, "m", "Region in which new particles lie wholly."),
             field("velocity", &Inlet::velocity, "m/s", "Velocity of a new particle."),
             field("normal_speed", &Inlet::normal_speed, "m/s",
                   "Speed along the normal of a \"face\" region where the particle appears, in addition to "
                   "\"velocity\"."),
             field("angular_velocity", &Inlet::angular_velocity, "rad/s", "Angular velocity of a new particle."),
             field("orientation", &Inlet::orientation, "", orientation_text),
             field("from", &Inlet::from, "s", "Time at which the flow begins.", at_least(0)),
             field("until", &Inlet::until, "s", "Time at which the flow ends; left out: never.", above(0)),
             field("count", &Inlet::count, "", "Largest number of particles in all.", at_least(1)),
             field("mass", &Inlet::mass, "kg", "Largest mass of particles in all.", above(0)),
             field("keep_out_of", &Inlet::keep_out_of, "",
                   "Names of boundaries that are closed meshes, such as shafts and screws: no particle appears inside "
                   "them."))
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

inline auto describe(Of<Membrane>) {
  return object(
      "A sleeve of bonded spheres around a cylindrical specimen, on which a pressure acts.",
      required("name", &Membrane::name, "", "Name by which stages and columns of the series refer to the membrane."),
      required("from", &Membrane::from, "m", "Centre of the first end."),
      required("to", &Membrane::to, "m", "Centre of the second end."),
      required("radius", &Membrane::radius, "m", "Radius of the room inside, which the spheres touch from outside.",
               above(0)),
      required("pressure", &Membrane::pressure, "Pa",
               "Pressure from outside, or a table of it over the time of the run; negative: pressure from inside."),
      field("ends", &Membrane::ends, "",
            "Name in \"groups\" of the group of the first and the last ring of spheres; left out: the group of the "
            "entry."));
}
inline void check(const Membrane& membrane, Complaints& complaints) {
  if (!are_apart(membrane.from, membrane.to)) { complaints.add("to", "must differ from \"from\""); }
  if (membrane.name.empty()) { complaints.add("name", "must not be empty"); }
}

/// Complains about an entry, or a part of a mixture, that gives both a radius and a diameter.
inline void check_sizes(const auto& sized, Complaints& complaints) {
  if (sized.radius && sized.diameter) complaints.add("diameter", "is not allowed with \"radius\"; give one of them");
}

inline auto describe(Of<MixturePart>) {
  return object(
      "One kind of particles in a mixture.",
      required("mass_fraction", &MixturePart::mass_fraction, "",
               "Share of this kind in the mass of all particles; the shares of all parts sum to 1.", above_up_to(0, 1)),
      required("material", &MixturePart::material, "", "Name of the material."),
      field("shape", &MixturePart::shape, "", "Shape of the particles: \"sphere\", or a name in \"shapes\"."),
      field("radius", &MixturePart::radius, "m",
            "Radius, or a distribution of radii. For a shape: radius of the sphere of the same volume; left out: the "
            "size "
            "of the shape itself."),
      field("diameter", &MixturePart::diameter, "m",
            "Diameter, or a distribution of diameters, in place of the radius."),
      field("group", &MixturePart::group, "", "Name of a group in \"groups\"; left out: the group of the entry."));
}
inline void check(const MixturePart& part, Complaints& complaints) {
  check_sizes(part, complaints);
  if (!part.radius && !part.diameter && part.shape == "sphere") {
    complaints.add("radius", "is missing; spheres need it, or a \"diameter\"");
  }
}

/// Checks the rules of an entry with a mixture.
inline void check_mixture(const ParticleGroup& group, Complaints& complaints) {
  constexpr double sum_within = 1e-6;
  if (!group.fill && !group.inlet) complaints.add("mixture", "is only allowed with \"fill\" and \"inlet\"");
  const auto refuse = [&](bool given, const char* key) {
    if (given) complaints.add(key, "is not allowed with \"mixture\", whose parts give it");
  };
  refuse(group.material.has_value(), "material");
  refuse(group.radius.has_value(), "radius");
  refuse(group.diameter.has_value(), "diameter");
  refuse(group.shape != "sphere", "shape");
  double sum = 0;
  for (const MixturePart& part : group.mixture) sum += part.mass_fraction;
  if (!(std::fabs(sum - 1) <= sum_within)) {
    complaints.add("mixture",
                   "the mass fractions must sum to 1 within " + number_text(sum_within) + ", got " + number_text(sum));
  }
}

/// Checks the rules of an entry with a membrane: its nodes are equal spheres.
inline void check_nodes(const ParticleGroup& group, Complaints& complaints) {
  if (group.shape != "sphere") { complaints.add("shape", "must be \"sphere\" for the nodes of a membrane"); }
  const auto expect_one_size = [&](const std::optional<SizeDistribution>& size, const char* key) {
    if (size && !std::holds_alternative<FixedSize>(*size)) {
      complaints.add(key, "must be one number for the nodes of a membrane, which are equal");
    }
  };
  expect_one_size(group.radius, "radius");
  expect_one_size(group.diameter, "diameter");
}

inline auto describe(Of<ParticleGroup>) {
  return object(
             "Particles of one material or of a mixture, which are there when the run starts or appear at an inlet.",
             field("shape", &ParticleGroup::shape, "", "Shape of the particles: \"sphere\", or a name in \"shapes\"."),
             field("material", &ParticleGroup::material, "",
                   "Name of the material; only a mixture, or a file with a column \"material\", may leave it out."),
             field("mixture", &ParticleGroup::mixture, "",
                   "For fill and inlet: kinds of particles by mass fraction, in place of material, shape and radius.",
                   some_items().at_least_items(2)),
             field("radius", &ParticleGroup::radius, "m",
                   "Radius, or a distribution of radii; a file gives its own. For a shape: radius of the sphere of the "
                   "same volume; left out: the size of the shape itself."),
             field("diameter", &ParticleGroup::diameter, "m",
                   "Diameter, or a distribution of diameters, in place of the radius."),
             field("fill", &ParticleGroup::fill, "", "Random particles in a region."),
             field("lattice", &ParticleGroup::lattice, "", "Particles on a lattice."),
             field("positions", &ParticleGroup::positions, "m", "The centre of each particle.", some_items()),
             field("file", &ParticleGroup::file, "",
                   "CSV file with a header line and columns x,y,z, radius or diameter, and any of vx,vy,vz; wx,wy,wz; "
                   "qw,qx,qy,qz; material; group; temperature; film; relative to the case file.",
                   existing_file()),
             field("scale", &ParticleGroup::scale, "",
                   "For a file: factor from its unit of length to metres, for positions and radii.", above(0)),
             field("translate", &ParticleGroup::translate, "m", "For a file: shift of the scaled positions."),
             field("inlet", &ParticleGroup::inlet, "", "Particles that appear during the run."),
             field("membrane", &ParticleGroup::membrane, "",
                   "A sleeve of bonded spheres, through which a pressure acts on a specimen."),
             field("allow_overlap", &ParticleGroup::allow_overlap, "",
                   "Accepted overlap at the start over the smaller of two radii, for particles of a file, a lattice, "
                   "positions or a membrane; between two entries the larger value counts; left out: 0.1.",
                   from_below(0, 1)),
             field("velocity", &ParticleGroup::velocity, "m/s", "Velocity at the start."),
             field("angular_velocity", &ParticleGroup::angular_velocity, "rad/s", "Angular velocity at the start."),
             field("orientation", &ParticleGroup::orientation, "", orientation_text),
             field("group", &ParticleGroup::group, "",
                   "Name in \"groups\" of the group to which the particles belong."),
             field("temperature", &ParticleGroup::temperature, "K",
                   "Temperature at the start or at the inlet; left out: the temperature in \"heat\".", above(0)),
             field(
                 "film", &ParticleGroup::film, "",
                 "Volume of the liquid film at the start or at the inlet over the volume of the particle; left out: 0.",
                 from_up_to(0, 1)))
      .with_exactly_one({"fill", "lattice", "positions", "file", "inlet", "membrane"});
}
inline void check(const ParticleGroup& group, Complaints& complaints) {
  const bool mixed = !group.mixture.empty();
  if (mixed) check_mixture(group, complaints);
  if (!mixed && !group.file && !group.material) complaints.add("material", "is missing");
  check_sizes(group, complaints);
  if (group.file && group.radius) complaints.add("radius", "is not allowed with \"file\", which gives the radii");
  if (group.file && group.diameter) complaints.add("diameter", "is not allowed with \"file\", which gives the radii");
  if (!mixed && !group.file && !group.radius && !group.diameter && group.shape == "sphere") {
    complaints.add("radius", "is missing; all but \"file\" need it, or a \"diameter\"");
  }
  if (!group.file && group.scale != 1) complaints.add("scale", "is only allowed with \"file\"");
  if (!group.file && group.translate != Real3{}) complaints.add("translate", "is only allowed with \"file\"");
  if (group.allow_overlap && !group.places_each()) {
    complaints.add("allow_overlap",
                   "is only allowed with \"file\", \"lattice\", \"positions\" and \"membrane\": other particles never "
                   "overlap at the start");
  }
  if (group.membrane) { check_nodes(group, complaints); }
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

static_assert(lists_every_member<MixturePart> && lists_every_member<Fill> && lists_every_member<Lattice> &&
              lists_every_member<Inlet> && lists_every_member<Membrane> && lists_every_member<ParticleGroup>);

}  // namespace scree
