#pragma once

#include <string>

#include "scree/scene.hpp"

namespace scree::clumps {

/// Throws CaseError (path: `name`) for a mesh that is not the surface of a solid: that is open or crowded, encloses no
/// volume, or has parts that are turned inside out.
void expect_solid(const TriangleMesh& mesh, const std::string& name);

}  // namespace scree::clumps
