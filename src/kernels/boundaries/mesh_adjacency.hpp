#pragma once

#include <cstdint>
#include <vector>

#include "kernels/backend/portability.hpp"
#include "scree/scene.hpp"

namespace scree::inline SCREE_BACKEND {

/// Neighbours of edges and vertices in all meshes of a scene, for BoundaryFields. Vertices have one numbering for all
/// meshes.
struct MeshAdjacency {
  /// [3 n_facets + 1] into edge_opposite; edge e of a facet begins at its corner e
  std::vector<std::uint32_t> edge_start{0};
  /// for each edge of a facet, the opposite vertices of the other facets at this edge, in ascending order of facets
  std::vector<std::uint32_t> edge_opposite;
  /// [3 n_facets] [-] How sharp the edges of facets are as level-set grains feel them: (1 - cos b) / 2, where b is the
  /// angle between the normals of the two facets. So it is 0 in a flat surface, 1/2 at the edge of a cube, and 1 at a
  /// free edge. Of all facets at an edge only the first one has it; others have 0. With more than two facets it is the
  /// least of all pairs.
  std::vector<float> edge_width;
  std::vector<std::uint32_t> ring_start{0};  ///< [n_vertices + 1] into ring
  std::vector<std::uint32_t> ring;           ///< vertices that an edge joins to a vertex, in ascending order
};

/// Appends a mesh whose vertices are numbered from first_vertex on. An edge may belong to any number of facets.
void append_adjacency(const TriangleMesh& mesh, std::uint32_t first_vertex, MeshAdjacency& all);

}  // namespace scree::inline SCREE_BACKEND
