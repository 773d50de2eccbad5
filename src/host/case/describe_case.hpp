#pragma once

#include "host/case/describe_boundaries.hpp"
#include "host/case/describe_breakage.hpp"
#include "host/case/describe_contacts.hpp"
#include "host/case/describe_domain.hpp"
#include "host/case/describe_fields.hpp"
#include "host/case/describe_fluid.hpp"
#include "host/case/describe_groups.hpp"
#include "host/case/describe_heat.hpp"
#include "host/case/describe_particles.hpp"
#include "host/case/describe_probes.hpp"
#include "host/case/describe_shapes.hpp"
#include "host/case/describe_stages.hpp"
#include "scree/case_file.hpp"

namespace scree {

inline auto describe(Of<Precision>) {
  return Words<Precision>{{{"mixed", Precision::mixed}, {"double", Precision::double_}}};
}

inline auto describe(Of<TimeSettings>) {
  return object(
      "How long and in which steps.", required("duration", &TimeSettings::duration, "s", "Simulated time.", above(0)),
      automatic("step", &TimeSettings::step, "s", "Time step; \"auto\" takes it from stiffness and mass.", above(0)),
      field("safety", &TimeSettings::safety, "",
            "Automatic step as a fraction of the limit; left out: 0.2, or 0.4 with adaptive.", above_up_to(0, 1)),
      field("adaptive", &TimeSettings::adaptive, "", "The automatic step follows the contacts that there are."),
      field("update_interval", &TimeSettings::update_interval, "steps", "Between two looks at them.", at_least(1)));
}

inline void check(const TimeSettings& time, Complaints& complaints) {
  if (time.step && time.adaptive) complaints.add("adaptive", "needs an automatic step, but step is given");
  constexpr double most_steps = 1e15;  // counted exactly in a double
  if (time.step && !(time.duration / *time.step < most_steps)) {
    complaints.add("step", "must be longer than " + number_text(1 / most_steps) + " of the duration, got " +
                               number_text(*time.step));
  }
}

inline auto describe(Of<RotationScheme>) {
  Words<RotationScheme> description;
  for (const RotationSchemeFacts& facts : rotation_schemes::all) {
    description.words.emplace_back(facts.name, facts.scheme);
  }
  return description;
}

inline auto describe(Of<Integration>) {
  return object("Motion of the particles.",
                field("damping", &Integration::damping, "",
                      "Cundall's non-viscous damping of forces and torques; 0 is none.", from_below(0, 1)),
                field("damp_gravity", &Integration::damp_gravity, "", "Cundall's damping acts on gravity as well."),
                field("viscous_damping", &Integration::viscous_damping, "1/s",
                      "Rate c of the force -c m v and of the torque -c I w on each particle.", at_least(0)),
                field("rotation", &Integration::rotation, "", "Integrator of the rotation of clumps."));
}

inline auto describe(Of<VerletLength>) {
  return single("The same length for all.", required("value", &VerletLength::value, "m", "Length.", above(0)));
}
inline auto describe(Of<VerletFraction>) {
  return single("Fraction of the smallest radius.",
                required("value", &VerletFraction::value, "", "Fraction of the smallest radius.", above(0)));
}
inline auto describe(Of<VerletDistance>) {
  return keyed("A length, or a fraction of the smallest radius.", alternative<VerletLength>(""),
               alternative<VerletFraction>("of_smallest_radius"));
}
inline auto describe(Of<Neighbours>) {
  return object(
      "Search for neighbours; no choice here changes a result.",
      automatic("verlet_distance", &Neighbours::verlet_distance, "m",
                "Gap up to which pairs are listed; \"auto\" takes it from the smallest radius and the speeds.", {}),
      field("target_interval", &Neighbours::target_interval, "steps",
            "How long the list of a particle should last at its speed.", at_least(1)));
}

inline auto describe(Of<FrameOutput>) {
  return object("Files of all particles.",
                required("every", &FrameOutput::every, "s", "Simulated time between two frames.", above(0)),
                field("fields", &FrameOutput::fields, "", "Fields in each frame, beside the positions.",
                      one_of(frame_field_names())),
                field("grain_nodes", &FrameOutput::grain_nodes, "",
                      "Also the nodes of level-set grains that touch, with their forces, and tractions on surfaces."));
}
inline void check(const FrameOutput& frames, Complaints& complaints) {
  for (std::size_t i = 0; i < frames.fields.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (frames.fields[i] == frames.fields[j]) {
        complaints.add("fields." + std::to_string(i), "\"" + frames.fields[i] + "\" is listed twice");
        break;
      }
    }
  }
}

inline auto describe(Of<SeriesOutput>) {
  return object(
      "Table of totals over time.",
      required("every", &SeriesOutput::every, "s", "Simulated time between two rows.", above(0)),
      field("energies", &SeriesOutput::energies, "", "Columns of the energy ledger: who has, gave and lost what."),
      field("probes", &SeriesOutput::probes, "", "Measures in each row, by name."));
}

inline auto describe(Of<ContactOutput>) {
  return object("Files of all touching contacts.",
                required("every", &ContactOutput::every, "s", "Simulated time between two files.", above(0)));
}

inline auto describe(Of<BrokenBondOutput>) {
  return object(
      "A table of the bonds that break: when, where and under which force.",
      required("every", &BrokenBondOutput::every, "s", "Simulated time between two looks at all bonds.", above(0)));
}

