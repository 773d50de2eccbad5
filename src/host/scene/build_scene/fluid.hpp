#pragma once

#include <vector>

#include "scree/case.hpp"
#include "scree/errors.hpp"
#include "scree/scene.hpp"

namespace scree {

/// The fluid of a case, with the velocities of its file; none without one. Needs the cell of the scene.
void make_fluid(const Case& input, Scene& scene, std::vector<InputProblem>& problems);

}  // namespace scree
