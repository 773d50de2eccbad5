#include "kernels/boundaries/boundary_features.hpp"

#include <algorithm>
#include <cmath>
#include <variant>

#include "kernels/boundaries/mesh_adjacency.hpp"
#include "kernels/boundaries/mesh_tree.hpp"
#include "kernels/math/functions.hpp"
#include "kernels/math/real3.hpp"

namespace scree::inline SCREE_BACKEND {

namespace {

/// Appends the facets of boundary b. Its features follow those of the boundaries before it.
void collect_mesh(const TriangleMesh& mesh, std::uint32_t b, BoundaryFeatures& all) {
  BoundaryInfo& info = all.info[b];
  info.first_vertex = static_cast<std::uint32_t>(all.vertices.size());
  info.n_vertices = static_cast<std::uint32_t>(mesh.vertices.size());
  for (const Real3& v : mesh.vertices) { all.vertices.push_back(vec(v)); }
  all.vertex_boundary.resize(all.vertices.size(), b);
  info.first_node = static_cast<std::uint32_t>(all.nodes.size());
  append_mesh_tree(mesh, info.first_feature, all.nodes, all.leaves);
  info.n_nodes = static_cast<std::uint32_t>(all.nodes.size()) - info.first_node;
  all.features.reserve(all.features.size() + mesh.triangles.size());
  for (const auto& t : mesh.triangles) {
    all.features.push_back(
        {FeatureKind::facet, b, info.first_vertex + t[0], info.first_vertex + t[1], info.first_vertex + t[2]});
  }
  append_adjacency(mesh, info.first_vertex, all.adjacency);
}

/// Appends the features of a boundary that is not a mesh. There is one overload for each shape.
struct ShapeFeatures {
  std::uint32_t boundary;
  double largest;  ///< [m] radius of the largest particle
  bool grows;      ///< whether its radius may change
  std::vector<Feature>& features;
  std::vector<Surface>& surfaces;

  void operator()(const PlaneBoundary& plane) const {
    add(FeatureKind::plane, {vec(plane.point), unit(vec(plane.normal))});
  }
  void operator()(const BoxBoundary& box) const {
    for (const Vec3d& axis : {Vec3d{1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0, 0, 1}}) {
      add(FeatureKind::plane, {vec(box.min), axis});
      add(FeatureKind::plane, {vec(box.max), -axis});
    }
  }
  void operator()(const CylinderBoundary& cylinder) const {
    const Vec3d from = vec(cylinder.from), along = vec(cylinder.to) - from;
    const double radius = cylinder.radius;
    const Surface shell{from, unit(along), norm(along), radius, radius};
    add(FeatureKind::cylinder, shell);
    // Only a sphere at least as large as the shell can touch two of its sides at once.
    const double least = grows ? least_share_of_radius * radius : radius;
    if (largest >= least) { add(FeatureKind::cone, shell, true); }
  }
  void operator()(const ConeBoundary& cone) const {
    const Vec3d from = vec(cone.from), along = vec(cone.to) - from;
    const Surface shell{from, unit(along), norm(along), cone.radius_from, cone.radius_to};
    add(FeatureKind::cone, shell);
    add(FeatureKind::cone, shell, true);
  }
  void operator()(const SphereBoundary& sphere) const {
    add(FeatureKind::sphere, {.point = vec(sphere.center), .radius = sphere.radius});
  }
  void operator()(const MeshBoundary&) const {}  // collect_mesh() adds the facets

 private:
  void add(FeatureKind kind, const Surface& surface, bool far_side = false) const {
    features.push_back(
        {kind, boundary, static_cast<std::uint32_t>(surfaces.size()), far_side ? 1u : 0u, grows ? 1u : 0u});
    surfaces.push_back(surface);
  }
};

/// The smallest ball that holds all vertices and has its centre in the middle of their bounding box.
Ball ball_of(const std::vector<Real3>& vertices) {
  if (vertices.empty()) { return {}; }
  Real3 low = vertices.front(), high = low;
  for (const Real3& v : vertices) {
    for (std::size_t k = 0; k < 3; ++k) {
      low[k] = std::min(low[k], v[k]);
      high[k] = std::max(high[k], v[k]);
    }
  }
  Ball ball{0.5 * (vec(low) + vec(high)), 0};
  for (const Real3& v : vertices) { ball.radius = std::max(ball.radius, norm(vec(v) - ball.centre)); }
  return ball;
}

/// Balls around bounded shapes; none around a plane. There is one overload for each shape.
struct BallAround {
  const TriangleMesh& mesh;

  std::optional<Ball> operator()(const PlaneBoundary&) const { return std::nullopt; }
  std::optional<Ball> operator()(const BoxBoundary& box) const { return ball_of({box.min, box.max}); }
  std::optional<Ball> operator()(const CylinderBoundary& shell) const {
    return of_shell(shell.from, shell.to, shell.radius);
  }
  std::optional<Ball> operator()(const ConeBoundary& shell) const {
    return of_shell(shell.from, shell.to, std::max(shell.radius_from, shell.radius_to));
  }
  std::optional<Ball> operator()(const SphereBoundary& sphere) const { return Ball{vec(sphere.center), sphere.radius}; }
  std::optional<Ball> operator()(const MeshBoundary&) const {
    return mesh.vertices.empty() ? std::nullopt : std::optional(ball_of(mesh.vertices));
  }

 private:
  static Ball of_shell(const Real3& from, const Real3& to, double radius) {
    const Vec3d half = 0.5 * (vec(to) - vec(from));
    return {0.5 * (vec(from) + vec(to)), std::sqrt(dot(half, half) + radius * radius)};
  }
};

double largest_radius(const Scene& scene) {
  double largest = 0;
  for (const double radius : scene.particles.radius) { largest = std::max(largest, radius); }
  for (const SceneInlet& inlet : scene.inlets) { largest = std::max(largest, inlet.largest_radius); }
  return largest;
}

}  // namespace

BoundaryFeatures collect_features(const Scene& scene) {
  BoundaryFeatures all;
  const std::size_t n = scene.boundaries.size();
  all.info.resize(n);
  const double largest = largest_radius(scene);
  // Features of shapes without facets come first, so that the search can test them one by one, without a tree.
  for (const bool meshes : {false, true}) {
    for (std::uint32_t b = 0; b < n; ++b) {
      const SceneBoundary& boundary = scene.boundaries[b];
      if (boundary.is_mesh() != meshes) { continue; }
      BoundaryInfo& info = all.info[b];
      info.material = boundary.material;
      info.first_feature = static_cast<std::uint32_t>(all.features.size());
      info.moving = boundary.moves() ? 1 : 0;
      info.facets_per_copy = boundary.facets_per_copy;
      if (meshes) {
        collect_mesh(boundary.mesh, b, all);
      } else {
        std::visit(ShapeFeatures{b, largest, boundary.changes_radius(), all.features, all.surfaces}, boundary.shape);
      }
      info.n_features = static_cast<std::uint32_t>(all.features.size()) - info.first_feature;
    }
    if (!meshes) { all.first_facet = static_cast<std::uint32_t>(all.features.size()); }
  }
  return all;
}

std::optional<Ball> ball_around(const SceneBoundary& boundary) {
  return std::visit(BallAround{boundary.mesh}, boundary.shape);
}

}  // namespace scree::inline SCREE_BACKEND