inline void check(const CollisionOutput& collisions, Complaints& complaints) {
  if (!(collisions.to > collisions.from)) {
    complaints.add("to",
                   "must be larger than from, " + number_text(collisions.from) + ", got " + number_text(collisions.to));
  }
}
inline auto describe(Of<CollisionOutput>) {
  return object(
      "A table of numbers of collisions by what each of them loses: impact energy spectra.",
      required("every", &CollisionOutput::every, "s", "Length of a window of time: each has rows of its own.",
               above(0)),
      required("from", &CollisionOutput::from, "J", "Collisions that lose less share a row.", above(0)),
      required("to", &CollisionOutput::to, "J", "Collisions that lose as much or more share a row.", above(0)),
      field("bins_per_decade", &CollisionOutput::bins_per_decade, "",
            "Number of rows for each power of ten of the loss.", from_up_to(1, 100)));
}

inline auto describe(Of<CheckpointOutput>) {
  return object(
      "States from which the run can be resumed.",
      required("every", &CheckpointOutput::every, "s", "Simulated time between two checkpoints.", above(0)),
      field("keep", &CheckpointOutput::keep, "",
            "How many of the newest are kept; 0: none is written, unless the run is interrupted.", at_least(0)));
}

inline auto describe(Of<ParcelRestitution>) {
  return Words<ParcelRestitution>{{{"same", ParcelRestitution::same}, {"scaled", ParcelRestitution::scaled}}};
}
inline auto describe(Of<Parcels>) {
  return object("Coarse graining: parcels that stand for many grains each; all values of the case are of the grains.",
                required("scale", &Parcels::scale, "", "Radius of a parcel over that of the grains it stands for.",
                         from_up_to(1, 1000)),
                field("restitution", &Parcels::restitution, "",
                      "Of impacts between parcels: same as of grains, or scaled to lose as much per volume and time."));
}

inline auto describe(Of<Output>) {
  return object("What is written; nothing by default.",
                field("frames", &Output::frames, "", "Files of all particles, for ParaView."),
                field("series", &Output::series, "", "Table of totals over time, as CSV."),
                field("contacts", &Output::contacts, "", "Files of all touching contacts, with their forces."),
                field("fields", &Output::fields, "", "Means over the cells of grids and over time windows, by name."),
                field("left", &Output::left, "",
                      "A table of the particles that outlets and regions remove: when, where and how fast."),
                field("broken_bonds", &Output::broken_bonds, "",
                      "A table of the bonds that break: when, where and under which force."),
                field("broken_particles", &Output::broken_particles, "",
                      "A table of the particles that break: when, where and under which stress."),
                field("collisions", &Output::collisions, "",
                      "A table of numbers of collisions by what each of them loses: impact energy spectra."),
                field("checkpoints", &Output::checkpoints, "", "States from which `scree run --resume` goes on."));
}

inline auto describe(Of<Case>) {
  return object(
             "A scree case: everything a run depends on, in SI units.",
             field("title", &Case::title, "", "A line for the reader; no effect."),
             required("time", &Case::time, "", "How long and in which steps."),
             field("gravity", &Case::gravity, "m/s2", "Acceleration of gravity."),
             field("precision", &Case::precision, "",
                   "\"mixed\": positions in double precision, the rest in single; \"double\": all in double."),
             field("seed", &Case::seed, "", "Seed of all that is random."),
             field("parcels", &Case::parcels, "", "Coarse graining: particles that stand for many grains each."),
             required("materials", &Case::materials, "", "Materials, by name.", some_items()),
             field("shapes", &Case::shapes, "", "Shapes of particles that are no spheres, by name."),
             field("grain_contacts", &Case::grain_contacts, "", "How level-set grains touch."),
             field("contacts", &Case::contacts, "", "Contact rules; left out: one rule, any with any, hertz_mindlin."),
             field("no_ratcheting", &Case::no_ratcheting, "",
                   "Slip of two particles of which closed cycles of pushing and rolling leave no shear force."),
             field("heat", &Case::heat, "", "Temperatures of the particles; left out: there are none."),
             field("fluid", &Case::fluid, "", "A fluid that drags and lifts the particles; left out: there is none."),
             field("particles", &Case::particles, "", "What particles there are.", some_items()),
             field("breakage", &Case::breakage, "", "Spheres that break under load; left out: none do."),
             field("start", &Case::start, "",
                   "Checkpoint of another run, or a folder of them (the newest is taken): the run begins with its "
                   "particles, contacts and periodic cell.",
                   existing_path()),
             field("groups", &Case::groups, "", "Settings of groups of particles, by name."),
             field("boundaries", &Case::boundaries, "", "Boundaries, by name."),
             field("stages", &Case::stages, "", "Parts of the run, in order; it ends with the last one."),
             field("domain", &Case::domain, "", "Where particles may be."),
             field("integration", &Case::integration, "", "Motion of the particles."),
             field("neighbours", &Case::neighbours, "", "Search for neighbours."),
             field("output", &Case::output, "", "What is written; nothing by default."))
      .with_one_or_more({"particles", "start"});
}

static_assert(lists_every_member<TimeSettings> && lists_every_member<Integration> && lists_every_member<VerletLength> &&
              lists_every_member<VerletFraction> && lists_every_member<Neighbours> && lists_every_member<FrameOutput> &&
              lists_every_member<SeriesOutput> && lists_every_member<ContactOutput> &&
              lists_every_member<BrokenBondOutput> && lists_every_member<CollisionOutput> &&
              lists_every_member<CheckpointOutput> && lists_every_member<Output> && lists_every_member<Parcels> &&
              lists_every_member<Case, 1>);  // `folder` is not part of the JSON

}  // namespace scree
