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
      "Duration and time step of the run.",
      required("duration", &TimeSettings::duration, "s", "Simulated time.", above(0)),
      automatic("step", &TimeSettings::step, "s", "Time step; \"auto\" chooses it from stiffness and mass.", above(0)),
      field("safety", &TimeSettings::safety, "",
            "Automatic step as a fraction of the stable step; left out: 0.2, or 0.4 with adaptive.", above_up_to(0, 1)),
      field("adaptive", &TimeSettings::adaptive, "",
            "Choose the automatic step again during the run, from the contacts."),
      field("update_interval", &TimeSettings::update_interval, "steps",
            "Interval at which an adaptive step is chosen again.", at_least(1)));
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
  return object(
      "Damping and integration of the motion of the particles.",
      field("damping", &Integration::damping, "",
            "Coefficient of Cundall's non-viscous damping of forces and torques; 0: no damping.", from_below(0, 1)),
      field("damp_gravity", &Integration::damp_gravity, "", "Whether Cundall's damping acts on gravity as well."),
      field("viscous_damping", &Integration::viscous_damping, "1/s",
            "Rate c of the force -c m v and of the torque -c I w on each particle.", at_least(0)),
      field("rotation", &Integration::rotation, "", "Integrator of the rotation of clumps."));
}

inline auto describe(Of<VerletLength>) {
  return single("One length for all particles.", required("value", &VerletLength::value, "m", "Length.", above(0)));
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
      "Search for neighbours; these settings change the speed of a run, but no result.",
      automatic("verlet_distance", &Neighbours::verlet_distance, "m",
                "Gap up to which pairs are listed; \"auto\" chooses it from the smallest radius and the speeds.", {}),
      field("target_interval", &Neighbours::target_interval, "steps",
            "Number of steps for which the list of a particle should last at its speed.", at_least(1)));
}

inline auto describe(Of<FrameOutput>) {
  return object(
      "Files of all particles.",
      required("every", &FrameOutput::every, "s", "Simulated time between two frames.", above(0)),
      field("fields", &FrameOutput::fields, "", "Fields in each frame, in addition to the positions.",
            one_of(frame_field_names())),
      field("grain_nodes", &FrameOutput::grain_nodes, "",
            "Also write the touching nodes of level-set grains with their forces, and tractions on surfaces."));
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
  return object("Table of totals over time.",
                required("every", &SeriesOutput::every, "s", "Simulated time between two rows.", above(0)),
                field("energies", &SeriesOutput::energies, "",
                      "Add columns of the energy ledger: energies, works and losses of the whole system."),
                field("probes", &SeriesOutput::probes, "", "Probes, by name; each adds columns to the table."));
}

inline auto describe(Of<ContactOutput>) {
  return object("Files of all touching contacts.",
                required("every", &ContactOutput::every, "s", "Simulated time between two files.", above(0)));
}

inline auto describe(Of<BrokenBondOutput>) {
  return object(
      "A table of the bonds that break: when, where and under which force.",
      required("every", &BrokenBondOutput::every, "s", "Simulated time between two checks of all bonds.", above(0)));
}

inline void check(const CollisionOutput& collisions, Complaints& complaints) {
  if (!(collisions.to > collisions.from)) {
    complaints.add("to",
                   "must be larger than from, " + number_text(collisions.from) + ", got " + number_text(collisions.to));
  }
}
inline auto describe(Of<CollisionOutput>) {
  return object(
      "Impact energy spectra: a table that counts collisions by the energy that each of them loses.",
      required("every", &CollisionOutput::every, "s", "Length of the time windows; each window has rows of its own.",
               above(0)),
      required("from", &CollisionOutput::from, "J", "All collisions that lose less than this share one row.", above(0)),
      required("to", &CollisionOutput::to, "J", "All collisions that lose this or more share one row.", above(0)),
      field("bins_per_decade", &CollisionOutput::bins_per_decade, "", "Number of rows per power of ten of the loss.",
            from_up_to(1, 100)));
}

inline auto describe(Of<CheckpointOutput>) {
  return object("States from which the run can be resumed.",
                required("every", &CheckpointOutput::every, "s", "Simulated time between two checkpoints.", above(0)),
                field("keep", &CheckpointOutput::keep, "",
                      "Number of newest checkpoints that are kept; 0: none is written, unless the run is interrupted.",
                      at_least(0)));
}

