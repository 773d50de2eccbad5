#pragma once

#include <array>
#include <cmath>
#include <memory>
#include <numbers>
#include <string>

#include "host/case/describe_regions.hpp"

/// The kinds of probes: for each its keys, and the function that makes a probe of them, which stands beside what it
/// measures in host/measure. docs/output.md says what they measure.
namespace scree {

class Probe;
class ProbePlace;

inline auto describe(Of<FlowPlane>) {
  return object("A plane that counts what goes through.",
                required("point", &FlowPlane::point, "m", "A point of the plane."),
                required("normal", &FlowPlane::normal, "",
                         "Direction that counts as positive; its length does not count.", direction()));
}

inline auto describe(Of<FlowProbe>) {
  return object("Net number and mass of particles through a plane since the start.",
                required("plane", &FlowProbe::plane, "", "The plane, without end."));
}
[[nodiscard]] std::unique_ptr<Probe> make_probe(const FlowProbe& keys, const ProbePlace& place);

inline auto describe(Of<StressProbe>) {
  return object("Stress tensor of contacts and of motion, tension positive.",
                required("region", &StressProbe::region, "m", "Particles with their centres inside count."));
}
[[nodiscard]] std::unique_ptr<Probe> make_probe(const StressProbe& keys, const ProbePlace& place);

inline auto describe(Of<FabricProbe>) {
  return object("Fabric tensor.", required("region", &FabricProbe::region, "m", "Contacts inside count."));
}
[[nodiscard]] std::unique_ptr<Probe> make_probe(const FabricProbe& keys, const ProbePlace& place);

inline auto describe(Of<CoordinationProbe>) {
  return object(
      "Contacts per particle, with and without those that have fewer than two.",
      field("region", &CoordinationProbe::region, "m", "Particles with their centres inside count; left out: all."));
}
[[nodiscard]] std::unique_ptr<Probe> make_probe(const CoordinationProbe& keys, const ProbePlace& place);

inline auto describe(Of<PorosityProbe>) {
  return object("Solid fraction and porosity.", required("region", &PorosityProbe::region, "m",
                                                         "Particles with their centres inside count, as a whole."));
}
[[nodiscard]] std::unique_ptr<Probe> make_probe(const PorosityProbe& keys, const ProbePlace& place);

inline auto describe(Of<InertialProbe>) {
  return object("Mean inertial number.",
                required("region", &InertialProbe::region, "m", "Particles with their centres inside count."));
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

inline auto describe(Of<MixingKind>) {
  return object("One of two kinds of particles; all others are the second kind.",
                field("materials", &MixingKind::materials, "", "Names of materials; left out: any."),
                field("groups", &MixingKind::groups, "", "Names of groups; left out: any."),
                field("larger_than", &MixingKind::larger_than, "m", "Only particles with a larger radius.", above(0)));
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
      required("of", &MixingProbe::of, "", "The first kind; all other particles are the second."),
      required("sample", &MixingProbe::sample, "m", "Edge of the cubes whose contents are compared.", above(0)));
}
[[nodiscard]] std::unique_ptr<Probe> make_probe(const MixingProbe& keys, const ProbePlace& place);

inline auto describe(Of<SizeSegregationProbe>) {
  return object(
      "Whether large particles lie apart from small ones, along each axis.",
      field("region", &SizeSegregationProbe::region, "m", "Particles with their centres inside count; left out: all."));
}
[[nodiscard]] std::unique_ptr<Probe> make_probe(const SizeSegregationProbe& keys, const ProbePlace& place);

inline auto describe(Of<FragmentProbe>) { return object("Pieces that unbroken bonds hold together."); }
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

inline void check(const BoundaryForceProbe& probe, Complaints& complaints) {
  refuse_repeats(probe.boundaries, "boundaries", complaints);
}
inline auto describe(Of<BoundaryForceProbe>) {
  return object("Force and torque of the particles on boundaries.",
                required("boundaries", &BoundaryForceProbe::boundaries, "",
                         "Names of boundaries; their forces and torques are added up.", some_items()),
                field("about", &BoundaryForceProbe::about, "m", "Torques count about this point."));
}
[[nodiscard]] std::unique_ptr<Probe> make_probe(const BoundaryForceProbe& keys, const ProbePlace& place);

inline auto describe(Of<SurfaceSlopeProbe>) {
  return object(
      "Slope of the surface of a bed, such as the dynamic angle of repose in a drum.",
      field("region", &SurfaceSlopeProbe::region, "m", "Particles with their centres inside count; left out: all."),
      required("along", &SurfaceSlopeProbe::along, "",
               "Direction in which the surface rises if the angle is positive; only its part across gravity counts.",
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
                alternative<BoundaryForceProbe>("boundary_force"), alternative<SurfaceSlopeProbe>("surface_slope"));
}
inline auto describe(Of<ProbeOutput>) {
  return object(
      "A measure in each row of the series.", inlined(&ProbeOutput::kind),
      field("materials", &ProbeOutput::materials, "",
            "Names of materials whose particles the probe sees; left out: all."),
      field("groups", &ProbeOutput::groups, "", "Names of groups whose particles the probe sees; left out: all."),
      field("sample_every", &ProbeOutput::sample_every, "s",
            "Simulated time between two samples: a row has their mean since the last row; left out: the state of the "
            "row alone.",
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

inline auto describe(Of<FieldGrid>) {
  return object("A grid of equal cells along the axes, or about the axis of a cylinder.",
                field("box", &FieldGrid::box, "m", "Its lowest and its highest corner."),
                required("cells", &FieldGrid::cells, "",
                         "Number of cells along x, y and z; of a cylinder along radius, angle and axis.", at_least(1)),
                field("cylinder", &FieldGrid::cylinder, "m", "The cylinder that the cells fill, instead of a box."),
                field("inner_radius", &FieldGrid::inner_radius, "m", "Of a cylinder: the cells begin at this radius.",
                      at_least(0)),
                field("zero", &FieldGrid::zero, "",
                      "Of a cylinder: the angle is 0 on this side of the axis; left out: on the side of the one of x, "
                      "y and z that is most across it.",
                      direction()));
}
inline void check(const FieldGrid& grid, Complaints& complaints) {
  if (grid.box.has_value() == grid.cylinder.has_value()) {
    complaints.add("", grid.box ? "must have a box or a cylinder, not both" : "must have a box or a cylinder");
    return;
  }
  if (grid.box) {
    if (grid.inner_radius > 0) { complaints.add("inner_radius", "has no effect on a box"); }
    if (grid.zero) { complaints.add("zero", "has no effect on a box"); }
    return;
  }
  const CylinderRegion& cylinder = *grid.cylinder;
  if (!(cylinder.radius - grid.inner_radius >= smallest_number)) {
    complaints.add("inner_radius", "must be below the radius of the cylinder, " + number_text(cylinder.radius) +
                                       " m, got " + number_text(grid.inner_radius) + " m");
  }
  if (!grid.zero) { return; }
  const Real3 along{cylinder.to[0] - cylinder.from[0], cylinder.to[1] - cylinder.from[1],
                    cylinder.to[2] - cylinder.from[2]};
  const Real3& zero = *grid.zero;
  const double reach = std::hypot(along[0], along[1], along[2]) * std::hypot(zero[0], zero[1], zero[2]);
  const double across = std::hypot(along[1] * zero[2] - along[2] * zero[1], along[2] * zero[0] - along[0] * zero[2],
                                   along[0] * zero[1] - along[1] * zero[0]);
  if (!(across > 1e-6 * reach)) { complaints.add("zero", "must not lie along the axis of the cylinder"); }
}
inline auto describe(Of<FieldOutput>) {
  return object(
      "Means over the cells of a grid and over time windows: density, velocity, stress and more.",
      required("every", &FieldOutput::every, "s", "Simulated time between two files: a window.", above(0)),
      field("sample_every", &FieldOutput::sample_every, "s",
            "Simulated time between two samples in a window; by default every: one sample per file.", above(0)),
      required("grid", &FieldOutput::grid, "", "The grid."),
      required("width", &FieldOutput::width, "m", "A particle is spread over so far along each axis, both ways.",
               above(0)),
      field("materials", &FieldOutput::materials, "", "Names of materials whose particles count; left out: all."),
      field("groups", &FieldOutput::groups, "", "Names of groups whose particles count; left out: all."));
}
/// [m] Extent of a grid along its three axes. For the angle of a cylinder it is the length of the circle through the
/// middle of the first cells.
inline std::array<double, 3> extent(const FieldGrid& grid) {
  if (grid.box) {
    const BoxRegion& box = *grid.box;
    return {box.max[0] - box.min[0], box.max[1] - box.min[1], box.max[2] - box.min[2]};
  }
  if (!grid.cylinder) { return {1, 1, 1}; }
  const CylinderRegion& of = *grid.cylinder;
  const double deep = of.radius - grid.inner_radius;
  const double middle = grid.inner_radius + 0.5 * deep / static_cast<double>(grid.cells[0]);
  return {deep, 2 * std::numbers::pi * middle,
          std::hypot(of.to[0] - of.from[0], of.to[1] - of.from[1], of.to[2] - of.from[2])};
}
inline void check(const FieldOutput& output, Complaints& complaints) {
  constexpr std::uint64_t most_cells = 10000000, most_reached = 100000;
  double all = 1, reached = 1;
  const std::array<double, 3> lengths = extent(output.grid);
  for (std::size_t k = 0; k < 3; ++k) {
    const auto n = static_cast<double>(output.grid.cells[k]);
    all *= n;
    reached *= std::fmin(n, 2 * output.width * n / lengths[k] + 2);
  }
  if (!(all <= static_cast<double>(most_cells))) {
    complaints.add("grid.cells",
                   "must make at most " + count_text(most_cells) + " cells in all, got " + number_text(all));
  } else if (!(reached <= static_cast<double>(most_reached))) {
    complaints.add("width", "must spread a particle over at most " + count_text(most_reached) + " cells, got about " +
                                number_text(std::floor(reached)));
  }
  if (output.sample_every && *output.sample_every > output.every) {
    complaints.add("sample_every", "must not be longer than every, " + number_text(output.every) + " s, got " +
                                       number_text(*output.sample_every) + " s");
  }
}

static_assert(lists_every_member<FieldGrid> && lists_every_member<FieldOutput> && lists_every_member<FlowPlane> &&
              lists_every_member<MixingKind> && lists_every_member<ProbeOutput> &&
              alternatives_list_every_member<ProbeKind>);

}  // namespace scree
