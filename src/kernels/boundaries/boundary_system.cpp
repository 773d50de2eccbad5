#include "kernels/boundaries/boundary_system.hpp"

#include <algorithm>
#include <cmath>
#include <variant>

#include "kernels/boundaries/mesh_adjacency.hpp"
#include "kernels/boundaries/mesh_joints.hpp"
#include "kernels/boundaries/mesh_tree.hpp"
#include "kernels/math/functions.hpp"
#include "kernels/shapes/closest.hpp"

namespace scree::inline SCREE_BACKEND {

namespace {

Vec3d vec(const Real3& a) { return {a[0], a[1], a[2]}; }
Vec3d unit(const Vec3d& a) { return (1.0 / norm(a)) * a; }

/// Arrays of all boundaries, collected on the host before they are copied to the backend.
struct Collected {
  std::vector<Surface> surfaces;
  std::vector<Vec3d> vertices;
  std::vector<std::uint32_t> vertex_boundary, leaves;
  std::vector<BoxNode> nodes;
  MeshAdjacency adjacency;
};

/// Appends the mesh of boundary b. Its features follow those that are there already.
void collect_mesh(const TriangleMesh& mesh, std::uint32_t b, BoundaryInfo& info, std::vector<Feature>& features,
                  Collected& all) {
  info.first_vertex = static_cast<std::uint32_t>(all.vertices.size());
  info.n_vertices = static_cast<std::uint32_t>(mesh.vertices.size());
  for (const Real3& v : mesh.vertices) { all.vertices.push_back(vec(v)); }
  all.vertex_boundary.resize(all.vertices.size(), b);
  info.first_node = static_cast<std::uint32_t>(all.nodes.size());
  append_mesh_tree(mesh, info.first_feature, all.nodes, all.leaves);
  info.n_nodes = static_cast<std::uint32_t>(all.nodes.size()) - info.first_node;
  features.reserve(features.size() + mesh.triangles.size());
  for (const auto& t : mesh.triangles) {
    features.push_back(
        {FeatureKind::facet, b, info.first_vertex + t[0], info.first_vertex + t[1], info.first_vertex + t[2]});
  }
  append_adjacency(mesh, info.first_vertex, all.adjacency);
}

/// Appends the features of a boundary that is not a mesh. There is one overload for each shape.
struct ShapeFeatures {
  std::uint32_t boundary;
  double largest;  ///< [m] radius of the largest particle
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
    // Only a sphere that is as large as the shell, or larger, can touch two of its sides at once.
    if (largest >= radius) { add(FeatureKind::cone, shell, true); }
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
    features.push_back({kind, boundary, static_cast<std::uint32_t>(surfaces.size()), far_side ? 1u : 0u, 0});
    surfaces.push_back(surface);
  }
};

/// The smallest ball that holds all vertices and has its centre in the middle of their bounding box.
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

/// [-] The largest movement of a point at distance 1 from a fixed centre, from one orientation to another:
/// 2 sin(angle / 2). The root of the sum of squares of the changes of all nine matrix components is sqrt(2) times that.
double most_turn(const Pose& from, const Pose& to) {
  const Vec3d x = to.row_x - from.row_x, y = to.row_y - from.row_y, z = to.row_z - from.row_z;
  return std::sqrt(0.5 * (dot(x, x) + dot(y, y) + dot(z, z)));
}

bool stands_still(const Pose& before, const Pose& after) {
  const auto same = [](const Vec3d& a, const Vec3d& b) { return a.x == b.x && a.y == b.y && a.z == b.z; };
  return same(before.row_x, after.row_x) && same(before.row_y, after.row_y) && same(before.row_z, after.row_z) &&
         same(before.shift, after.shift);
}

}  // namespace

