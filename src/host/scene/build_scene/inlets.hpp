#pragma once

#include <string>
#include <vector>

#include "scree/case.hpp"
#include "scree/errors.hpp"
#include "scree/scene.hpp"

namespace scree {

/// What each inlet of the case may bring. Adds what is wrong to `problems`: a region without room for the largest
/// particle, a mesh that is not closed.
[[nodiscard]] std::vector<SceneInlet> make_inlets(const Case& input, const std::vector<ClumpShape>& shapes,
                                                  std::vector<std::string>& warnings,
                                                  std::vector<InputProblem>& problems);

}  // namespace scree
