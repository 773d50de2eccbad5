#pragma once

#include <vector>

#include "kernels/state/boundaries.hpp"
#include "scree/scene.hpp"

namespace scree::inline SCREE_BACKEND {

/// Appends the bounding volume hierarchy of a mesh to the nodes and leaf facets of all meshes. Facet t of the mesh is
/// feature first_feature + t. The nodes are in depth-first order; `skip` counts from the first node of this mesh, and
/// `first` is an index into `leaf_feature`. Each box is split into halves with equal numbers of facets, along the
/// longest side of the box of the centres of the facets. Takes O(n log n) time for n facets.
void append_mesh_tree(const TriangleMesh& mesh, std::uint32_t first_feature, std::vector<BoxNode>& nodes,
                      std::vector<std::uint32_t>& leaf_feature);

}  // namespace scree::inline SCREE_BACKEND
