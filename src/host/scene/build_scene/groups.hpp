#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "scree/case.hpp"
#include "scree/errors.hpp"
#include "scree/scene.hpp"

namespace scree {

/// The groups of a scene: first group 0 for particles without a group, then the groups of the case in its order. Empty
/// if no particle needs a rule of its own. Adds problems of the input to `problems`.
[[nodiscard]] std::vector<SceneGroup> make_groups(const Case& input, std::vector<std::string>& warnings,
                                                  std::vector<InputProblem>& problems);

/// The changes that a stage makes to a group, with the axis of a rotation at length 1.
[[nodiscard]] GroupChange change_of(const StagedGroup& change);

/// [n_groups] Whether `holds` may ever be true for a particle of the group: for the group at the start or after a stage
/// has changed it, or for another group with which it exchanges particles.
[[nodiscard]] std::vector<bool> groups_that_ever(const Scene& scene,
                                                 const std::function<bool(const SceneGroup&)>& holds);

/// Index in Scene::groups of a group of the case; 0 without a name, or if the name is not known.
[[nodiscard]] std::uint32_t group_index(const Case& input, const std::optional<std::string>& name);

/// Gives particles the velocities that their groups impose on fixed components.
void impose_motion(const std::vector<SceneGroup>& groups, ParticleSet& particles);

}  // namespace scree
