#pragma once

#include <algorithm>

#include "host/case/describe_boundaries.hpp"
#include "host/case/describe_groups.hpp"

namespace scree {

inline auto describe(Of<RemovedCondition>) {
  return object(
      "Particles that an outlet or a region has removed.",
      required("by", &RemovedCondition::by, "", "Name of the outlet or region."),
      field("at_least", &RemovedCondition::at_least, "", "Their number since the start of the run.", at_least(1)));
}

inline auto describe(Of<FlowCondition>) {
  return object(
             "The mean flow through an outlet over the last whole window of time since the stage began.",
             required("by", &FlowCondition::by, "", "Name of the outlet or region."),
             required("window", &FlowCondition::window, "s", "Length of the windows, one after the other.", above(0)),
             field("above", &FlowCondition::above, "kg/s", "It is at least this.", above(0)),
             field("below", &FlowCondition::below, "kg/s", "It is at most this.", at_least(0)))
      .with_exactly_one({"above", "below"});
}

inline auto describe(Of<ForceCondition>) {
  return object("The force of the particles on a boundary.",
                required("boundary", &ForceCondition::boundary, "", "Name of the boundary."),
                field("above", &ForceCondition::above, "N", "It is at least this."),
                field("below", &ForceCondition::below, "N", "It is at most this."),
                field("along", &ForceCondition::along, "",
                      "Direction of the component, which has a sign; left out: the magnitude.", direction()))
      .with_exactly_one({"above", "below"});
}

inline auto describe(Of<PositionCondition>) {
  return object("How far a boundary has moved since the start of the run.",
                required("boundary", &PositionCondition::boundary, "", "Name of the boundary."),
                field("above", &PositionCondition::above, "m", "It is at least this."),
                field("below", &PositionCondition::below, "m", "It is at most this."),
                field("along", &PositionCondition::along, "",
                      "Direction of the component, which has a sign; left out: the distance.", direction()))
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
  return object("A condition on a measure of the present state.",
                field("probe", &MeasureCondition::probe, "",
                      "What is measured; left out: a column of the series, but of none of its probes."),
                field("column", &MeasureCondition::column, "",
                      "Name of the column, without its unit; may be left out for a probe with a single column."),
                field("above", &MeasureCondition::above, "", "It is at least this, in the unit of the column."),
                field("below", &MeasureCondition::below, "", "It is at most this, in the unit of the column."))
      .with_exactly_one({"above", "below"});
}
inline void check(const MeasureCondition& condition, Complaints& complaints) {
  if (condition.probe || condition.column) return;
  complaints.add("", "must have a \"probe\", the name of a \"column\" of the series, or both");
}

/// The conditions of a stage, which stand in an object of their own or beside other keys.
template <class Conditions, class... More>
auto describe_conditions(std::string_view text, More... more) {
  return object(
      text, field("duration", &Conditions::duration, "s", "Time since the stage began.", above(0)),
      field("kinetic_energy", &Conditions::kinetic_energy, "J", "Mean of a particle, at most this.", above(0)),
      field("speed", &Conditions::speed, "m/s", "Largest of a particle, at most this.", above(0)),
      field("unbalanced_force", &Conditions::unbalanced_force, "",
            "Mean force on a particle over mean contact force, at most this.", above(0)),
      field("at_most", &Conditions::at_most, "", "So many particles, or fewer, are in the run."),
      field("at_least", &Conditions::at_least, "", "So many particles, or more, are in the run.", at_least(1)),
      field("removed", &Conditions::removed, "", "Enough particles have left through an outlet."),
      field("boundary_force", &Conditions::boundary_force, "", "The force on a boundary is large, or small, enough."),
      field("boundary_position", &Conditions::boundary_position, "", "A boundary has moved far, or back, enough."),
      field("flow", &Conditions::flow, "", "The flow through an outlet is large, or small, enough."),
      field("measure", &Conditions::measure, "", "A measure of the state is large, or small, enough."),
      field("control", &Conditions::control, "", "The stage of \"domain.control\" with this name has ended."),
      field("servo_error", &Conditions::servo_error, "",
            "All walls with a servo hold their stress or force up to this fraction of it.", above(0)),
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
             "What ends a stage: the first of these that holds.",
             field("all_of", &RunStageEnd::all_of, "", "Conditions that end it when all of them hold."),
             field("not_before", &RunStageEnd::not_before, "s",
                   "Time since the stage began before which only \"duration\" can end it.", at_least(0)))
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
             "What its servo holds from now on.",
             field("stress", &StagedServo::stress, "Pa", "Mean normal stress on the wall, or a table of it over time."),
             field("force", &StagedServo::force, "N", "Normal force on the wall, or a table of it over time."),
             field("speed", &StagedServo::speed, "m/s",
                   "The wall holds nothing, but moves with this speed towards the particles; negative: away."))
      .with_exactly_one({"stress", "force", "speed"});
}
inline void check(const StagedServo& servo, Complaints& complaints) {
  check_not_negative("stress", servo.stress, complaints);
  check_not_negative("force", servo.force, complaints);
}

inline auto describe(Of<StagedBoundary>) {
  return object("What becomes of a boundary; left out: it stays as it is.",
                field("present", &StagedBoundary::present, "", "Whether particles can touch it."),
                field("motion", &StagedBoundary::motion, "",
                      "Its motions from now on, from where it is; times count from the start of the stage."),
                field("force", &StagedBoundary::force, "N", "Force of its drive."),
                field("torque", &StagedBoundary::torque, "N m", "Torque of its drive."),
                field("surface_motion", &StagedBoundary::surface_motion, "",
                      "The motions of its surface from now on; times count from the start of the stage."),
                field("servo", &StagedBoundary::servo, "", "What its servo holds."),
                field("temperature", &StagedBoundary::temperature, "K",
                      "Its fixed temperature from now on, instead of a temperature or heat_flux so far.", above(0)),
                field("heat_flux", &StagedBoundary::heat_flux, "W/m2",
                      "Its flux of heat from now on, instead of a temperature or heat_flux so far; 0: no heat passes."))
      .with_some_key();
}
inline void check(const StagedBoundary& boundary, Complaints& complaints) {
  if (boundary.temperature && boundary.heat_flux) {
    complaints.add("heat_flux", "excludes temperature; give one of them");
  }
}

