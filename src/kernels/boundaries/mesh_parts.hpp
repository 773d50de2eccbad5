#pragma once

#include <cstdint>
#include <vector>

#include "kernels/boundaries/mesh_edges.hpp"

namespace scree::inline SCREE_BACKEND {

/// The parts of all meshes, see BoundaryFields::part.
struct MeshParts {
  std::vector<std::uint32_t> of_facet;  ///< [n_facets] empty if every mesh has a single part
  std::vector<std::uint32_t> number;    ///< [n_boundaries] 1 where a boundary is no mesh
};

/// Finds the parts of meshes. Two facets belong to one part if an edge belongs to these two alone, or if their free
/// edges lie on one another, within MeshEdges::gap, and the facets do not. So a closed surface is one part, even if its
/// vertices are not united. Closed bodies in one file are several parts, also where they stand side by side and share
/// edges, and so are sheets that lie over one another.
[[nodiscard]] MeshParts find_parts(const StandingBoundaries& standing);

}  // namespace scree::inline SCREE_BACKEND
