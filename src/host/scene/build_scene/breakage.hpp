#pragma once

#include <vector>

#include "scree/case.hpp"
#include "scree/errors.hpp"
#include "scree/scene.hpp"

namespace scree {

/// Counts broken spheres beside what outlets remove. Needs the outlets.
void name_breakage(const Case& input, Scene& scene, std::vector<InputProblem>& problems);

/// Sets the rules of breakage. Needs the particles and the inlets. Complains of rules under which nothing can break.
void make_breakage(const Case& input, Scene& scene, std::vector<InputProblem>& problems);

}  // namespace scree
