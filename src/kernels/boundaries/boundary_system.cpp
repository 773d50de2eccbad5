#include "kernels/boundaries/boundary_system.hpp"

#include <algorithm>
#include <utility>

#include "kernels/boundaries/boundary_features.hpp"
#include "kernels/boundaries/mesh_joints.hpp"
#include "kernels/boundaries/mesh_parts.hpp"
#include "kernels/math/functions.hpp"
#include "kernels/math/real3.hpp"
#include "kernels/shapes/closest.hpp"

namespace scree::inline SCREE_BACKEND {

namespace {

bool stands_still(const Pose& before, const Pose& after) {
  const auto same = [](const Vec3d& a, const Vec3d& b) { return a.x == b.x && a.y == b.y && a.z == b.z; };
  return same(before.row_x, after.row_x) && same(before.row_y, after.row_y) && same(before.row_z, after.row_z) &&
         same(before.shift, after.shift);
}

}  // namespace

BoundarySystem::BoundarySystem(const Scene& scene) {
  BoundaryFeatures all = collect_features(scene);
  const Joints joints = find_joints(scene, all.standing());
  const MeshParts parts = find_parts(all.standing());
  for (std::size_t b = 0; b < all.info.size(); ++b) {
    all.info[b].n_parts = parts.number[b];
    all.info[b].joined = joints.joined[b];
    all.info[b].joins_itself = joints.joins_itself[b];
  }
  collect_movers(scene);
  send(all);
  boundaries_.joint_start.assign(joints.start, "boundaries");
  boundaries_.joint.assign(joints.all, "boundaries");
  boundaries_.part.assign(parts.of_facet, "boundaries");
  info_ = std::move(all.info);
  features_ = std::move(all.features);
}

/// Makes the paths of all boundaries, and finds those that move.
void BoundarySystem::collect_movers(const Scene& scene) {
  std::vector<std::uint32_t> place;
  for (const SceneBoundary& boundary : scene.boundaries) {
    paths_.emplace_back(boundary);
    states_.push_back(paths_.back().start());
    has_bodies_ = has_bodies_ || paths_.back().drive().is_body;
    if (paths_.back().drive().is_radial) { boundaries_.grows = 1; }
    outline_.emplace_back();
    if (!boundary.is_mesh()) {
      for (const Real3& v : boundary.mesh.vertices) { outline_.back().push_back(vec(v)); }
    }
    // A surface that slides does work, as a boundary that moves does.
    const bool moves = boundary.moves() || boundary.slides();
    if (boundary.slides()) { boundaries_.slides = 1; }
    place.push_back(moves ? n_moving_++ : no_index);
    if (!moves) { continue; }
    const std::optional<Ball> around = ball_around(boundary);
    movers_.push_back({.drive = paths_.back().drive(),
                       .boundary = static_cast<std::uint32_t>(paths_.size() - 1),
                       .is_bounded = around.has_value(),
                       .around = around.value_or(Ball{})});
  }
  mover_.assign(movers_, "boundaries");
  travel_.assign(std::vector<double>(movers_.size()), "boundaries");
  send_states();
  place_.assign(place, "boundaries");
}

/// Copies the features and the arrays that they refer to to the backend.
void BoundarySystem::send(const BoundaryFeatures& all) {
  boundaries_.first_facet = all.first_facet;
  boundaries_.info.assign(all.info, "boundaries");
  boundaries_.pose.assign(std::vector<Pose>(all.info.size()), "boundaries");
  boundaries_.feature.assign(all.features, "boundaries");
  boundaries_.surface.assign(all.surfaces, "boundaries");
  boundaries_.reference_vertex.assign(all.vertices, "boundaries");
  boundaries_.vertex.assign(all.vertices, "boundaries");
  boundaries_.vertex_boundary.assign(all.vertex_boundary, "boundaries");
  boundaries_.node.assign(all.nodes, "boundaries");
  boundaries_.leaf_feature.assign(all.leaves, "boundaries");
  boundaries_.edge_start.assign(all.adjacency.edge_start, "boundaries");
  boundaries_.edge_opposite.assign(all.adjacency.edge_opposite, "boundaries");
  boundaries_.edge_width.assign(all.adjacency.edge_width, "boundaries");
  boundaries_.ring_start.assign(all.adjacency.ring_start, "boundaries");
  boundaries_.ring.assign(all.adjacency.ring, "boundaries");
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
          .edge_width = b.edge_width.view(),
          .ring_start = b.ring_start.view(),
          .ring = b.ring.view(),
          .slides = b.slides,
          .grows = b.grows,
          .first_facet = b.first_facet,
          .joint_start = b.joint_start.view(),
          .joint = b.joint.view(),
          .part = b.part.view()};
}

