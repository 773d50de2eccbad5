#include "kernels/system_boundaries.hpp"

#include <algorithm>
#include <cmath>
#include <variant>

#include "kernels/math/functions.hpp"
#include "kernels/system_mesh_adjacency.hpp"
#include "kernels/system_mesh_tree.hpp"

namespace scree::inline SCREE_BACKEND {

namespace {

Vec3d vec(const Real3& a) { return {a[0], a[1], a[2]}; }
Vec3d unit(const Vec3d& a) { return (1.0 / norm(a)) * a; }

/// One motion: y -> rotation (y - origin) + origin + shift, with its velocity field.
struct MotionPart {
  Vec3d row_x{1, 0, 0}, row_y{0, 1, 0}, row_z{0, 0, 1};
  Vec3d origin{0, 0, 0}, shift{0, 0, 0}, velocity{0, 0, 0}, spin{0, 0, 0};

  [[nodiscard]] Vec3d turn(const Vec3d& v) const { return {dot(row_x, v), dot(row_y, v), dot(row_z, v)}; }
};

MotionPart part_at(const Motion& motion, double time) {
  MotionPart part;
  const double elapsed = std::min(std::max(time, motion.from), motion.until) - motion.from;
  const bool active = time >= motion.from && time < motion.until;
  if (const auto* translation = std::get_if<Translation>(&motion.kind)) {
    part.shift = elapsed * vec(translation->velocity);
    if (active) { part.velocity = vec(translation->velocity); }
    return part;
  }
  const auto& rotation = std::get<Rotation>(motion.kind);
  const Vec3d axis = unit(vec(rotation.axis));
  part.origin = vec(rotation.origin);
  if (active) { part.spin = rotation.rate * axis; }
  if (elapsed == 0) { return part; }
  const math::SineCosine a = math::sincos(rotation.rate * elapsed);
  // Rodrigues: c 1 + s [axis]x + (1 - c) axis axis^T
  const double one = 1.0 - a.cosine;
  part.row_x = {a.cosine + one * axis.x * axis.x, one * axis.x * axis.y - a.sine * axis.z, one * axis.x * axis.z + a.sine * axis.y};
  part.row_y = {one * axis.y * axis.x + a.sine * axis.z, a.cosine + one * axis.y * axis.y, one * axis.y * axis.z - a.sine * axis.x};
  part.row_z = {one * axis.z * axis.x - a.sine * axis.y, one * axis.z * axis.y + a.sine * axis.x, a.cosine + one * axis.z * axis.z};
  return part;
}

/// Everything gathered on the host before it is copied to the backend.
struct Collected {
  std::vector<PlaneSurface> planes;
  std::vector<CylinderSurface> cylinders;
  std::vector<Vec3d> vertices;
  std::vector<std::uint32_t> vertex_boundary, leaves;
  std::vector<BoxNode> nodes;
  MeshAdjacency adjacency;
};

/// Appends a mesh that is boundary b; its features follow those before.
void collect_mesh(const TriangleMesh& mesh, std::uint32_t b, BoundaryInfo& info, std::vector<Feature>& features, Collected& all) {
  info.first_vertex = static_cast<std::uint32_t>(all.vertices.size());
  info.n_vertices = static_cast<std::uint32_t>(mesh.vertices.size());
  for (const Real3& v : mesh.vertices) { all.vertices.push_back(vec(v)); }
  all.vertex_boundary.resize(all.vertices.size(), b);
  info.first_node = static_cast<std::uint32_t>(all.nodes.size());
  append_mesh_tree(mesh, info.first_feature, all.nodes, all.leaves);
  info.n_nodes = static_cast<std::uint32_t>(all.nodes.size()) - info.first_node;
  features.reserve(features.size() + mesh.triangles.size());
  for (const auto& t : mesh.triangles) {
    features.push_back({FeatureKind::facet, b, info.first_vertex + t[0], info.first_vertex + t[1], info.first_vertex + t[2]});
  }
  append_adjacency(mesh, info.first_vertex, all.adjacency);
}

/// A ball around all vertices, about the middle of their box.
Ball ball_around(const std::vector<Real3>& vertices) {
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

/// The most that a point at distance 1 from a fixed centre moves from one orientation to another: 2 sin(angle / 2). All nine
/// components together change by sqrt(2) times that.
double most_turn(const Pose& from, const Pose& to) {
  const Vec3d x = to.row_x - from.row_x, y = to.row_y - from.row_y, z = to.row_z - from.row_z;
  return std::sqrt(0.5 * (dot(x, x) + dot(y, y) + dot(z, z)));
}

}  // namespace

Pose pose_at(const std::vector<Motion>& motions, double time) {
  Pose pose;
  for (const Motion& motion : motions) {
    const MotionPart part = part_at(motion, time);
    const Vec3d column_x{pose.row_x.x, pose.row_y.x, pose.row_z.x};
    const Vec3d column_y{pose.row_x.y, pose.row_y.y, pose.row_z.y};
    const Vec3d column_z{pose.row_x.z, pose.row_y.z, pose.row_z.z};
    const Vec3d new_x = part.turn(column_x), new_y = part.turn(column_y), new_z = part.turn(column_z);
    pose.row_x = {new_x.x, new_y.x, new_z.x};
    pose.row_y = {new_x.y, new_y.y, new_z.y};
    pose.row_z = {new_x.z, new_y.z, new_z.z};
    pose.shift = part.turn(pose.shift - part.origin) + part.origin + part.shift;

    // With x = T(y - o) + o + d: x' = T y' + w x (x - o - d) + v, and T y = x - o - d + T o.
    const Vec3d turned_spin = part.turn(pose.spin);
    const Vec3d turned_origin = part.turn(part.origin);
    const Vec3d centre = part.origin + part.shift;
    pose.velocity = part.turn(pose.velocity) + cross(turned_spin, turned_origin - centre) + part.velocity - cross(part.spin, centre);
    pose.spin = turned_spin + part.spin;
  }
  return pose;
}

BoundarySystem::BoundarySystem(const Scene& scene) {
  Collected all;
  const std::size_t n = scene.boundaries.size();
  info_.resize(n);
  // Planes and cylinders take the first numbers, so that the search can go through them without a hierarchy.
  for (const bool meshes : {false, true}) {
    for (std::uint32_t b = 0; b < n; ++b) {
      const SceneBoundary& boundary = scene.boundaries[b];
      if ((boundary.kind == SceneBoundary::Kind::mesh) != meshes) { continue; }
      BoundaryInfo& info = info_[b];
      info = {boundary.material, static_cast<std::uint32_t>(features_.size()), 0, 0, 0, 0, 0, boundary.motion.empty() ? 0u : 1u};
      if (boundary.kind == SceneBoundary::Kind::plane) {
        features_.push_back({FeatureKind::plane, b, static_cast<std::uint32_t>(all.planes.size()), 0, 0});
        all.planes.push_back({vec(boundary.plane.point), unit(vec(boundary.plane.normal))});
      } else if (boundary.kind == SceneBoundary::Kind::cylinder) {
        const Vec3d from = vec(boundary.cylinder.from), along = vec(boundary.cylinder.to) - from;
        features_.push_back({FeatureKind::cylinder, b, static_cast<std::uint32_t>(all.cylinders.size()), 0, 0});
        all.cylinders.push_back({from, unit(along), norm(along), boundary.cylinder.radius});
      } else {
        collect_mesh(boundary.mesh, b, info, features_, all);
      }
      info.n_features = static_cast<std::uint32_t>(features_.size()) - info.first_feature;
    }
    if (!meshes) { boundaries_.first_facet = static_cast<std::uint32_t>(features_.size()); }
  }
  for (const SceneBoundary& boundary : scene.boundaries) {
    motions_.push_back(boundary.motion);
    mesh_ball_.push_back(ball_around(boundary.mesh.vertices));
    any_moving_ = any_moving_ || !boundary.motion.empty();
  }
  boundaries_.info.assign(info_, "boundaries");
  boundaries_.pose.assign(std::vector<Pose>(n), "boundaries");
  boundaries_.feature.assign(features_, "boundaries");
  boundaries_.plane.assign(all.planes, "boundaries");
  boundaries_.cylinder.assign(all.cylinders, "boundaries");
  boundaries_.reference_vertex.assign(all.vertices, "boundaries");
  boundaries_.vertex.assign(all.vertices, "boundaries");
  boundaries_.vertex_boundary.assign(all.vertex_boundary, "boundaries");
  boundaries_.node.assign(all.nodes, "boundaries");
  boundaries_.leaf_feature.assign(all.leaves, "boundaries");
  boundaries_.edge_start.assign(all.adjacency.edge_start, "boundaries");
  boundaries_.edge_opposite.assign(all.adjacency.edge_opposite, "boundaries");
  boundaries_.ring_start.assign(all.adjacency.ring_start, "boundaries");
  boundaries_.ring.assign(all.adjacency.ring, "boundaries");
}

BoundaryView BoundarySystem::view() {
  Boundaries& b = boundaries_;
  return {b.info.view(), b.pose.view(), b.feature.view(), b.plane.view(), b.cylinder.view(), b.reference_vertex.view(),
          b.vertex.view(), b.vertex_boundary.view(), b.node.view(), b.leaf_feature.view(), b.edge_start.view(),
          b.edge_opposite.view(), b.ring_start.view(), b.ring.view(), b.first_facet};
}

void BoundarySystem::place(Exec& exec, double time) {
  if (!any_moving_) { return; }
  std::vector<Pose> poses;
  for (const auto& motions : motions_) { poses.push_back(pose_at(motions, time)); }
  boundaries_.pose.assign(poses, "boundaries");
  for (const BoundaryInfo& mesh : info_) {
    if (mesh.moving == 0 || mesh.n_vertices == 0) { continue; }
    const auto own = [&](auto& buffer) {
      auto view = buffer.view();
      return decltype(view){view.data + mesh.first_vertex, mesh.n_vertices};
    };
    exec.for_each("move boundaries", mesh.n_vertices,
                  VertexPlacement{boundaries_.pose.view(), own(boundaries_.vertex_boundary), own(boundaries_.reference_vertex),
                                  own(boundaries_.vertex)});
  }
}

double BoundarySystem::most_travel(double time, double time_step, double extent) const {
  double most = 0;
  for (std::size_t b = 0; b < motions_.size(); ++b) {
    if (motions_[b].empty()) { continue; }
    const Pose before = pose_at(motions_[b], time), after = pose_at(motions_[b], time + time_step);
    const bool is_mesh = info_[b].n_vertices > 0;
    const Ball ball = is_mesh ? mesh_ball_[b] : Ball{before.place_back({0, 0, 0}), extent};
    most = std::max(most, norm(after.place(ball.centre) - before.place(ball.centre)) + most_turn(before, after) * ball.radius);
  }
  return most;
}

std::vector<Vec3d> BoundarySystem::vertices(std::size_t boundary) const {
  const BoundaryInfo& info = info_.at(boundary);
  const std::vector<Vec3d> all = boundaries_.vertex.to_vector();
  return {all.begin() + info.first_vertex, all.begin() + info.first_vertex + info.n_vertices};
}

std::uint64_t BoundarySystem::bytes() const {
  const Boundaries& b = boundaries_;
  return b.info.bytes() + b.pose.bytes() + b.feature.bytes() + b.plane.bytes() + b.cylinder.bytes() + b.reference_vertex.bytes() +
         b.vertex.bytes() + b.vertex_boundary.bytes() + b.node.bytes() + b.leaf_feature.bytes() + b.edge_start.bytes() +
         b.edge_opposite.bytes() + b.ring_start.bytes() + b.ring.bytes();
}

}  // namespace scree::inline SCREE_BACKEND
