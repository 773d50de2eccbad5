#pragma once

#include <vector>

#include "kernels/state/boundaries.hpp"
#include "scree/scene.hpp"

namespace scree::inline SCREE_BACKEND {

/// Appends the bounding volume hierarchy of a mesh to the nodes and leaf facets of all meshes.
/// Nodes stand depth-first: `skip` counts from the first node of this mesh, `first` is an index into `leaf_feature`.
/// Boxes are split in halves of equal count, along the longest side of the box of the facets' centres.
/// Facet t of the mesh is feature first_feature + t. O(n log n) in the number of facets.
void append_mesh_tree(const TriangleMesh& mesh, std::uint32_t first_feature, std::vector<BoxNode>& nodes,
                      std::vector<std::uint32_t>& leaf_feature);

}  // namespace scree::inline SCREE_BACKEND