const std::vector<DrivenState>& BoundarySystem::driven_states() const {
  if (!states_known_) {
    const std::vector<DrivenState> moved = state_.to_vector();
    for (std::size_t m = 0; m < moved.size(); ++m) { states_[movers_[m].boundary] = moved[m]; }
    states_known_ = true;
  }
  return states_;
}

/// Copies the states to the backend. Boundaries that do not move are in their reference poses at all times.
void BoundarySystem::send_states() {
  std::vector<DrivenState> states;
  for (const MovingBoundary& mover : movers_) { states.push_back(states_[mover.boundary]); }
  state_.assign(states, "boundaries");
  last_state_.assign(states, "boundaries");
  pose_of_forces_.assign(std::vector<Pose>(paths_.size()), "boundaries");
  if (boundaries_.slides != 0) { momentary_pose_.assign(std::vector<Pose>(paths_.size()), "boundaries"); }
  states_known_ = true;
}

std::vector<Pose> BoundarySystem::poses(double time) const {
  const std::vector<DrivenState>& states = driven_states();
  std::vector<Pose> poses;
  for (std::size_t b = 0; b < paths_.size(); ++b) { poses.push_back(paths_[b].at(time, states[b])); }
  return poses;
}

void BoundarySystem::place(Exec& exec, double time) {
  if (!moving()) { return; }
  boundaries_.pose.assign(poses(time), "boundaries");
  place_vertices(exec);
}

void BoundarySystem::place_vertices(Exec& exec) {
  std::size_t first = boundaries_.vertex.size(), end = 0;
  for (const BoundaryInfo& mesh : info_) {
    if (mesh.moving == 0 || mesh.n_vertices == 0) { continue; }
    first = std::min<std::size_t>(first, mesh.first_vertex);
    end = std::max<std::size_t>(end, mesh.first_vertex + mesh.n_vertices);
  }
  if (first >= end) { return; }
  exec.for_each("move boundaries", end - first,
                VertexPlacement{boundaries_.info.view(), boundaries_.pose.view(), boundaries_.vertex_boundary.view(),
                                boundaries_.reference_vertex.view(), boundaries_.vertex.view(), first});
}

MovingView BoundarySystem::moving_view(Control* control) {
  return {.all = mover_.view(),
          .prescribed = prescribed_.view(),
          .state = state_.view(),
          .last_state = last_state_.view(),
          .pose = boundaries_.pose.view(),
          .momentary_pose = momentary_pose_.view(),
          .pose_of_forces = pose_of_forces_.view(),
          .travel = travel_.view(),
          .control = control};
}

BoundaryView BoundarySystem::reference_view(std::size_t boundary, double growth) {
  std::vector<Pose> poses(info_.size());
  poses.at(boundary).growth = growth;
  reference_pose_.assign(poses, "boundaries");
  BoundaryView reference = view();
  reference.pose = reference_pose_.view();
  reference.vertex = reference.reference_vertex;
  return reference;
}

double BoundarySystem::most_travel(double time, double time_step, double extent) const {
  const std::vector<DrivenState>& states = driven_states();
  double most = 0;
  for (const MovingBoundary& mover : movers_) {
    const BoundaryPath& path = paths_[mover.boundary];
    const DrivenState& state = states[mover.boundary];
    DrivenState later = state;  // assumes that the velocity does not change
    later.shift += time_step * later.velocity;
    later.angle += time_step * later.rate;
    later.radial.growth += time_step * later.radial.rate;
    if (path.drive().is_body) { later.body.turn = BoundaryDrive::turned_on(state.body, time_step); }
    const Pose now = path.at(time, state), after = path.at(time + time_step, later);
    most = std::max(most, StepWay(mover.ball(now, extent), now, after, time_step).travel);
  }
  return most;
}

void BoundarySystem::begin_plan(const StepTimes& times) {
  if (!moving()) { return; }
  plan_is_fast_ = loads_matter_ = false;
  const std::size_t n = movers_.size();
  const auto last_two = planned_.size() >= 3 * n ? planned_.end() - 2 * std::ptrdiff_t(n) : planned_.end();
  if (last_two != planned_.end() && planned_times_.now == times.before && planned_times_.after == times.now) {
    planned_.erase(planned_.begin(), last_two);  // the new plan continues the last one
    return;
  }
  planned_.clear();
  for (const double time : {times.before, times.now}) {
    for (const MovingBoundary& mover : movers_) { planned_.push_back(paths_[mover.boundary].at(time)); }
  }
}

