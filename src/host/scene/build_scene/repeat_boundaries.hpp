#pragma once

#include <string>
#include <vector>

#include "scree/errors.hpp"
#include "scree/scene.hpp"

namespace scree {

/// Repeats the boundaries with the periodic cell. A plane along the edges needs no change. A cylinder along the only
/// edge that repeats is made longer than the cell. A mesh gets copies around the cell, joined at the faces. Adds a
/// problem for each boundary that cannot repeat, or that moves as its images cannot.
void repeat_boundaries(Scene& scene, std::vector<std::string>& warnings, std::vector<InputProblem>& problems);

}  // namespace scree