inline auto describe(Of<JoiningParticles>) {
  return object("Particles that join a group as the stage begins, and leave their old groups.",
                field("region", &JoiningParticles::region, "m",
                      "Particles with their centres inside at that moment; left out: everywhere."),
                field("materials", &JoiningParticles::materials, "", "Names of materials; left out: any."),
                field("groups", &JoiningParticles::groups, "", "Names of groups they were in; left out: any."))
      .with_some_key();
}
inline void check(const JoiningParticles& join, Complaints& complaints) {
  if (join.region && std::holds_alternative<FaceRegion>(*join.region)) {
    complaints.add("region.face", "is an area, in which no centre lies; give a region with a volume");
  }
}

inline auto describe(Of<StagedGroup>) {
  return object("What holds for the particles of a group from now on; left out: it stays as it is.",
                field("join", &StagedGroup::join, "", "Particles that join the group as the stage begins."),
                field("fixed", &StagedGroup::fixed, "",
                      "Components that keep their velocity from now on; all others are free. Ends a rotation.",
                      one_of(motion_components())),
                field("velocity", &StagedGroup::velocity, "m/s",
                      "Imposed on the fixed ones of x, y and z. Ends a rotation."),
                field("angular_velocity", &StagedGroup::angular_velocity, "rad/s",
                      "Imposed on the fixed ones of rx, ry and rz. Ends a rotation."),
                field("rotation", &StagedGroup::rotation, "",
                      "The group turns as one body from now on; all six components must be fixed."),
                field("force", &StagedGroup::force, "N", "Force on each particle."),
                field("torque", &StagedGroup::torque, "N m", "Torque on each particle."),
                field("damping", &StagedGroup::damping, "", "Cundall's non-viscous damping of its particles.",
                      from_below(0, 1)),
                field("gravity", &StagedGroup::gravity, "", "Whether gravity acts."))
      .with_some_key();
}

inline auto describe(Of<StagedInlet>) {
  return object("What becomes of an inlet; left out: it stays as it is.",
                field("on", &StagedInlet::on, "", "Whether particles come."),
                field("rate", &StagedInlet::rate, "1/s", "Particles per time, of an inlet with a rate.", above(0)),
                field("mass_flow", &StagedInlet::mass_flow, "kg/s", "Mass per time, of an inlet with a mass flow.",
                      above(0)))
      .with_some_key();
}

inline auto describe(Of<StagedMembrane>) {
  return object("What becomes of a membrane.",
                required("pressure", &StagedMembrane::pressure, "Pa",
                         "From outside, or a table over the time since the start of the stage."));
}

inline auto describe(Of<StagedFriction>) {
  return object("The friction of two materials from now on.",
                field("between", &StagedFriction::between, "", "Names of two materials; \"*\" is any."),
                required("value", &StagedFriction::value, "", "Coefficient of friction.", at_least(0)));
}

inline auto describe(Of<StagedStep>) {
  return object("The time step from now on.",
                field("step", &StagedStep::step, "s", "All steps have this length.", above(0)),
                field("safety", &StagedStep::safety, "",
                      "The step follows the contacts that there are: this fraction of the limit.", above_up_to(0, 1)))
      .with_exactly_one({"step", "safety"});
}

inline auto describe(Of<StagedInterval>) {
  return object("How often it is written from now on.",
                field("on", &StagedInterval::on, "", "Whether it is written at all."),
                field("every", &StagedInterval::every, "s", "Time between two of them, from the start of the stage on.",
                      above(0)))
      .with_some_key();
}
inline void check(const StagedInterval& interval, Complaints& complaints) {
  if (interval.every && interval.on == false) { complaints.add("every", "has no effect, since \"on\" is false"); }
}

inline auto describe(Of<StagedOutput>) {
  return object("What becomes of the output that the case has; left out: it stays as it is.",
                field("frames", &StagedOutput::frames, "", "Frames."),
                field("series", &StagedOutput::series, "", "Rows of the series."),
                field("contacts", &StagedOutput::contacts, "", "Files of contacts."),
                field("fields", &StagedOutput::fields, "", "Files of means over grids, by name."));
}

inline auto describe(Of<RunStage>) {
  return object(
      "A part of the run with settings of its own, which stay in later stages.",
      required("name", &RunStage::name, "", "Name in the log, in frames and for the reader."),
      field("until", &RunStage::until, "", "What ends it; left out: the run does. For the last stage only."),
      field("gravity", &RunStage::gravity, "m/s2", "Acceleration of gravity; left out: as it is."),
      field("boundaries", &RunStage::boundaries, "", "Boundaries that change, by name."),
      field("groups", &RunStage::groups, "", "Groups of particles that change, by name."),
      field("time", &RunStage::time, "", "The time step; left out: as it is."),
      field("damping", &RunStage::damping, "", "Cundall's damping of all that have none of their own.",
            from_below(0, 1)),
      field("viscous_damping", &RunStage::viscous_damping, "1/s", "Rate of the viscous damping.", at_least(0)),
      field("friction", &RunStage::friction, "",
            "Friction of materials; the first entry that matches two of them wins."),
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
