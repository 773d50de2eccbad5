#pragma once

#include <algorithm>
#include <set>

#include "host/case/describe_boundaries.hpp"

namespace scree {

inline auto describe(Of<RemovedCondition>) {
  return object(
      "Particles that an outlet or a region has removed.",
      required("by", &RemovedCondition::by, "", "Name of the outlet or region."),
      field("at_least", &RemovedCondition::at_least, "", "Their number since the start of the run.", at_least(1)));
}

inline auto describe(Of<ForceCondition>) {
  return object("The magnitude of the force of the particles on a boundary.",
                required("boundary", &ForceCondition::boundary, "", "Name of the boundary."),
                field("above", &ForceCondition::above, "N", "It is at least this.", above(0)),
                field("below", &ForceCondition::below, "N", "It is at most this.", at_least(0)))
      .with_exactly_one({"above", "below"});
}

inline auto describe(Of<RunStageEnd>) {
  return object(
      "What ends a stage: the first of these that holds.",
      field("duration", &RunStageEnd::duration, "s", "Time since the stage began.", above(0)),
      field("kinetic_energy", &RunStageEnd::kinetic_energy, "J", "Mean of a particle, at most this.", above(0)),
      field("speed", &RunStageEnd::speed, "m/s", "Largest of a particle, at most this.", above(0)),
      field("unbalanced_force", &RunStageEnd::unbalanced_force, "",
            "Mean force on a particle over mean contact force, at most this.", above(0)),
      field("at_most", &RunStageEnd::at_most, "", "So many particles, or fewer, are in the run."),
      field("at_least", &RunStageEnd::at_least, "", "So many particles, or more, are in the run.", at_least(1)),
      field("removed", &RunStageEnd::removed, "", "Enough particles have left through an outlet."),
      field("boundary_force", &RunStageEnd::boundary_force, "", "The force on a boundary is large, or small, enough."),
      field("not_before", &RunStageEnd::not_before, "s",
            "Time since the stage began before which only \"duration\" can end it.", at_least(0)));
}
inline bool waits_for_rest(const RunStageEnd& end) { return end.kinetic_energy || end.speed || end.unbalanced_force; }
inline void check(const RunStageEnd& end, Complaints& complaints) {
  const bool any =
      end.duration || waits_for_rest(end) || end.at_most || end.at_least || end.removed || end.boundary_force;
  if (!any) {
    complaints.add("",
                   "must have at least one of \"duration\", \"kinetic_energy\", \"speed\", "
                   "\"unbalanced_force\", \"at_most\", \"at_least\", \"removed\" and \"boundary_force\"");
  }
  if (waits_for_rest(end) && end.not_before == 0) {
    complaints.add("not_before",
                   "is missing; particles that have just been released are at rest, too: give the time "
                   "after which rest means that they have settled");
  }
  if (end.duration && !(end.not_before < *end.duration)) {
    complaints.add("not_before", "must be less than \"duration\" " + number_text(*end.duration) + ", got " +
                                     number_text(end.not_before));
  }
}

inline auto describe(Of<StagedBoundary>) {
  return object("What becomes of a boundary; left out: it stays as it is.",
                field("present", &StagedBoundary::present, "", "Whether particles can touch it."),
                field("motion", &StagedBoundary::motion, "",
                      "Its motions from now on, from where it is; times count from the start of the stage."),
                field("force", &StagedBoundary::force, "N", "Force of its drive."),
                field("torque", &StagedBoundary::torque, "N m", "Torque of its drive."),
                field("surface_motion", &StagedBoundary::surface_motion, "",
                      "The motions of its surface from now on; times count from the start of the stage."));
}
inline void check(const StagedBoundary& boundary, Complaints& complaints) {
  const bool any = boundary.present || boundary.motion || boundary.force || boundary.torque || boundary.surface_motion;
  if (any) return;
  complaints.add("", "must have at least one of \"present\", \"motion\", \"force\", \"torque\" and \"surface_motion\"");
}

inline auto describe(Of<StagedGroup>) {
  return object("What acts on the particles of a group from now on.",
                field("force", &StagedGroup::force, "N", "Force on each particle."),
                field("torque", &StagedGroup::torque, "N m", "Torque on each particle."));
}

inline auto describe(Of<RunStage>) {
  return object("A part of the run with settings of its own, which stay in later stages.",
                required("name", &RunStage::name, "", "Name in the log and for the reader."),
                field("until", &RunStage::until, "", "What ends it; left out: the run does. For the last stage only."),
                field("gravity", &RunStage::gravity, "m/s2", "Acceleration of gravity; left out: as it is."),
                field("boundaries", &RunStage::boundaries, "", "Boundaries that change, by name."),
                field("groups", &RunStage::groups, "", "Groups of particles that change, by name."));
}

static_assert(lists_every_member<RemovedCondition> && lists_every_member<ForceCondition> &&
              lists_every_member<RunStageEnd> && lists_every_member<StagedBoundary> &&
              lists_every_member<StagedGroup> && lists_every_member<RunStage>);

}  // namespace scree
