#pragma once

#include <string>
#include <vector>

#include "scree/errors.hpp"
#include "scree/scene.hpp"

namespace scree {

/// Refuses linear cohesion that pulls bodies into each other: without load they would overlap by more than half of the
/// effective radius, or the pull would grow faster with the overlap than a linear spring does.
void check_cohesion(const Scene& scene, std::vector<InputProblem>& problems);
/// Refuses bridges with more liquid than the volume of the smaller sphere, and a roughness above a tenth of its radius.
/// Warns of bridges beyond the range in which the formula of the force was fitted, V <= 0.1 R^3.
void check_liquid(const Scene& scene, std::vector<std::string>& warnings, std::vector<InputProblem>& problems);

}  // namespace scree