inline auto describe(Of<ParcelRestitution>) {
  return Words<ParcelRestitution>{{{"same", ParcelRestitution::same}, {"scaled", ParcelRestitution::scaled}}};
}
inline auto describe(Of<Parcels>) {
  return object(
      "Coarse graining: each particle of the run is a parcel of many grains; all values of the case are those of the "
      "grains.",
      required("scale", &Parcels::scale, "", "Radius of a parcel over the radius of its grains.", from_up_to(1, 1000)),
      field(
          "restitution", &Parcels::restitution, "",
          "same: impacts of parcels have the restitution of the grains; scaled: impacts of parcels lose as much energy "
          "per volume and time as those of the grains."));
}

inline auto describe(Of<Output>) {
  return object("Files that the run writes; by default it writes none.",
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
                      "Impact energy spectra: a table that counts collisions by the energy that each of them loses."),
                field("checkpoints", &Output::checkpoints, "",
                      "Saved states from which `scree run --resume` continues the run."));
}

inline auto describe(Of<Case>) {
  return object(
             "A scree case: everything a run depends on, in SI units.",
             field("title", &Case::title, "", "A line for people; it has no effect."),
             required("time", &Case::time, "", "Duration and time step of the run."),
             field("gravity", &Case::gravity, "m/s2", "Acceleration of gravity."),
             field("precision", &Case::precision, "",
                   "\"mixed\": positions in double precision, the rest in single; \"double\": all in double."),
             field("seed", &Case::seed, "", "Seed of all random choices."),
             field("parcels", &Case::parcels, "", "Coarse graining: each particle stands for many grains."),
             required("materials", &Case::materials, "", "Materials, by name.", some_items()),
             field("shapes", &Case::shapes, "", "Shapes of particles that are not spheres, by name."),
             field("grain_contacts", &Case::grain_contacts, "", "Contacts of level-set grains."),
             field("contacts", &Case::contacts, "",
                   "Contact rules of pairs of materials; left out: the law hertz_mindlin for all pairs."),
             field("no_ratcheting", &Case::no_ratcheting, "",
                   "Measure slip such that closed cycles of pushing and rolling of two spheres leave no shear force."),
             field("heat", &Case::heat, "", "Heat of the particles; left out: particles have no temperature."),
             field("fluid", &Case::fluid, "", "A fluid that drags and lifts the particles; left out: there is none."),
             field("particles", &Case::particles, "", "The particles, in any number of entries.", some_items()),
             field("breakage", &Case::breakage, "", "Spheres that break under load; left out: none break."),
             field(
                 "start", &Case::start, "",
                 "Checkpoint of another run, or a folder of checkpoints, of which the newest is taken: the run begins "
                 "with its particles, contacts and periodic cell.",
                 existing_path()),
             field("groups", &Case::groups, "", "Settings of groups of particles, by name."),
             field("boundaries", &Case::boundaries, "", "Boundaries, by name."),
             field("stages", &Case::stages, "", "Parts of the run, in order; the run ends with the last one."),
             field("domain", &Case::domain, "", "The space of the particles: outlets, and a periodic cell."),
             field("integration", &Case::integration, "", "Damping and integration of the motion of the particles."),
             field("neighbours", &Case::neighbours, "", "Search for neighbours."),
             field("output", &Case::output, "", "Files that the run writes; by default it writes none."))
      .with_one_or_more({"particles", "start"});
}

static_assert(lists_every_member<TimeSettings> && lists_every_member<Integration> && lists_every_member<VerletLength> &&
              lists_every_member<VerletFraction> && lists_every_member<Neighbours> && lists_every_member<FrameOutput> &&
              lists_every_member<SeriesOutput> && lists_every_member<ContactOutput> &&
              lists_every_member<BrokenBondOutput> && lists_every_member<CollisionOutput> &&
              lists_every_member<CheckpointOutput> && lists_every_member<Output> && lists_every_member<Parcels> &&
              lists_every_member<Case, 1>);  // `folder` is not part of the JSON

}  // namespace scree
