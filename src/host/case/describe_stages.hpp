#pragma once

#include <algorithm>

#include "host/case/describe_boundaries.hpp"
#include "host/case/describe_groups.hpp"

namespace scree {

inline auto describe(Of<RemovedCondition>) {
  return object("Particles that an outlet or a region has removed.",
                required("by", &RemovedCondition::by, "", "Name of the outlet or region."),
                field("at_least", &RemovedCondition::at_least, "",
                      "Least number of particles that it has removed since the start of the run.", at_least(1)));
}

inline auto describe(Of<FlowCondition>) {
  return object(
             "The mean flow through an outlet over the last whole window of time since the stage began.",
             required("by", &FlowCondition::by, "", "Name of the outlet or region."),
             required("window", &FlowCondition::window, "s", "Length of the windows, one after the other.", above(0)),
             field("above", &FlowCondition::above, "kg/s", "The flow is at least this.", above(0)),
             field("below", &FlowCondition::below, "kg/s", "The flow is at most this.", at_least(0)))
      .with_exactly_one({"above", "below"});
}

inline auto describe(Of<ForceCondition>) {
  return object("The force of the particles on a boundary.",
                required("boundary", &ForceCondition::boundary, "", "Name of the boundary."),
                field("above", &ForceCondition::above, "N", "The force is at least this."),
                field("below", &ForceCondition::below, "N", "The force is at most this."),
                field("along", &ForceCondition::along, "",
                      "Compare the component along this direction, which has a sign; left out: the magnitude.",
                      direction()))
      .with_exactly_one({"above", "below"});
}

inline auto describe(Of<PositionCondition>) {
  return object("How far a boundary has moved since the start of the run.",
                required("boundary", &PositionCondition::boundary, "", "Name of the boundary."),
                field("above", &PositionCondition::above, "m", "The displacement is at least this."),
                field("below", &PositionCondition::below, "m", "The displacement is at most this."),
                field("along", &PositionCondition::along, "",
                      "Compare the component along this direction, which has a sign; left out: the distance.",
                      direction()))
      .with_exactly_one({"above", "below"});
}

/// Complains about limits that every magnitude meets, or that no magnitude can meet.
template <class Condition>
void check_magnitude(const Condition& condition, Complaints& complaints) {
  if (condition.along) return;
  const char* const more = "; without \"along\" it is a magnitude";
  if (condition.above && !(*condition.above > 0)) {
    complaints.add("above", "must be greater than 0, got " + number_text(*condition.above) + more);
  }
  if (condition.below && !(*condition.below >= 0)) {
    complaints.add("below", "must be at least 0, got " + number_text(*condition.below) + more);
  }
}
inline void check(const ForceCondition& condition, Complaints& complaints) { check_magnitude(condition, complaints); }
inline void check(const PositionCondition& condition, Complaints& complaints) {
  check_magnitude(condition, complaints);
}

inline auto describe(Of<MeasureCondition>) {
  return object("A condition on a measurement of the present state.",
                field("probe", &MeasureCondition::probe, "",
                      "The probe that measures; left out: \"column\" is a column of the series that no probe adds."),
                field("column", &MeasureCondition::column, "",
                      "Name of the column, without its unit; may be left out for a probe with a single column."),
                field("above", &MeasureCondition::above, "", "The value is at least this, in the unit of the column."),
                field("below", &MeasureCondition::below, "", "The value is at most this, in the unit of the column."))
      .with_exactly_one({"above", "below"});
}
inline void check(const MeasureCondition& condition, Complaints& complaints) {
  if (condition.probe || condition.column) return;
  complaints.add("", "must have a \"probe\", the name of a \"column\" of the series, or both");
}

/// Describes the conditions of a stage; `more` are further keys of the object.
template <class Conditions, class... More>
auto describe_conditions(std::string_view text, More... more) {
  return object(
      text, field("duration", &Conditions::duration, "s", "Time since the stage began.", above(0)),
      field("kinetic_energy", &Conditions::kinetic_energy, "J",
            "The mean kinetic energy of the particles is at most this.", above(0)),
      field("speed", &Conditions::speed, "m/s", "The largest speed of the particles is at most this.", above(0)),
      field("unbalanced_force", &Conditions::unbalanced_force, "",
            "Mean force on a particle over mean contact force is at most this.", above(0)),
      field("at_most", &Conditions::at_most, "", "The number of particles in the run is at most this."),
      field("at_least", &Conditions::at_least, "", "The number of particles in the run is at least this.", at_least(1)),
      field("removed", &Conditions::removed, "", "An outlet or a region has removed a number of particles."),
      field("boundary_force", &Conditions::boundary_force, "", "The force on a boundary is above or below a limit."),
      field("boundary_position", &Conditions::boundary_position, "",
            "The displacement of a boundary is above or below a limit."),
      field("flow", &Conditions::flow, "", "The flow through an outlet is above or below a limit."),
      field("measure", &Conditions::measure, "", "A measurement of the state is above or below a limit."),
      field("control", &Conditions::control, "", "The stage of \"domain.control\" with this name has ended."),
      field("servo_error", &Conditions::servo_error, "",
            "The error of each wall with a servo is at most this fraction of its stress or force.", above(0)),
      more...);
}
template <class Conditions>
bool waits_for_rest(const Conditions& end) {
  return end.kinetic_energy || end.speed || end.unbalanced_force;
}

inline auto describe(Of<StageCondition>) {
  return describe_conditions<StageCondition>("Conditions that must hold together.").with_some_key();
}

inline auto describe(Of<RunStageEnd>) {
  return describe_conditions<RunStageEnd>(
             "Conditions of which the first that holds ends the stage.",
             field("all_of", &RunStageEnd::all_of, "", "Conditions that end the stage when all of them hold together."),
             field("not_before", &RunStageEnd::not_before, "s",
                   "Time since the stage began before which no condition but \"duration\" can end it.", at_least(0)))
      .with_some_key_but({"not_before"});
}
inline void check(const RunStageEnd& end, Complaints& complaints) {
  const bool rest = std::any_of(end.all_of.begin(), end.all_of.end(),
                                [](const StageCondition& condition) { return waits_for_rest(condition); });
  if ((waits_for_rest(end) || rest) && end.not_before == 0) {
    complaints.add("not_before",
                   "is missing; particles that have just been released are at rest, too: give the time "
                   "after which rest means that they have settled");
  }
  if (end.duration && !(end.not_before < *end.duration)) {
    complaints.add("not_before", "must be less than \"duration\" " + number_text(*end.duration) + ", got " +
                                     number_text(end.not_before));
  }
}

inline auto describe(Of<StagedServo>) {
  return object(
             "The new goal of the servo of a wall.",
             field("stress", &StagedServo::stress, "Pa", "Mean normal stress on the wall, or a table of it over time."),
             field("force", &StagedServo::force, "N", "Normal force on the wall, or a table of it over time."),
             field("speed", &StagedServo::speed, "m/s",
                   "Speed at which the wall moves towards the particles, instead of holding a stress or a force; "
                   "negative: "
                   "away from them."))
      .with_exactly_one({"stress", "force", "speed"});
}
inline void check(const StagedServo& servo, Complaints& complaints) {
  check_not_negative("stress", servo.stress, complaints);
  check_not_negative("force", servo.force, complaints);
}

inline auto describe(Of<StagedBoundary>) {
  return object(
             "Changes of a boundary when the stage begins; a value that is left out stays as it is.",
             field("present", &StagedBoundary::present, "", "Whether particles can touch the boundary."),
             field("motion", &StagedBoundary::motion, "",
                   "New motions from its present place, in place of all motions so far; times count from the start of "
                   "the stage."),
             field("force", &StagedBoundary::force, "N", "New force of its drive."),
             field("torque", &StagedBoundary::torque, "N m", "New torque of its drive."),
             field("surface_motion", &StagedBoundary::surface_motion, "",
                   "New motions of its surface, in place of those so far; times count from the start of the stage."),
             field("servo", &StagedBoundary::servo, "", "New goal of its servo."),
             field("temperature", &StagedBoundary::temperature, "K",
                   "New fixed temperature, in place of the temperature or heat_flux so far.", above(0)),
             field("heat_flux", &StagedBoundary::heat_flux, "W/m2",
                   "New heat flux, in place of the temperature or heat_flux so far; 0: no heat passes."))
      .with_some_key();
}
inline void check(const StagedBoundary& boundary, Complaints& complaints) {
  if (boundary.temperature && boundary.heat_flux) {
    complaints.add("heat_flux", "excludes temperature; give one of them");
  }
}

inline auto describe(Of<JoiningParticles>) {
  return object(
             "Particles that leave their groups and join this group when the stage begins.",
             field("region", &JoiningParticles::region, "m",
                   "Particles join whose centres are inside at that moment; left out: everywhere."),
             field("materials", &JoiningParticles::materials, "",
                   "Names of materials of the particles that join; left out: any."),
             field("groups", &JoiningParticles::groups, "", "Names of groups that the particles leave; left out: any."))
      .with_some_key();
}
inline void check(const JoiningParticles& join, Complaints& complaints) {
  if (join.region && std::holds_alternative<FaceRegion>(*join.region)) {
    complaints.add("region.face", "is an area, in which no centre lies; give a region with a volume");
  }
}

inline auto describe(Of<StagedGroup>) {
  return object("Changes of a group of particles when the stage begins; a value that is left out stays as it is.",
                field("join", &StagedGroup::join, "", "Particles that join the group when the stage begins."),
                field("fixed", &StagedGroup::fixed, "",
                      "Components of motion that keep their velocity from now on; all others are free. This ends a "
                      "rotation of the group.",
                      one_of(motion_components())),
                field("velocity", &StagedGroup::velocity, "m/s",
                      "New velocity of the fixed components x, y and z. This ends a rotation of the group."),
                field("angular_velocity", &StagedGroup::angular_velocity, "rad/s",
                      "New angular velocity of the fixed components rx, ry and rz. This ends a rotation of the group."),
                field("rotation", &StagedGroup::rotation, "",
                      "Rotation of the group as one body from now on; all six components must be fixed."),
                field("force", &StagedGroup::force, "N", "Force on each particle."),
                field("torque", &StagedGroup::torque, "N m", "Torque on each particle."),
                field("damping", &StagedGroup::damping, "",
                      "Coefficient of Cundall's non-viscous damping of the particles.", from_below(0, 1)),
                field("gravity", &StagedGroup::gravity, "", "Whether gravity acts on the particles."))
      .with_some_key();
}

inline auto describe(Of<StagedInlet>) {
  return object("Changes of an inlet when the stage begins; a value that is left out stays as it is.",
                field("on", &StagedInlet::on, "", "Whether particles come in."),
                field("rate", &StagedInlet::rate, "1/s",
                      "New number of particles per time, for an inlet with \"rate\".", above(0)),
                field("mass_flow", &StagedInlet::mass_flow, "kg/s",
                      "New mass per time, for an inlet with \"mass_flow\".", above(0)))
      .with_some_key();
}

inline auto describe(Of<StagedMembrane>) {
  return object("Changes of a membrane when the stage begins.",
                required("pressure", &StagedMembrane::pressure, "Pa",
                         "New pressure from outside, or a table of it over the time since the start of the stage."));
}

inline auto describe(Of<StagedFriction>) {
  return object("New friction of pairs of materials.",
                field("between", &StagedFriction::between, "", "Names of two materials; \"*\" matches any material."),
                required("value", &StagedFriction::value, "", "Coefficient of friction.", at_least(0)));
}

inline auto describe(Of<StagedStep>) {
  return object("The time step from now on.",
                field("step", &StagedStep::step, "s", "All steps have this length.", above(0)),
                field("safety", &StagedStep::safety, "",
                      "The step follows the contacts: it is this fraction of the stable step.", above_up_to(0, 1)))
      .with_exactly_one({"step", "safety"});
}

inline auto describe(Of<StagedInterval>) {
  return object("Changes of one kind of output when the stage begins.",
                field("on", &StagedInterval::on, "", "Whether this output is written at all."),
                field("every", &StagedInterval::every, "s",
                      "Simulated time between two files or rows, counted from the start of the stage.", above(0)))
      .with_some_key();
}
inline void check(const StagedInterval& interval, Complaints& complaints) {
  if (interval.every && interval.on == false) { complaints.add("every", "has no effect, since \"on\" is false"); }
}

inline auto describe(Of<StagedOutput>) {
  return object("Changes of the output of the case when the stage begins; output that is left out stays as it is.",
                field("frames", &StagedOutput::frames, "", "Frames."),
                field("series", &StagedOutput::series, "", "Rows of the series."),
                field("contacts", &StagedOutput::contacts, "", "Files of contacts."),
                field("fields", &StagedOutput::fields, "", "Files of means over grids, by name."));
}

inline auto describe(Of<RunStage>) {
  return object(
      "A part of the run with settings of its own, which stay in later stages.",
      required("name", &RunStage::name, "", "Name of the stage in the log and in frames."),
      field("until", &RunStage::until, "",
            "Conditions that end the stage; only the last stage may leave them out: it lasts to the end of the run."),
      field("gravity", &RunStage::gravity, "m/s2", "Acceleration of gravity; left out: it stays as it is."),
      field("boundaries", &RunStage::boundaries, "", "Boundaries that change, by name."),
      field("groups", &RunStage::groups, "", "Groups of particles that change, by name."),
      field("time", &RunStage::time, "", "The time step; left out: it stays as it is."),
      field("damping", &RunStage::damping, "",
            "Coefficient of Cundall's damping of all particles and boundaries, except of groups with their own.",
            from_below(0, 1)),
      field("viscous_damping", &RunStage::viscous_damping, "1/s", "Rate of the viscous damping.", at_least(0)),
      field("friction", &RunStage::friction, "",
            "New friction of pairs of materials; the first entry that matches a pair applies."),
      field("inlets", &RunStage::inlets, "", "Inlets that change, by name."),
      field("membranes", &RunStage::membranes, "", "Membranes that change, by name."),
      field("output", &RunStage::output, "", "Output that changes."));
}

static_assert(lists_every_member<RemovedCondition> && lists_every_member<FlowCondition> &&
              lists_every_member<ForceCondition> && lists_every_member<PositionCondition> &&
              lists_every_member<MeasureCondition> && lists_every_member<StageCondition> &&
              lists_every_member<RunStageEnd> && lists_every_member<StagedServo> &&
              lists_every_member<StagedBoundary> && lists_every_member<JoiningParticles> &&
              lists_every_member<StagedGroup> && lists_every_member<StagedInlet> &&
              lists_every_member<StagedMembrane> && lists_every_member<StagedFriction> &&
              lists_every_member<StagedStep> && lists_every_member<StagedInterval> &&
              lists_every_member<StagedOutput> && lists_every_member<RunStage>);

}  // namespace scree
