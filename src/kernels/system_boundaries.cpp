#include "kernels/system_boundaries.hpp"

#include <algorithm>
#include <map>
#include <variant>

#include "kernels/math/functions.hpp"

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

/// Depth-first hierarchy by median splits along the longest side of the box of the centres.
class BoxTree {
 public:
  BoxTree(const TriangleMesh& mesh, std::uint32_t first_feature, std::uint32_t first_leaf) : mesh_(mesh), first_leaf_(first_leaf) {
    for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) { order_.push_back(t); }
    split(0, order_.size());
    for (std::uint32_t& t : order_) { t += first_feature; }
  }
  [[nodiscard]] const std::vector<BoxNode>& nodes() const { return nodes_; }
  [[nodiscard]] const std::vector<std::uint32_t>& leaves() const { return order_; }

 private:
  [[nodiscard]] double centre(std::uint32_t t, int axis) const {
    const auto k = static_cast<std::size_t>(axis);
    double sum = 0;
    for (const std::uint32_t v : mesh_.triangles[t]) { sum += mesh_.vertices[v][k]; }
    return sum;
  }

  void split(std::size_t begin, std::size_t end) {
    const std::size_t self = nodes_.size();
    Real3 low = mesh_.vertices[mesh_.triangles[order_[begin]][0]], high = low;
    for (std::size_t i = begin; i < end; ++i) {
      for (const std::uint32_t v : mesh_.triangles[order_[i]]) {
        for (std::size_t k = 0; k < 3; ++k) {
          low[k] = std::min(low[k], mesh_.vertices[v][k]);
          high[k] = std::max(high[k], mesh_.vertices[v][k]);
        }
      }
    }
    nodes_.push_back({vec(low), vec(high), 0, static_cast<std::uint32_t>(first_leaf_ + begin), 0});
    if (end - begin <= 4) {
      nodes_[self].count = static_cast<std::uint32_t>(end - begin);
    } else {
      int axis = 0;
      for (int k = 1; k < 3; ++k) {
        if (high[std::size_t(k)] - low[std::size_t(k)] > high[std::size_t(axis)] - low[std::size_t(axis)]) { axis = k; }
      }
      const auto first = order_.begin();
      const std::size_t middle = begin + (end - begin) / 2;
      std::sort(first + std::ptrdiff_t(begin), first + std::ptrdiff_t(end), [&](std::uint32_t p, std::uint32_t q) {
        const double cp = centre(p, axis), cq = centre(q, axis);
        return cp != cq ? cp < cq : p < q;
      });
      split(begin, middle);
      split(middle, end);
    }
    nodes_[self].skip = static_cast<std::uint32_t>(nodes_.size());
  }

  const TriangleMesh& mesh_;
  std::size_t first_leaf_;
  std::vector<std::uint32_t> order_;
  std::vector<BoxNode> nodes_;
};

/// Everything gathered on the host before it is copied to the backend.
struct Collected {
  std::vector<PlaneSurface> planes;
  std::vector<CylinderSurface> cylinders;
  std::vector<Vec3d> vertices;
  std::vector<std::uint32_t> vertex_boundary, leaves, edge_start{0}, edge_opposite, ring_start{0}, ring;
  std::vector<BoxNode> nodes;
};

void collect_adjacency(const TriangleMesh& mesh, std::uint32_t first_vertex, Collected& all) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::pair<std::uint32_t, std::uint32_t>>> edges;
  std::vector<std::vector<std::uint32_t>> ring(mesh.vertices.size());
  const auto edge_key = [](std::uint32_t p, std::uint32_t q) { return std::make_pair(std::min(p, q), std::max(p, q)); };
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
    const auto& v = mesh.triangles[t];
    for (std::size_t e = 0; e < 3; ++e) { edges[edge_key(v[e], v[(e + 1) % 3])].push_back({t, v[(e + 2) % 3]}); }
  }
  for (const auto& triangle : mesh.triangles) {
    const auto t = static_cast<std::uint32_t>(&triangle - mesh.triangles.data());
    for (std::size_t e = 0; e < 3; ++e) {
      for (const auto& [other, opposite] : edges[edge_key(triangle[e], triangle[(e + 1) % 3])]) {
        if (other != t) { all.edge_opposite.push_back(first_vertex + opposite); }
      }
      all.edge_start.push_back(static_cast<std::uint32_t>(all.edge_opposite.size()));
    }
  }
  for (const auto& [edge, facets] : edges) {
    ring[edge.first].push_back(edge.second);
    ring[edge.second].push_back(edge.first);
  }
  for (const auto& around : ring) {
    for (const std::uint32_t v : around) { all.ring.push_back(first_vertex + v); }
    all.ring_start.push_back(static_cast<std::uint32_t>(all.ring.size()));
  }
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
        info.first_vertex = static_cast<std::uint32_t>(all.vertices.size());
        info.n_vertices = static_cast<std::uint32_t>(boundary.mesh.vertices.size());
        for (const Real3& v : boundary.mesh.vertices) {
          all.vertices.push_back(vec(v));
          all.vertex_boundary.push_back(b);
        }
        const BoxTree tree(boundary.mesh, info.first_feature, static_cast<std::uint32_t>(all.leaves.size()));
        info.first_node = static_cast<std::uint32_t>(all.nodes.size());
        info.n_nodes = static_cast<std::uint32_t>(tree.nodes().size());
        all.nodes.insert(all.nodes.end(), tree.nodes().begin(), tree.nodes().end());
        all.leaves.insert(all.leaves.end(), tree.leaves().begin(), tree.leaves().end());
        for (const auto& t : boundary.mesh.triangles) {
          features_.push_back({FeatureKind::facet, b, info.first_vertex + t[0], info.first_vertex + t[1], info.first_vertex + t[2]});
        }
        collect_adjacency(boundary.mesh, info.first_vertex, all);
      }
      info.n_features = static_cast<std::uint32_t>(features_.size()) - info.first_feature;
    }
    if (!meshes) { boundaries_.first_facet = static_cast<std::uint32_t>(features_.size()); }
  }
  for (const SceneBoundary& boundary : scene.boundaries) {
    motions_.push_back(boundary.motion);
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
  boundaries_.edge_start.assign(all.edge_start, "boundaries");
  boundaries_.edge_opposite.assign(all.edge_opposite, "boundaries");
  boundaries_.ring_start.assign(all.ring_start, "boundaries");
  boundaries_.ring.assign(all.ring, "boundaries");
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
  exec.for_each("move boundaries", boundaries_.vertex.size(),
                VertexPlacement{boundaries_.pose.view(), boundaries_.vertex_boundary.view(), boundaries_.reference_vertex.view(),
                                boundaries_.vertex.view()});
}

double BoundarySystem::most_travel(double time, double time_step, double extent) const {
  double most = 0;
  for (const auto& motions : motions_) {
    if (motions.empty()) { continue; }
    for (const double t : {time, time + time_step}) {
      const Pose pose = pose_at(motions, t);
      most = std::max(most, time_step * (norm(pose.velocity) + norm(pose.spin) * extent));
    }
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
