#pragma once

#include <cstdint>
#include <vector>

#include "kernels/backend/portability.hpp"
#include "scree/scene.hpp"

namespace scree::inline SCREE_BACKEND {

/// What touches what in all meshes of a scene, as BoundaryFields needs it. Vertices are numbered through all meshes.
struct MeshAdjacency {
  /// [3 n_facets + 1] into edge_opposite; edge e of a facet is from its corner e
  std::vector<std::uint32_t> edge_start{0};
  /// vertices opposite to an edge in its other facets, these in ascending order
  std::vector<std::uint32_t> edge_opposite;
  std::vector<std::uint32_t> ring_start{0};  ///< [n_vertices + 1] into ring
  std::vector<std::uint32_t> ring;           ///< vertices joined to a vertex by an edge, in ascending order
};

/// Appends a mesh whose vertices are numbered from first_vertex on. An edge may belong to any number of facets.
void append_adjacency(const TriangleMesh& mesh, std::uint32_t first_vertex, MeshAdjacency& all);

}  // namespace scree::inline SCREE_BACKEND