BoundaryMoment BoundarySystem::plan(const StepTimes& times, double extent, double smallest_radius) {
  BoundaryMoment moment{};
  if (!moving()) { return moment; }
  const std::size_t n = movers_.size(), row = planned_.size() / n - 2;
  moment.times = planned_times_ = times;
  moment.index = static_cast<std::uint32_t>(row);
  moment.extent = extent;
  plan_is_fast_ = false;
  for (std::size_t m = 0; m < n; ++m) {
    const MovingBoundary& mover = movers_[m];
    const Pose before = planned_[row * n + m], now = planned_[(row + 1) * n + m];
    const Pose after = paths_[mover.boundary].at(times.after);
    planned_.push_back(after);
    loads_matter_ = loads_matter_ || mover.drive.any || paths_[mover.boundary].slides() || !stands_still(before, after);
    if (mover.drive.any) { continue; }  // kernels find out how far it moves
    const StepWay way(mover.ball(now, extent), now, after, times.next);
    moment.travel = std::max(moment.travel, way.travel);
    plan_is_fast_ = plan_is_fast_ || way.is_fast(smallest_radius);
  }
  return moment;
}

void BoundarySystem::send_plan(std::size_t most_steps) {
  if (!moving()) { return; }
  const std::size_t n = std::max(planned_.size(), (most_steps + 2) * movers_.size());
  if (prescribed_.size() < n) { prescribed_.discard_and_resize(n, "boundaries"); }
  copy_to_backend(prescribed_.data(), planned_.data(), planned_.size() * sizeof(Pose));
}

std::vector<Pose> BoundarySystem::poses_in_step(std::size_t b, const StepTimes& times, const DrivenState& before,
                                                std::size_t pieces) const {
  const DrivenState& after = driven_states()[b];
  std::vector<Pose> poses;
  for (std::size_t k = 0; k <= pieces; ++k) {
    const double share = double(k) / double(pieces);
    DrivenState state = before;
    state.shift += share * (after.shift - before.shift);
    state.angle += share * (after.angle - before.angle);
    state.radial.growth += share * (after.radial.growth - before.radial.growth);
    if (paths_[b].drive().is_body) {  // the step has turned the body with the new spin
      state.body.turn = BoundaryDrive::turned_on({before.body.turn, after.body.spin}, share * times.next);
    }
    poses.push_back(paths_[b].at(k == pieces ? times.after : times.now + share * times.next, state));
  }
  return poses;
}

std::vector<FastMove> BoundarySystem::fast_moves(const StepTimes& times, double extent, double smallest_radius) const {
  constexpr double most_pieces = 128;
  const std::vector<DrivenState>& states = driven_states();
  const std::vector<DrivenState> starts = last_state_.to_vector();
  std::vector<FastMove> fast;
  for (std::size_t m = 0; m < movers_.size(); ++m) {
    const std::uint32_t b = movers_[m].boundary;
    const Pose now = paths_[b].at(times.now, starts[m]), after = paths_[b].at(times.after, states[b]);
    const StepWay way(movers_[m].ball(now, extent), now, after, times.next);
    if (info_[b].absent != 0 || !way.is_fast(smallest_radius)) { continue; }
    const double pieces = std::min(most_pieces, std::max(4 * way.way / smallest_radius, 8 * way.angle));
    fast.push_back({b, way.way, poses_in_step(b, times, starts[m], static_cast<std::size_t>(pieces) + 1)});
  }
  return fast;
}

std::vector<Vec3d> BoundarySystem::vertices(std::size_t boundary, double time) const {
  const BoundaryInfo& info = info_.at(boundary);
  if (!outline_.at(boundary).empty()) {
    const Pose pose = paths_[boundary].at(time, driven_states()[boundary]);
    std::vector<Vec3d> placed;
    const bool grows = pose.growth != 0;
    const Surface shell = grows ? boundaries_.surface.to_vector().at(features_.at(info.first_feature).a) : Surface{};
    for (const Vec3d& v : outline_[boundary]) {
      placed.push_back(pose.place(grows ? v + pose.growth * away_from_axis(shell, Pose{}, v) : v));
    }
    return placed;
  }
  const std::vector<Vec3d> all = boundaries_.vertex.to_vector();
  return {all.begin() + info.first_vertex, all.begin() + info.first_vertex + info.n_vertices};
}

}  // namespace scree::inline SCREE_BACKEND
