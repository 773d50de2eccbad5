#pragma once

#include <vector>

#include "kernels/boundaries/mesh_edges.hpp"
#include "scree/scene.hpp"

namespace scree::inline SCREE_BACKEND {

/// The joints of all boundaries, see BoundaryFields.
struct Joints {
  std::vector<std::uint32_t> start;  ///< [n_features + 1] into `all`; empty if there are no joints
  std::vector<Joint> all;
  std::vector<std::uint32_t> joined;        ///< [n_boundaries] see BoundaryInfo::joined
  std::vector<std::uint32_t> joins_itself;  ///< [n_boundaries] see BoundaryInfo::joins_itself
};

/// Finds the free edges of meshes that lie on planes, on facets of other meshes, or on other facets of the same mesh,
/// within a millionth of the largest coordinate or extent of the meshes. Two boundaries must not move relative to each
/// other. The angle must be one at which facets that share an edge continue each other (cosine_of_seam).
[[nodiscard]] Joints find_joints(const Scene& scene, const StandingBoundaries& standing);

}  // namespace scree::inline SCREE_BACKEND
