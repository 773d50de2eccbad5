#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scree/material_pairs.hpp"
#include "scree/motions.hpp"
#include "scree/scene_groups.hpp"
#include "scree/stages.hpp"
#include "scree/time_table.hpp"
#include "scree/values.hpp"

/// Stages of a run, with indices in place of names.
namespace scree {

/// The changes of a boundary in a stage; see StagedBoundary.
struct SceneStagedBoundary {
  std::uint32_t boundary = 0;  ///< index into Scene::boundaries
  std::optional<bool> present{};
  std::optional<std::vector<Motion>> motion{};  ///< as SceneBoundary::motion; times count from the start of the stage
  std::optional<Real3> force{};                 ///< [N]
  std::optional<double> torque{};               ///< [N m]
  std::optional<std::vector<Motion>> surface_motion{};  ///< as `motion`
  // At most one of these three, of its servo; times of tables count from the start of the stage.
  std::optional<TimeTable> stress{}, servo_force{};  ///< [Pa], [N]
  std::optional<double> servo_speed{};               ///< [m/s]
  std::optional<double> temperature{}, heat_flux{};  ///< [K], [W/m2] at most one of the two
};

/// The changes of a group in a stage; see StagedGroup.
struct SceneStagedGroup {
  std::uint32_t group = 0;  ///< index into Scene::groups
  GroupChange change{};
  std::optional<JoiningParticles> join{};  ///< before the change; files of meshes are whole paths
};

/// The indices that the conditions of a stage need. The index of a condition that is not given has no meaning.
struct ConditionPlaces {
  std::uint32_t remover = 0;  ///< into Scene::outlet_names, of `removed`
  std::uint32_t outlet = 0;   ///< into Scene::outlet_names, of `flow`
  std::uint32_t pushed = 0;   ///< into Scene::boundaries, of `boundary_force`
  std::uint32_t moved = 0;    ///< into Scene::boundaries, of `boundary_position`
  std::uint32_t control = 0;  ///< into PeriodicCell::stages, of `control`
};

/// The changes of an inlet in a stage; see StagedInlet.
struct SceneStagedInlet {
  std::size_t entry = 0;  ///< index in Case::particles
  StagedInlet change{};
};

/// The changes of a membrane in a stage; see StagedMembrane.
struct SceneStagedMembrane {
  std::uint32_t membrane = 0;  ///< index into Scene::membranes
  TimeTable pressure;          ///< [Pa] times count from the start of the stage
};

/// A stage of the run. Engines know nothing of stages: Simulation steers them.
struct SceneStage {
  std::string name;
  std::optional<RunStageEnd> until;         ///< none: the end of the run
  ConditionPlaces places{};                 ///< of `until`
  std::vector<ConditionPlaces> all_places;  ///< of until->all_of
  std::optional<Real3> gravity;             ///< [m/s2]
  std::optional<StagedStep> time;           ///< the scene adapts its step, if any stage has this
  std::optional<double> damping;            ///< [-] Cundall's
  std::optional<double> viscous_damping;    ///< [1/s]
  std::vector<PairFriction> friction;       ///< new values for pairs of materials of the scene
  std::vector<SceneStagedInlet> inlets;
  std::optional<StagedOutput> output;
  std::vector<SceneStagedBoundary> boundaries;
  std::vector<SceneStagedGroup> groups;
  std::vector<SceneStagedMembrane> membranes;
};

}  // namespace scree
