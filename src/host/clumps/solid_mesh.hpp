#pragma once

#include <string>

#include "scree/scene.hpp"

namespace scree::clumps {

/// Throws CaseError (path: `name`) if a mesh is not the surface of a solid: if it is not closed, encloses no volume, or
/// has parts that are turned inside out.
void expect_solid(const TriangleMesh& mesh, const std::string& name);

}  // namespace scree::clumps
