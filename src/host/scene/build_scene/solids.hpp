#pragma once

#include <string>
#include <vector>

#include "scree/case.hpp"
#include "scree/errors.hpp"
#include "scree/scene.hpp"

namespace scree {

/// The boundaries with these names, which particles keep out of. Names that are not among `boundaries` are ignored.
/// Throws CaseError with the path "keep_out_of.K" for a boundary that is not a closed mesh.
[[nodiscard]] std::vector<const SceneBoundary*> solids_of(const std::vector<std::string>& names,
                                                          const std::vector<const SceneBoundary*>& boundaries);

/// Adds a problem for each boundary that an inlet keeps out of but that is not a closed mesh. Needs the boundaries of
/// the scene.
void check_solids_of_inlets(const Case& input, const Scene& scene, std::vector<InputProblem>& problems);

}  // namespace scree
