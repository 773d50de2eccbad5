#pragma once

#include "scree/scene.hpp"

namespace scree {

/// Works out mass, moments of inertia, centre of mass and principal axes of a body that has a density, from its mesh;
/// makes the orientation of its axes one of length 1. Throws CaseError (paths: "density") for a mesh that encloses no
/// volume.
void resolve_free_body(FreeBody& body, const TriangleMesh& mesh);

}  // namespace scree
