#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scree/motions.hpp"
#include "scree/values.hpp"

/// Stages of a run, as in a case file. A cell has stages of its own: ControlStage.
namespace scree {

/// A condition on particles that outlets and regions have removed.
struct RemovedCondition {
  std::string by;              ///< name of an outlet or a region
  std::uint64_t at_least = 1;  ///< particles since the start of the run
};

/// A condition on the force of the particles on a boundary. Exactly one of the limits is given.
struct ForceCondition {
  std::string boundary;
  std::optional<double> above{}, below{};  ///< [N] magnitude of the force
};

/// What ends a stage of a run: the first of these that holds. At least one is given.
struct RunStageEnd {
  std::optional<double> duration{};           ///< [s] since the stage began
  std::optional<double> kinetic_energy{};     ///< [J] mean of a particle, at most
  std::optional<double> speed{};              ///< [m/s] largest of a particle, at most
  std::optional<double> unbalanced_force{};   ///< [-] mean force on a particle over mean contact force, at most
  std::optional<std::uint64_t> at_most{};     ///< particles in the run
  std::optional<std::uint64_t> at_least{};    ///< particles in the run
  std::optional<RemovedCondition> removed{};  ///< particles that left
  std::optional<ForceCondition> boundary_force{};
  double not_before = 0;  ///< [s] since the stage began; all but `duration` wait for it
};

/// What a stage makes of a boundary. What is left out stays as it was.
struct StagedBoundary {
  std::optional<bool> present{};                ///< whether particles can touch it
  std::optional<std::vector<Motion>> motion{};  ///< instead of all motions so far; times count from the stage's start
  std::optional<Real3> force{};                 ///< [N] of its drive
  std::optional<double> torque{};               ///< [N m] of its drive
};

/// What a stage makes of the particles of a group. What is left out is zero.
struct StagedGroup {
  Real3 force{};   ///< [N] on each particle
  Real3 torque{};  ///< [N m] on each particle
};

/// A part of a run with settings of its own. Its changes stay in later stages.
struct RunStage {
  std::string name;
  std::optional<RunStageEnd> until{};  ///< none: the end of the run
  std::optional<Real3> gravity{};      ///< [m/s2]
  Named<StagedBoundary> boundaries{};
  Named<StagedGroup> groups{};
};

}  // namespace scree
