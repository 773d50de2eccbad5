#pragma once

#include <vector>

#include "scree/build_scene.hpp"
#include "scree/case.hpp"
#include "scree/errors.hpp"

namespace scree {

/// Sets the time step of a scene that has its particles, and says why.
void choose_time_step(const Case& input, Scene& scene, SceneReport& report, std::vector<InputProblem>& problems);

/// Makes a step that stages change adaptive, by the rule of the present stage.
void let_stages_change_step(const Case& input, Scene& scene, SceneReport& report, std::vector<InputProblem>& problems);

}  // namespace scree
