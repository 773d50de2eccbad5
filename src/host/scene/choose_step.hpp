#pragma once

#include <vector>

#include "scree/build_scene.hpp"
#include "scree/case.hpp"
#include "scree/errors.hpp"

namespace scree {

/// Sets the time step of a scene, and the reason in `report`. Needs the particles.
void choose_time_step(const Case& input, Scene& scene, SceneReport& report, std::vector<InputProblem>& problems);

/// Makes the step of a scene adaptive if stages change it; with a given step the rule keeps that step until a stage
/// changes it. Adds a problem or a warning for steps of stages that are too short or above the stable limit.
void let_stages_change_step(const Case& input, Scene& scene, SceneReport& report, std::vector<InputProblem>& problems);

}  // namespace scree
