#include "kernels/boundaries/mesh_edges.hpp"

#include <cmath>
#include <limits>

namespace scree::inline SCREE_BACKEND {

namespace {

/// [m] The largest coordinate of a point, by magnitude.
double farthest(const Vec3d& x) { return std::max({std::abs(x.x), std::abs(x.y), std::abs(x.z)}); }

}  // namespace

MeshEdges edges_of(const StandingBoundaries& standing, std::uint32_t boundary) {
  MeshEdges mesh;
  if (!standing.is_mesh(boundary)) { return mesh; }
  const BoundaryInfo& info = standing.info[boundary];
  double shortest_square = std::numeric_limits<double>::max();
  for (std::uint32_t f = info.first_feature; f < info.first_feature + info.n_features; ++f) {
    const std::array<Vec3d, 3> c = standing.corners(f);
    for (std::uint32_t e = 0; e < 3; ++e) {
      const Vec3d from = c[e], to = c[(e + 1) % 3];
      shortest_square = std::min(shortest_square, dot(to - from, to - from));
      const std::size_t side = 3 * std::size_t(f - standing.first_facet) + e;
      if (standing.adjacency.edge_start[side] == standing.adjacency.edge_start[side + 1]) {
        const Vec3d across = cross(cross(c[1] - c[0], c[2] - c[0]), to - from);
        mesh.free.push_back({f, from, to, (1 / norm(across)) * across});
      }
    }
  }
  for (std::uint32_t v = info.first_vertex; v < info.first_vertex + info.n_vertices; ++v) {
    mesh.box.take(standing.vertices[v]);
  }
  const double largest = std::max(farthest(mesh.box.min), farthest(mesh.box.max));
  mesh.gap = std::max(1e-6 * farthest(mesh.box.max - mesh.box.min),
                      std::min(1e-6 * largest, 1e-3 * std::sqrt(shortest_square)));
  return mesh;
}

}  // namespace scree::inline SCREE_BACKEND
