#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "kernels/boundaries/mesh_adjacency.hpp"
#include "kernels/state/boundaries.hpp"

namespace scree::inline SCREE_BACKEND {

/// All boundaries in their reference poses.
struct StandingBoundaries {
  const std::vector<BoundaryInfo>& info;
  const std::vector<Feature>& features;
  const std::vector<Vec3d>& vertices;
  const std::vector<Surface>& surfaces;
  const MeshAdjacency& adjacency;
  std::uint32_t first_facet;

  [[nodiscard]] bool is_mesh(std::uint32_t boundary) const { return info[boundary].n_vertices > 0; }
  [[nodiscard]] std::array<Vec3d, 3> corners(std::uint32_t facet) const {
    const Feature& f = features[facet];
    return {vertices[f.a], vertices[f.b], vertices[f.c]};
  }
};

/// A box along the axes; it is empty at first.
struct Box {
  Vec3d min{1e300, 1e300, 1e300}, max{-1e300, -1e300, -1e300};

  void take(const Vec3d& x) {
    min = {std::min(min.x, x.x), std::min(min.y, x.y), std::min(min.z, x.z)};
    max = {std::max(max.x, x.x), std::max(max.y, x.y), std::max(max.z, x.z)};
  }
  [[nodiscard]] bool near(const Box& other, double gap) const {
    return min.x <= other.max.x + gap && other.min.x <= max.x + gap && min.y <= other.max.y + gap &&
           other.min.y <= max.y + gap && min.z <= other.max.z + gap && other.min.z <= max.z + gap;
  }
};

/// A free edge of a mesh: an edge of only one facet.
struct FreeEdge {
  std::uint32_t facet;
  Vec3d from, to;
  Vec3d inward;  ///< of length 1: at right angles to the edge, towards the facet

  [[nodiscard]] Box box() const {
    Box box;
    box.take(from), box.take(to);
    return box;
  }
};

/// Where a mesh ends. Of boundaries that are no meshes everything is empty.
struct MeshEdges {
  Box box;
  std::vector<FreeEdge> free;
  /// [m] up to which two surfaces count as touching: a millionth of the size of the mesh. Files of meshes often have
  /// only seven digits, so far from the origin it is a millionth of the distance, but never more than a thousandth of
  /// the shortest edge.
  double gap = 0;
};
[[nodiscard]] MeshEdges edges_of(const StandingBoundaries& standing, std::uint32_t boundary);

}  // namespace scree::inline SCREE_BACKEND
