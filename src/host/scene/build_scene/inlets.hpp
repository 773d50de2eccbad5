#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scree/case.hpp"
#include "scree/errors.hpp"
#include "scree/scene.hpp"

namespace scree {

/// What each inlet of the case may bring. Adds what is wrong to `problems`: a region without room for the largest
/// particle, a mesh that is not closed. Warns of a region in which particles are removed at once or cannot be;
/// `outlet_names` are those of the scene.
[[nodiscard]] std::vector<SceneInlet> make_inlets(const Case& input, const std::vector<ClumpShape>& shapes,
                                                  const std::optional<PeriodicCell>& cell,
                                                  const std::vector<SceneOutlet>& outlets,
                                                  const std::vector<std::string>& outlet_names,
                                                  std::vector<std::string>& warnings,
                                                  std::vector<InputProblem>& problems);

}  // namespace scree
