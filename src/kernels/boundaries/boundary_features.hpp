#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/boundaries/boundary_step.hpp"
#include "kernels/boundaries/mesh_edges.hpp"
#include "scree/scene.hpp"

namespace scree::inline SCREE_BACKEND {

/// The features of all boundaries, and the arrays that they refer to, on the host.
struct BoundaryFeatures {
  std::vector<BoundaryInfo> info;  ///< [n_boundaries] without joints and parts
  std::vector<Feature> features;   ///< those of shapes without facets come first
  std::uint32_t first_facet = 0;   ///< see BoundaryFields
  std::vector<Surface> surfaces;
  std::vector<Vec3d> vertices;
  std::vector<std::uint32_t> vertex_boundary;
  std::vector<BoxNode> nodes;         ///< of the trees of meshes
  std::vector<std::uint32_t> leaves;  ///< see BoundaryFields::leaf_feature
  MeshAdjacency adjacency;

  /// A view of these arrays.
  [[nodiscard]] StandingBoundaries standing() const {
    return {info, features, vertices, surfaces, adjacency, first_facet};
  }
};

[[nodiscard]] BoundaryFeatures collect_features(const Scene& scene);

/// A ball that holds a boundary in its reference pose; none around a plane.
[[nodiscard]] std::optional<Ball> ball_around(const SceneBoundary& boundary);

}  // namespace scree::inline SCREE_BACKEND
