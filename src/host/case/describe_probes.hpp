#pragma once

#include <cmath>
#include <memory>

#include "host/case/describe_particles.hpp"

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

inline auto describe(Of<FragmentProbe>) { return object("Pieces that unbroken bonds hold together."); }
[[nodiscard]] std::unique_ptr<Probe> make_probe(const FragmentProbe& keys, const ProbePlace& place);

inline auto describe(Of<ProbeKind>) {
  return tagged("What is measured.", alternative<FlowProbe>("flow"), alternative<StressProbe>("stress"),
                alternative<FabricProbe>("fabric"), alternative<CoordinationProbe>("coordination"),
                alternative<PorosityProbe>("porosity"), alternative<InertialProbe>("inertial_number"),
                alternative<TrackProbe>("track"), alternative<MixingProbe>("mixing"),
                alternative<FragmentProbe>("fragments"));
}
inline auto describe(Of<ProbeOutput>) {
  return object(
      "A measure in each row of the series.", inlined(&ProbeOutput::kind),
      field("materials", &ProbeOutput::materials, "",
            "Names of materials whose particles the probe sees; left out: all."),
      field("groups", &ProbeOutput::groups, "", "Names of groups whose particles the probe sees; left out: all."));
}
inline void check(const ProbeOutput& probe, Complaints& complaints) {
  if (!std::holds_alternative<TrackProbe>(probe.kind)) return;
  for (const auto& [key, names] : {std::pair{"materials", &probe.materials}, std::pair{"groups", &probe.groups}}) {
    if (!names->empty()) complaints.add(key, "has no effect on a probe of type track, which names its particles");
  }
}

inline auto describe(Of<FieldGrid>) {
  return object("A grid of equal cells along the axes.",
                required("box", &FieldGrid::box, "m", "Its lowest and its highest corner."),
                required("cells", &FieldGrid::cells, "", "Number of cells along x, y and z.", at_least(1)));
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
inline void check(const FieldOutput& output, Complaints& complaints) {
  constexpr std::uint64_t most_cells = 10000000, most_reached = 100000;
  double all = 1, reached = 1;
  for (std::size_t k = 0; k < 3; ++k) {
    const auto n = static_cast<double>(output.grid.cells[k]);
    all *= n;
    reached *= std::fmin(n, 2 * output.width * n / (output.grid.box.max[k] - output.grid.box.min[k]) + 2);
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
