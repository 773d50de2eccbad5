#pragma once

#include "scree/scene.hpp"

namespace scree {

/// Computes mass, moments of inertia, centre of mass and principal axes of a body with a density from its mesh.
/// Normalises the orientation of the axes of other bodies. Throws CaseError (path "density") for a mesh that encloses
/// no volume.
void resolve_free_body(FreeBody& body, const TriangleMesh& mesh);

}  // namespace scree
