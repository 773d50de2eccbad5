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

/// Group 0, of the particles without one, and those of the case in its order; none at all when no particle needs a rule
/// of its own. Adds what is wrong to `problems`.
[[nodiscard]] std::vector<SceneGroup> make_groups(const Case& input, std::vector<std::string>& warnings,
                                                  std::vector<InputProblem>& problems);

/// The changes that a stage makes to a group, with the axis of a rotation at length 1.
[[nodiscard]] GroupChange change_of(const StagedGroup& change);

/// [n_groups] Whether `holds` may ever be true for a particle of the group: at the start, after a stage that changes
/// the group, or because particles join it, or leave it for another group, for which it is true.
[[nodiscard]] std::vector<bool> groups_that_ever(const Scene& scene,
                                                 const std::function<bool(const SceneGroup&)>& holds);

/// Index in Scene::groups of a group of the case; 0 without a name, or where the name is not known.
[[nodiscard]] std::uint32_t group_index(const Case& input, const std::optional<std::string>& name);

/// Gives particles the velocities that their groups impose on fixed components.
void impose_motion(const std::vector<SceneGroup>& groups, ParticleSet& particles);

}  // namespace scree