BoundarySystem::BoundarySystem(const Scene& scene) {
  Collected all;
  const std::size_t n = scene.boundaries.size();
  info_.resize(n);
  double largest = 0;
  for (const double radius : scene.particles.radius) { largest = std::max(largest, radius); }
  for (const SceneInlet& inlet : scene.inlets) { largest = std::max(largest, inlet.largest_radius); }
  // Features of shapes without facets come first, so that the search can test them one by one, without a tree.
  for (const bool meshes : {false, true}) {
    for (std::uint32_t b = 0; b < n; ++b) {
      const SceneBoundary& boundary = scene.boundaries[b];
      if (boundary.is_mesh() != meshes) { continue; }
      BoundaryInfo& info = info_[b];
      info.material = boundary.material;
      info.first_feature = static_cast<std::uint32_t>(features_.size());
      info.moving = boundary.moves() ? 1 : 0;
      info.facets_per_copy = boundary.facets_per_copy;
      if (meshes) {
        collect_mesh(boundary.mesh, b, info, features_, all);
      } else {
        std::visit(ShapeFeatures{b, largest, features_, all.surfaces}, boundary.shape);
      }
      info.n_features = static_cast<std::uint32_t>(features_.size()) - info.first_feature;
    }
    if (!meshes) { boundaries_.first_facet = static_cast<std::uint32_t>(features_.size()); }
  }
  std::vector<std::uint32_t> place;
  for (const SceneBoundary& boundary : scene.boundaries) {
    const bool is_mesh = boundary.is_mesh();
    paths_.emplace_back(boundary);
    states_.push_back(paths_.back().start());
    mesh_ball_.push_back(is_mesh ? ball_around(boundary.mesh.vertices) : Ball{});
    outline_.emplace_back();
    if (!is_mesh) {
      for (const Real3& v : boundary.mesh.vertices) { outline_.back().push_back(vec(v)); }
    }
    place.push_back(boundary.moves() ? n_moving_++ : no_index);
  }
  place_.assign(place, "boundaries");
  boundaries_.pose.assign(std::vector<Pose>(n), "boundaries");
  boundaries_.feature.assign(features_, "boundaries");
  boundaries_.surface.assign(all.surfaces, "boundaries");
  boundaries_.reference_vertex.assign(all.vertices, "boundaries");
  boundaries_.vertex.assign(all.vertices, "boundaries");
  boundaries_.vertex_boundary.assign(all.vertex_boundary, "boundaries");
  boundaries_.node.assign(all.nodes, "boundaries");
  boundaries_.leaf_feature.assign(all.leaves, "boundaries");
  boundaries_.edge_start.assign(all.adjacency.edge_start, "boundaries");
  boundaries_.edge_opposite.assign(all.adjacency.edge_opposite, "boundaries");
  boundaries_.ring_start.assign(all.adjacency.ring_start, "boundaries");
  boundaries_.ring.assign(all.adjacency.ring, "boundaries");
  const Joints joints =
      find_joints(scene, {info_, features_, all.vertices, all.surfaces, all.adjacency, boundaries_.first_facet});
  for (std::uint32_t b = 0; b < n; ++b) { info_[b].joined = joints.joined[b]; }
  boundaries_.info.assign(info_, "boundaries");
  boundaries_.joint_start.assign(joints.start, "boundaries");
  boundaries_.joint.assign(joints.all, "boundaries");
}

BoundaryView BoundarySystem::view() {
  Boundaries& b = boundaries_;
  return {.info = b.info.view(),
          .pose = b.pose.view(),
          .feature = b.feature.view(),
          .surface = b.surface.view(),
          .reference_vertex = b.reference_vertex.view(),
          .vertex = b.vertex.view(),
          .vertex_boundary = b.vertex_boundary.view(),
          .node = b.node.view(),
          .leaf_feature = b.leaf_feature.view(),
          .edge_start = b.edge_start.view(),
          .edge_opposite = b.edge_opposite.view(),
          .ring_start = b.ring_start.view(),
          .ring = b.ring.view(),
          .first_facet = b.first_facet,
          .joint_start = b.joint_start.view(),
          .joint = b.joint.view()};
}

std::vector<Pose> BoundarySystem::poses(double time) const {
  std::vector<Pose> poses;
  for (std::size_t b = 0; b < paths_.size(); ++b) { poses.push_back(paths_[b].at(time, states_[b])); }
  return poses;
}

void BoundarySystem::place(Exec& exec, double time) {
  if (!moving()) { return; }
  boundaries_.pose.assign(poses(time), "boundaries");
  for (const BoundaryInfo& mesh : info_) {
    if (mesh.moving == 0 || mesh.n_vertices == 0) { continue; }
    const auto own = [&](auto& buffer) {
      auto view = buffer.view();
      return decltype(view){view.data + mesh.first_vertex, mesh.n_vertices};
    };
    exec.for_each("move boundaries", mesh.n_vertices,
                  VertexPlacement{boundaries_.pose.view(), own(boundaries_.vertex_boundary),
                                  own(boundaries_.reference_vertex), own(boundaries_.vertex)});
  }
}

BoundaryView BoundarySystem::reference_view() {
  if (reference_pose_.size() != info_.size()) { reference_pose_.assign(std::vector<Pose>(info_.size()), "boundaries"); }
  BoundaryView reference = view();
  reference.pose = reference_pose_.view();
  reference.vertex = reference.reference_vertex;
  return reference;
}

