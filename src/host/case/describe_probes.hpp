#pragma once

#include <memory>
#include <utility>
#include <variant>

#include "host/case/describe_regions.hpp"

/// The kinds of probes. Each has a description of its keys, and a function that makes a probe from the keys; the
/// function is defined in host/measure, beside the measurement. docs/output.md says what each kind measures.
namespace scree {

class Probe;
class ProbePlace;

inline auto describe(Of<FlowPlane>) {
  return object("A plane that counts the particles that pass through it.",
                required("point", &FlowPlane::point, "m", "A point of the plane."),
                required("normal", &FlowPlane::normal, "",
                         "Direction that counts as positive; its length does not count.", direction()));
}

inline auto describe(Of<FlowProbe>) {
  return object("Net number and mass of particles through a plane since the start.",
                required("plane", &FlowProbe::plane, "", "The plane, which has no rim."),
                field("window", &FlowProbe::window, "s",
                      "Also measure the mean flow over the last time window of this "
                      "length.",
                      above(0)));
}
[[nodiscard]] std::unique_ptr<Probe> make_probe(const FlowProbe& keys, const ProbePlace& place);

inline auto describe(Of<StressProbe>) {
  return object("Stress tensor: the part of the contacts and the part of the motion; tension is positive.",
                field("region", &StressProbe::region, "m",
                      "Particles with their centres inside count; left out: the whole periodic cell."));
}
[[nodiscard]] std::unique_ptr<Probe> make_probe(const StressProbe& keys, const ProbePlace& place);

inline auto describe(Of<FabricProbe>) {
  return object("Fabric tensor.", field("region", &FabricProbe::region, "m",
                                        "Contacts inside count; left out: the whole periodic cell."));
}
[[nodiscard]] std::unique_ptr<Probe> make_probe(const FabricProbe& keys, const ProbePlace& place);

inline auto describe(Of<CoordinationProbe>) {
  return object(
      "Contacts per particle, with and without the particles that have fewer than two contacts.",
      field("region", &CoordinationProbe::region, "m", "Particles with their centres inside count; left out: all."));
}
[[nodiscard]] std::unique_ptr<Probe> make_probe(const CoordinationProbe& keys, const ProbePlace& place);

inline auto describe(Of<PorosityProbe>) {
  return object(
      "Solid fraction and porosity.",
      field("region", &PorosityProbe::region, "m",
            "Particles with their centres inside count with their whole volume; left out: the whole periodic cell."));
}
[[nodiscard]] std::unique_ptr<Probe> make_probe(const PorosityProbe& keys, const ProbePlace& place);

inline auto describe(Of<InertialProbe>) {
  return object("Mean inertial number.",
                field("region", &InertialProbe::region, "m",
                      "Particles with their centres inside count; left out: the whole periodic cell."));
}
[[nodiscard]] std::unique_ptr<Probe> make_probe(const InertialProbe& keys, const ProbePlace& place);

inline void check(const TrackProbe& probe, Complaints& complaints) {
  refuse_repeats(probe.particles, "particles", complaints);
}
inline auto describe(Of<TrackProbe>) {
  return object("Position, velocity and force of chosen particles.",
                required("particles", &TrackProbe::particles, "", "Ids of the particles.", some_items()));
}
[[nodiscard]] std::unique_ptr<Probe> make_probe(const TrackProbe& keys, const ProbePlace& place);

inline auto describe(Of<ProbeAxis>) {
  return object(
      "A straight line, such as the axis of a drum or a mixer.",
      required("point", &ProbeAxis::point, "m", "A point of the line."),
      required("direction", &ProbeAxis::direction, "", "Its direction; the length does not count.", direction()));
}

inline auto describe(Of<MixingKind>) {
  return object("One of two kinds of particles; all others are the second kind.",
                field("materials", &MixingKind::materials, "", "Names of materials; left out: any."),
                field("groups", &MixingKind::groups, "", "Names of groups; left out: any."),
                field("larger_than", &MixingKind::larger_than, "m",
                      "Only particles with a radius larger than this belong to the kind.", above(0)));
}
inline void check(const MixingKind& kind, Complaints& complaints) {
  if (kind.materials.empty() && kind.groups.empty() && !kind.larger_than) {
    complaints.add("", "must say what the first kind is: materials, groups or larger_than");
  }
}
inline auto describe(Of<MixingProbe>) {
  return object(
      "How well two kinds of particles are mixed.",
      field("region", &MixingProbe::region, "m", "Particles with their centres inside count; left out: all."),
      required("of", &MixingProbe::of, "", "The first kind; all other particles are the second kind."),
      required("sample", &MixingProbe::sample, "m", "Edge of the sample cubes whose contents are compared.", above(0)),
      field("axis", &MixingProbe::axis, "", "Also measure segregation towards this axis or away from it."));
}
[[nodiscard]] std::unique_ptr<Probe> make_probe(const MixingProbe& keys, const ProbePlace& place);

inline auto describe(Of<SizeSegregationProbe>) {
  return object(
      "Segregation by size: whether large particles lie apart from small ones along each axis.",
      field("region", &SizeSegregationProbe::region, "m", "Particles with their centres inside count; left out: all."),
      field("axis", &SizeSegregationProbe::axis, "", "Also measure segregation towards this axis or away from it."));
}
[[nodiscard]] std::unique_ptr<Probe> make_probe(const SizeSegregationProbe& keys, const ProbePlace& place);

inline auto describe(Of<ContentProbe>) {
  return object(
      "Number, mass, centre, mean velocity and granular temperature of the particles in a region.",
      field("region", &ContentProbe::region, "m", "Particles with their centres inside count; left out: all."));
}
[[nodiscard]] std::unique_ptr<Probe> make_probe(const ContentProbe& keys, const ProbePlace& place);

inline void check(const BoxProbe& probe, Complaints& complaints) { refuse_repeats(probe.walls, "walls", complaints); }
inline auto describe(Of<BoxProbe>) {
  return object(
      "Lengths, strains, stresses and void ratio of a sample between plane walls.",
      required("walls", &BoxProbe::walls, "", "Names of planes across x, y or z, in opposite pairs: up to six planes.",
               some_items()),
      field("area", &BoxProbe::area, "m2",
            "Cross-section of a sample between two walls; left out: it follows from the other walls or from the "
            "periodic cell.",
            above(0)));
}
[[nodiscard]] std::unique_ptr<Probe> make_probe(const BoxProbe& keys, const ProbePlace& place);

inline auto describe(Of<TriaxialProbe>) {
  return object("Quantities of soil tests: mean stress, deviator and mobilised friction; compression is positive.",
                field("region", &TriaxialProbe::region, "m",
                      "Particles with their centres inside count; left out: the whole periodic cell."),
                required("axis", &TriaxialProbe::axis, "", "Axis of the axial stress; the other two axes are lateral.",
                         one_of(axis_names())));
}
[[nodiscard]] std::unique_ptr<Probe> make_probe(const TriaxialProbe& keys, const ProbePlace& place);

inline auto describe(Of<FragmentProbe>) {
  return object("Number and size of the pieces that intact bonds hold together.");
}
[[nodiscard]] std::unique_ptr<Probe> make_probe(const FragmentProbe& keys, const ProbePlace& place);

inline auto describe(Of<AngleOfReposeProbe>) {
  return object(
      "Slope of the surface of a heap, about an axis along gravity.",
      field("region", &AngleOfReposeProbe::region, "m", "Particles with their centres inside count; left out: all."),
      field("center", &AngleOfReposeProbe::center, "m",
            "A point of the axis of the heap; left out: the centre of mass of the particles."));
}
[[nodiscard]] std::unique_ptr<Probe> make_probe(const AngleOfReposeProbe& keys, const ProbePlace& place);

inline auto describe(Of<DissipationProbe>) {
  return object(
      "Power and energy that contacts lose by slip, breaking and dashpots.",
      field("region", &DissipationProbe::region, "m", "Particles with their centres inside count; left out: all."));
}
[[nodiscard]] std::unique_ptr<Probe> make_probe(const DissipationProbe& keys, const ProbePlace& place);

inline auto describe(Of<ExposureProbe>) {
  return object("Time that particles have spent in a region since the start: mean, scatter and number of visits.",
                required("region", &ExposureProbe::region, "m", "Particles with their centres inside count."));
}
[[nodiscard]] std::unique_ptr<Probe> make_probe(const ExposureProbe& keys, const ProbePlace& place);

inline void check(const BoundaryForceProbe& probe, Complaints& complaints) {
  refuse_repeats(probe.boundaries, "boundaries", complaints);
}
inline auto describe(Of<BoundaryForceProbe>) {
  return object("Force and torque of the particles on boundaries.",
                required("boundaries", &BoundaryForceProbe::boundaries, "",
                         "Names of boundaries; their forces and torques are added up.", some_items()),
                field("about", &BoundaryForceProbe::about, "m", "Point about which torques are taken."));
}
[[nodiscard]] std::unique_ptr<Probe> make_probe(const BoundaryForceProbe& keys, const ProbePlace& place);

inline auto describe(Of<ContactForceProbe>) {
  return object("Force and torque of all other particles and of boundaries on the particles that the probe sees.",
                field("about", &ContactForceProbe::about, "m",
                      "Point about which torques are taken; left out: the centre of mass of these particles."));
}
[[nodiscard]] std::unique_ptr<Probe> make_probe(const ContactForceProbe& keys, const ProbePlace& place);

inline auto describe(Of<SurfaceSlopeProbe>) {
  return object(
      "Slope of the surface of a bed, such as the dynamic angle of repose in a drum.",
      field("region", &SurfaceSlopeProbe::region, "m", "Particles with their centres inside count; left out: all."),
      required("along", &SurfaceSlopeProbe::along, "",
               "Direction in which the surface rises when the angle is positive; only its part across gravity counts.",
               direction()));
}
[[nodiscard]] std::unique_ptr<Probe> make_probe(const SurfaceSlopeProbe& keys, const ProbePlace& place);

inline auto describe(Of<ProbeKind>) {
  return tagged("What is measured.", alternative<FlowProbe>("flow"), alternative<StressProbe>("stress"),
                alternative<FabricProbe>("fabric"), alternative<CoordinationProbe>("coordination"),
                alternative<PorosityProbe>("porosity"), alternative<InertialProbe>("inertial_number"),
                alternative<TrackProbe>("track"), alternative<MixingProbe>("mixing"),
                alternative<SizeSegregationProbe>("size_segregation"), alternative<FragmentProbe>("fragments"),
                alternative<AngleOfReposeProbe>("angle_of_repose"), alternative<DissipationProbe>("dissipation"),
                alternative<BoundaryForceProbe>("boundary_force"), alternative<SurfaceSlopeProbe>("surface_slope"),
                alternative<ContentProbe>("content"), alternative<BoxProbe>("box"),
                alternative<ContactForceProbe>("contact_force"), alternative<TriaxialProbe>("triaxial"),
                alternative<ExposureProbe>("exposure"));
}
inline auto describe(Of<ProbeOutput>) {
  return object(
      "A measurement in each row of the series.", inlined(&ProbeOutput::kind),
      field("materials", &ProbeOutput::materials, "",
            "Names of materials whose particles the probe sees; left out: all."),
      field("groups", &ProbeOutput::groups, "", "Names of groups whose particles the probe sees; left out: all."),
      field(
          "sample_every", &ProbeOutput::sample_every, "s",
          "Simulated time between two samples; each row then has the mean of the samples since the last row; left out: "
          "each row has the value at its own time.",
          above(0)));
}
inline void check(const ProbeOutput& probe, Complaints& complaints) {
  const bool tracks = std::holds_alternative<TrackProbe>(probe.kind);
  if (!tracks && !std::holds_alternative<BoundaryForceProbe>(probe.kind)) return;
  for (const auto& [key, names] : {std::pair{"materials", &probe.materials}, std::pair{"groups", &probe.groups}}) {
    if (names->empty()) continue;
    complaints.add(key, tracks ? "has no effect on a probe of type track, which names its particles"
                               : "has no effect on a probe of type boundary_force, which takes all particles");
  }
}

static_assert(lists_every_member<FlowPlane> && lists_every_member<MixingKind> && lists_every_member<ProbeAxis> &&
              lists_every_member<ProbeOutput> && alternatives_list_every_member<ProbeKind>);

}  // namespace scree
