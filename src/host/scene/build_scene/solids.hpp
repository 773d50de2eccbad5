#pragma once

#include <string>
#include <vector>

#include "scree/case.hpp"
#include "scree/errors.hpp"
#include "scree/scene.hpp"

namespace scree {

/// The boundaries of these names, whose inside particles keep out of. Names of boundaries that are not among the given
/// ones are left out. Throws CaseError with the path "keep_out_of.K" for one that is no closed mesh.
[[nodiscard]] std::vector<const SceneBoundary*> solids_of(const std::vector<std::string>& names,
                                                          const std::vector<const SceneBoundary*>& boundaries);

/// Adds to `problems` what is wrong with the boundaries that inlets keep out of. Needs the boundaries of the scene.
void check_solids_of_inlets(const Case& input, const Scene& scene, std::vector<InputProblem>& problems);

}  // namespace scree
