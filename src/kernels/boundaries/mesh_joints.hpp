#pragma once

#include <vector>

#include "kernels/boundaries/mesh_adjacency.hpp"
#include "kernels/state/boundaries.hpp"
#include "scree/scene.hpp"

namespace scree::inline SCREE_BACKEND {

/// All boundaries as they stand at the start, in their reference poses.
struct StandingBoundaries {
  const std::vector<BoundaryInfo>& info;
  const std::vector<Feature>& features;
  const std::vector<Vec3d>& vertices;
  const std::vector<Surface>& surfaces;
  const MeshAdjacency& adjacency;
  std::uint32_t first_facet;
};

struct Joints {
  std::vector<std::uint32_t> start;  ///< [n_features + 1]; empty where there are none
  std::vector<Joint> all;
  std::vector<std::uint32_t> joined;  ///< [n_boundaries] as BoundaryInfo has it
};

/// Where the free edges of meshes lie on planes or facets of other boundaries that do not move against them, at an
/// angle at which facets of one mesh would go on in each other: within a millionth of the size of the boundaries.
[[nodiscard]] Joints find_joints(const Scene& scene, const StandingBoundaries& standing);

}  // namespace scree::inline SCREE_BACKEND
