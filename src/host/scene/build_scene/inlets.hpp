#pragma once

#include <string>
#include <vector>

#include "scree/case.hpp"
#include "scree/errors.hpp"
#include "scree/scene.hpp"

namespace scree {

/// What each inlet of the case may bring, in a scene that has its shapes, cell and outlets. Adds what is wrong to
/// `problems`: a region without room for the largest particle, a mesh that is not closed. Warns of a region in which
/// particles are removed at once or cannot be.
[[nodiscard]] std::vector<SceneInlet> make_inlets(const Case& input, const Scene& scene,
                                                  std::vector<std::string>& warnings,
                                                  std::vector<InputProblem>& problems);

}  // namespace scree