/// A ball around the part of the boundary that can meet a particle, in the frame of the boundary.
Ball BoundarySystem::ball(std::size_t b, const Pose& pose, double extent) const {
  return info_[b].n_vertices > 0 ? mesh_ball_[b] : Ball{pose.place_back({0, 0, 0}), extent};
}

double BoundarySystem::travel(std::size_t b, const Pose& before, const Pose& after, double extent) const {
  const Ball ball = this->ball(b, before, extent);
  return norm(after.place(ball.centre) - before.place(ball.centre)) + most_turn(before, after) * ball.radius;
}

double BoundarySystem::most_travel(double time, double time_step, double extent) const {
  double most = 0;
  for (std::size_t b = 0; b < paths_.size(); ++b) {
    if (!paths_[b].moves()) { continue; }
    DrivenState later = states_[b];  // assumes that the velocity stays as it is
    later.shift += time_step * later.velocity;
    later.angle += time_step * later.rate;
    most = std::max(most, travel(b, paths_[b].at(time, states_[b]), paths_[b].at(time + time_step, later), extent));
  }
  return most;
}

bool BoundarySystem::loads_matter(const StepTimes& times) const {
  return std::any_of(paths_.begin(), paths_.end(), [&](const BoundaryPath& path) {
    return path.driven() || (path.moves() && !stands_still(path.at(times.before), path.at(times.after)));
  });
}

std::vector<Pose> BoundarySystem::poses_in_step(std::size_t b, const StepTimes& times, const DrivenState& before,
                                                std::size_t pieces) const {
  std::vector<Pose> poses;
  for (std::size_t k = 0; k <= pieces; ++k) {
    const double share = double(k) / double(pieces);
    DrivenState state = before;
    state.shift += share * (states_[b].shift - before.shift);
    state.angle += share * (states_[b].angle - before.angle);
    poses.push_back(paths_[b].at(k == pieces ? times.after : times.now + share * times.next, state));
  }
  return poses;
}

StepMoves BoundarySystem::finish_step(const StepTimes& times, const std::vector<Load>& loads, const DriveStep& scheme,
                                      double extent, double smallest_radius) {
  constexpr double most_pieces = 128;
  StepMoves moves;
  std::size_t at = 0;
  for (std::size_t b = 0; b < paths_.size(); ++b) {
    if (!paths_[b].moves()) { continue; }
    const BoundaryPath& path = paths_[b];
    const Load& load = loads.at(at++);
    const Pose before = path.at(times.before, path.before(states_[b], times));
    const Pose now = path.at(times.now, states_[b]);
    const DrivenState start = states_[b];
    states_[b] = path.after(states_[b], times, load, scheme);
    const Pose after = path.at(times.after, states_[b]);
    // The force acts between two steps. Its work counts half of the way of each, which is the trapezoidal rule.
    const double both = times.last + times.next;
    const Pose mean = mean_velocity(before, now, after, both);
    states_[b].work = start.work - 0.5 * both * (dot(load.force, mean.velocity) + dot(load.torque, mean.spin));
    const double travel = this->travel(b, now, after, extent);
    moves.most_travel = std::max(moves.most_travel, travel);
    // Poses alone do not tell the way: after a full turn a boundary stands where it stood. So this uses velocities,
    // too.
    const Ball ball = this->ball(b, now, extent);
    double way = travel, angle = 0;
    for (const Pose& pose : {now, after}) {
      const double turn = times.next * norm(pose.spin);
      angle = std::max(angle, turn);
      way = std::max(way,
                     times.next * norm(pose.velocity + cross(pose.spin, pose.place(ball.centre))) + turn * ball.radius);
    }
    if (!(way > 0.125 * smallest_radius)) { continue; }
    const double pieces = std::min(most_pieces, std::max(4 * way / smallest_radius, 8 * angle));
    moves.fast.push_back(
        {static_cast<std::uint32_t>(b), way, poses_in_step(b, times, start, static_cast<std::size_t>(pieces) + 1)});
  }
  return moves;
}

std::vector<Vec3d> BoundarySystem::vertices(std::size_t boundary, double time) const {
  const BoundaryInfo& info = info_.at(boundary);
  if (!outline_.at(boundary).empty()) {
    const Pose pose = paths_[boundary].at(time, states_[boundary]);
    std::vector<Vec3d> placed;
    for (const Vec3d& v : outline_[boundary]) { placed.push_back(pose.place(v)); }
    return placed;
  }
  const std::vector<Vec3d> all = boundaries_.vertex.to_vector();
  return {all.begin() + info.first_vertex, all.begin() + info.first_vertex + info.n_vertices};
}

}  // namespace scree::inline SCREE_BACKEND
