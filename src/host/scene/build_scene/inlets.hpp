#pragma once

#include <string>
#include <vector>

#include "scree/case.hpp"
#include "scree/errors.hpp"
#include "scree/scene.hpp"

namespace scree {

/// The materials and sizes that each inlet of the case may bring. Needs the shapes, the cell and the outlets of the
/// scene. Adds a problem for a region without room for the largest particle, and for a mesh that is not closed. Warns
/// of a region in which particles are removed at once, or that lies behind a plane.
[[nodiscard]] std::vector<SceneInlet> make_inlets(const Case& input, const Scene& scene,
                                                  std::vector<std::string>& warnings,
                                                  std::vector<InputProblem>& problems);

}  // namespace scree
