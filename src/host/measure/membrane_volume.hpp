#pragma once

#include "scree/scene_membranes.hpp"
#include "scree/snapshot.hpp"

namespace scree {

/// [m3] The volume that a membrane encloses: the polyhedron of its triangles between centres of nodes, and of fans from
/// the centroids of its first and last ring. NaN if a node has left the run.
[[nodiscard]] double membrane_volume(const Snapshot& particles, const SceneMembrane& membrane);

}  // namespace scree
