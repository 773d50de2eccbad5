#pragma once

#include <vector>

#include "scree/case.hpp"
#include "scree/errors.hpp"
#include "scree/scene.hpp"

namespace scree {

/// Adds a counter of broken spheres to the counters of the outlets. Needs the outlets.
void name_breakage(const Case& input, Scene& scene, std::vector<InputProblem>& problems);

/// Sets the rules of breakage. Needs the particles and the inlets. Complains about rules by which nothing can break.
void make_breakage(const Case& input, Scene& scene, std::vector<InputProblem>& problems);

}  // namespace scree
