#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scree/motions.hpp"
#include "scree/outputs.hpp"
#include "scree/regions.hpp"
#include "scree/time_table.hpp"
#include "scree/values.hpp"

/// Stages of a run, as in a case file. A cell has stages of its own: ControlStage.
namespace scree {

/// A condition on particles that outlets and regions have removed.
struct RemovedCondition {
  std::string by;              ///< name of an outlet or a region
  std::uint64_t at_least = 1;  ///< particles since the start of the run
};

/// A condition on the mean flow through an outlet over a window of time. Windows follow one another from the start of
/// the stage; the last complete window decides whether the condition holds. Exactly one of the limits is given.
struct FlowCondition {
  std::string by;                          ///< name of an outlet or a region
  double window = 0;                       ///< [s]
  std::optional<double> above{}, below{};  ///< [kg/s]
};

/// A condition on the force of the particles on a boundary. Exactly one of the limits is given.
struct ForceCondition {
  std::string boundary;
  std::optional<double> above{}, below{};  ///< [N] magnitude of the force, or its component
  std::optional<Real3> along{};            ///< direction of the component, of any length
};

/// A condition on how far a boundary has moved since the start of the run. Exactly one of the limits is given.
struct PositionCondition {
  std::string boundary;
  std::optional<double> above{}, below{};  ///< [m] distance from the start, or its component
  std::optional<Real3> along{};            ///< direction of the component, of any length
};

/// A condition on a measure of the present state. Exactly one of the limits is given.
struct MeasureCondition {
  std::optional<ProbeOutput> probe{};      ///< none: `column` is a column of the series that no probe adds
  std::optional<std::string> column{};     ///< name of the column, without unit; none: the only one of the probe
  std::optional<double> above{}, below{};  ///< in the unit of the column
};

/// Conditions of a stage that must hold together. At least one is given.
struct StageCondition {
  std::optional<double> duration{};           ///< [s] since the stage began
  std::optional<double> kinetic_energy{};     ///< [J] upper limit of the mean kinetic energy of the particles
  std::optional<double> speed{};              ///< [m/s] upper limit of the largest speed of the particles
  std::optional<double> unbalanced_force{};   ///< [-] upper limit of mean force on a particle over mean contact force
  std::optional<std::uint64_t> at_most{};     ///< upper limit of the number of particles in the run
  std::optional<std::uint64_t> at_least{};    ///< lower limit of the number of particles in the run
  std::optional<RemovedCondition> removed{};  ///< particles that left
  std::optional<ForceCondition> boundary_force{};
  std::optional<PositionCondition> boundary_position{};
  std::optional<FlowCondition> flow{};
  std::optional<MeasureCondition> measure{};
  std::optional<std::string> control{};  ///< name of a ControlStage that has ended
  std::optional<double> servo_error{};   ///< [-] upper limit for each wall with a Servo: its error over its goal
};

/// The conditions that end a stage of a run; the first one that holds ends it. At least one is given. The members of
/// StageCondition are repeated here, because lists_every_member<> cannot count those of a base class.
struct RunStageEnd {
  std::optional<double> duration{};           ///< [s] since the stage began
  std::optional<double> kinetic_energy{};     ///< [J] upper limit of the mean kinetic energy of the particles
  std::optional<double> speed{};              ///< [m/s] upper limit of the largest speed of the particles
  std::optional<double> unbalanced_force{};   ///< [-] upper limit of mean force on a particle over mean contact force
  std::optional<std::uint64_t> at_most{};     ///< upper limit of the number of particles in the run
  std::optional<std::uint64_t> at_least{};    ///< lower limit of the number of particles in the run
  std::optional<RemovedCondition> removed{};  ///< particles that left
  std::optional<ForceCondition> boundary_force{};
  std::optional<PositionCondition> boundary_position{};
  std::optional<FlowCondition> flow{};
  std::optional<MeasureCondition> measure{};
  std::optional<std::string> control{};  ///< name of a ControlStage that has ended
  std::optional<double> servo_error{};   ///< [-] upper limit for each wall with a Servo: its error over its goal
  std::vector<StageCondition> all_of{};  ///< all of these must hold; together they count as one condition
  double not_before = 0;                 ///< [s] since the stage began; before it no condition but `duration` ends it
};

/// The new goal of a wall with a Servo. Exactly one is given: the stress or the force, as in its Servo, or a speed at
/// which the wall moves instead.
struct StagedServo {
  std::optional<GoalCourse> stress{}, force{};  ///< [Pa], [N]; times of tables count from the start of the stage
  std::optional<double> speed{};                ///< [m/s] towards the particles, whatever they do
};

/// The changes of a boundary in a stage. A value that is left out stays as it was.
struct StagedBoundary {
  std::optional<bool> present{};                ///< whether particles can touch it
  std::optional<std::vector<Motion>> motion{};  ///< instead of all motions so far; times count from the stage's start
  std::optional<Real3> force{};                 ///< [N] of its drive
  std::optional<double> torque{};               ///< [N m] of its drive
  std::optional<std::vector<Motion>> surface_motion{};  ///< instead of all surface motions so far; times as for motion
  std::optional<StagedServo> servo{};
  // With Case::heat, at most one of the two. It takes the place of both Boundary::temperature and Boundary::heat_flux.
  std::optional<double> temperature{};  ///< [K] fixed from now on
  std::optional<double> heat_flux{};    ///< [W/m2] from now on; 0: no heat passes
};

/// The particles that join a group when a stage begins: those that meet every given condition. At least one is given.
struct JoiningParticles {
  std::optional<Region> region{};                  ///< their centres are inside
  std::vector<std::string> materials{}, groups{};  ///< any of these; empty: all
};
/// The changes of a group of particles in a stage; see GroupSettings. A value that is left out stays as it was.
/// `fixed`, `velocity` or `angular_velocity` end a rotation of the group.
struct StagedGroup {
  std::optional<JoiningParticles> join{};
  std::optional<std::vector<std::string>> fixed{};
  std::optional<Real3> velocity{};          ///< [m/s] imposed on the fixed components
  std::optional<Real3> angular_velocity{};  ///< [rad/s] imposed on the fixed components
  std::optional<Rotation> rotation{};       ///< all six components must be fixed
  std::optional<Real3> force{};             ///< [N] on each particle
  std::optional<Real3> torque{};            ///< [N m] on each particle
  std::optional<double> damping{};          ///< [-] Cundall's
  std::optional<bool> gravity{};
};

/// The changes of an inlet in a stage. A value that is left out stays as it was.
struct StagedInlet {
  std::optional<bool> on{};           ///< whether particles come
  std::optional<double> rate{};       ///< [1/s] particles per time
  std::optional<double> mass_flow{};  ///< [kg/s]
};

/// The changes of a membrane in a stage.
struct StagedMembrane {
  GoalCourse pressure = ConstantGoal{0};  ///< [Pa] as Membrane::pressure; times count from the start of the stage
};

/// The friction that a stage gives to pairs of materials; "*" matches any material.
struct StagedFriction {
  std::array<std::string, 2> between = {"*", "*"};
  double value = 0;  ///< [-]
};

/// The time step of a stage. Exactly one is given.
struct StagedStep {
  std::optional<double> step{};    ///< [s] all steps have this length
  std::optional<double> safety{};  ///< [-] the step follows the contacts: this fraction of the critical step
};

/// The changes of one kind of output in a stage. A value that is left out stays as it was.
struct StagedInterval {
  std::optional<bool> on{};
  std::optional<double> every{};  ///< [s] from the start of the stage
};
struct StagedOutput {
  std::optional<StagedInterval> frames{}, series{}, contacts{};
  Named<StagedInterval> fields{};
};

/// A part of a run with settings of its own. Its changes stay in later stages.
struct RunStage {
  std::string name;
  std::optional<RunStageEnd> until{};  ///< none: the end of the run
  std::optional<Real3> gravity{};      ///< [m/s2]
  Named<StagedBoundary> boundaries{};
  Named<StagedGroup> groups{};
  std::optional<StagedStep> time{};
  std::optional<double> damping{};          ///< [-] Cundall's
  std::optional<double> viscous_damping{};  ///< [1/s]
  std::vector<StagedFriction>
      friction{};  ///< the first entry that matches a pair holds; other pairs keep their friction
  Named<StagedInlet> inlets{};
  Named<StagedMembrane> membranes{};
  std::optional<StagedOutput> output{};
};

}  // namespace scree
