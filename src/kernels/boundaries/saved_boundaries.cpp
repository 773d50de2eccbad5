#include <array>

#include "kernels/archive/state_io.hpp"
#include "kernels/boundaries/boundary_system.hpp"
#include "kernels/state/state_hash.hpp"

/// The changing state of boundaries, in checkpoints and in the hash, and its memory.
namespace scree::inline SCREE_BACKEND {

namespace {

constexpr std::size_t place_columns = 12;  ///< three rows of a rotation, and a shift

/// The features of each boundary, and a hash of its surface in the reference pose. They tell a run that starts from
/// this state which contacts are with the same surface.
struct Surfaces {
  std::vector<std::uint32_t> features;  ///< [n_boundaries, 2] the first feature, and how many follow
  std::vector<std::uint64_t> shapes;    ///< [n_boundaries, 2]

  Surfaces(const std::vector<BoundaryInfo>& info, const std::vector<Feature>& all, const Boundaries& boundaries) {
    const std::vector<Surface> surfaces = boundaries.surface.to_vector();
    const std::vector<Vec3d> vertices = boundaries.reference_vertex.to_vector();
    for (const BoundaryInfo& boundary : info) {
      features.insert(features.end(), {boundary.first_feature, boundary.n_features});
      UnorderedHash shape;
      for (std::uint32_t k = 0; k < boundary.n_features; ++k) {
        const Feature& feature = all[boundary.first_feature + k];
        if (feature.is_far_side()) { continue; }  // whether there is one also depends on the largest particle
        const auto kind = static_cast<std::uint64_t>(feature.kind);
        if (feature.kind == FeatureKind::facet) {
          const Vec3d &a = vertices[feature.a], &b = vertices[feature.b], &c = vertices[feature.c];
          shape.add({kind, k, bits(a.x), bits(a.y), bits(a.z), bits(b.x), bits(b.y), bits(b.z), bits(c.x), bits(c.y),
                     bits(c.z)});
        } else {
          const Surface& s = surfaces[feature.a];
          shape.add({kind, k, bits(s.point.x), bits(s.point.y), bits(s.point.z), bits(s.axis.x), bits(s.axis.y),
                     bits(s.axis.z), bits(s.length), bits(s.radius), bits(s.second_radius)});
        }
      }
      shapes.insert(shapes.end(), {shape.words[0], shape.words[1]});
    }
  }
};

}  // namespace

void BoundarySystem::save(double now, StateWriter& out) const {
  const Surfaces surfaces(info_, features_, boundaries_);
  out.rows(
      "boundaries/features", "1", info_.size(), [&](std::size_t b) -> const auto& { return surfaces.features[2 * b]; },
      2);
  out.rows(
      "boundaries/shapes", "1", info_.size(), [&](std::size_t b) -> const auto& { return surfaces.shapes[2 * b]; }, 2);
  std::vector<std::array<double, place_columns>> places(info_.size());
  for (std::size_t b = 0; b < info_.size(); ++b) {
    const Pose pose = pose_at(b, now);
    std::size_t k = 0;
    for (const Vec3d& row : {pose.row_x, pose.row_y, pose.row_z, pose.shift}) {
      places[b][k++] = row.x, places[b][k++] = row.y, places[b][k++] = row.z;
    }
  }
  out.rows(
      "boundaries/place", "1, m", places.size(), [&](std::size_t b) -> const double& { return places[b][0]; },
      place_columns);
  const std::vector<DrivenState>& states = driven_states();
  out.rows("boundaries/driven", "m, m/s, rad, rad/s, J", states.size(),
           [&](std::size_t b) -> const AxisMotion& { return states[b]; });
  if (boundaries_.grows != 0) {
    out.rows("boundaries/growth", "m, m/s", states.size(),
             [&](std::size_t b) -> const RadialMotion& { return states[b].radial; });
  }
  if (has_bodies_) {
    out.rows("boundaries/bodies", "1, rad/s", states.size(),
             [&](std::size_t b) -> const BodyRotation& { return states[b].body; });
  }
}

void BoundarySystem::restore(StateReader& in) {
  if (in.has("boundaries/features") || in.has("boundaries/shapes")) {  // not with older versions
    const Surfaces surfaces(info_, features_, boundaries_);
    std::vector<std::uint32_t> features(surfaces.features.size());
    std::vector<std::uint64_t> shapes(surfaces.shapes.size());
    in.rows(
        "boundaries/features", "", info_.size(), [&](std::size_t b) -> auto& { return features[2 * b]; }, 2);
    in.rows(
        "boundaries/shapes", "", info_.size(), [&](std::size_t b) -> auto& { return shapes[2 * b]; }, 2);
    for (std::size_t k = 0; k < shapes.size(); ++k) {
      const bool same = features[k] == surfaces.features[k] && shapes[k] == surfaces.shapes[k];
      expect_state(same, [&] {
        return "boundaries/features and " + StateEntry{"boundaries/shapes", "boundary", k / 2}.text() +
               " must be those of the scene of the case";
      });
    }
  }
  if (in.has("boundaries/place")) {  // for a start; motions tell this run where boundaries are
    std::vector<std::array<double, place_columns>> places(info_.size());
    in.rows(
        "boundaries/place", "", places.size(), [&](std::size_t b) -> double& { return places[b][0]; }, place_columns);
  }
  in.rows("boundaries/driven", "", states_.size(), [&](std::size_t b) -> AxisMotion& { return states_[b]; });
  if (boundaries_.grows != 0) {
    in.rows("boundaries/growth", "", states_.size(), [&](std::size_t b) -> RadialMotion& { return states_[b].radial; });
    for (std::size_t b = 0; b < states_.size(); ++b) {
      const double growth = states_[b].radial.growth, least = paths_[b].drive().least_growth;
      expect_state(growth >= least, [&] {
        return broken_rule(StateEntry{"boundaries/growth", "boundary", b}.text(),
                           "at least " + value_text(least) + " m, so that a radius is left", growth);
      });
    }
  }
  if (has_bodies_) {
    in.rows("boundaries/bodies", "", states_.size(), [&](std::size_t b) -> BodyRotation& { return states_[b].body; });
    for (std::size_t b = 0; b < states_.size(); ++b) {
      const double size = dot(states_[b].body.turn, states_[b].body.turn);
      expect_state(size > 1 - 1e-9 && size < 1 + 1e-9, [&] {
        return broken_rule("the square of the quaternion in " + StateEntry{"boundaries/bodies", "boundary", b}.text(),
                           "1", size);
      });
    }
  }
  send_states();
}

void BoundarySystem::hash(UnorderedHash& sum) const {
  const std::vector<DrivenState>& states = driven_states();
  for (std::size_t b = 0; b < states.size(); ++b) {
    if (!driven(b)) { continue; }
    const DrivenState& s = states[b];
    sum.add({~std::uint64_t(b), bits(s.shift.x), bits(s.shift.y), bits(s.shift.z), bits(s.velocity.x),
             bits(s.velocity.y), bits(s.velocity.z), bits(s.angle), bits(s.rate)});
    if (paths_[b].drive().is_radial) {
      sum.add({~(std::uint64_t(b) + (std::uint64_t{2} << 32U)), bits(s.radial.growth), bits(s.radial.rate)});
    }
    if (!paths_[b].drive().is_body) { continue; }
    const auto& [turn, spin] = s.body;
    sum.add({~(std::uint64_t(b) + (std::uint64_t{1} << 32U)), bits(turn.w), bits(turn.x), bits(turn.y), bits(turn.z),
             bits(spin.x), bits(spin.y), bits(spin.z)});
  }
}

std::uint64_t BoundarySystem::bytes() const {
  const Boundaries& b = boundaries_;
  return b.info.bytes() + b.pose.bytes() + b.feature.bytes() + b.surface.bytes() + b.reference_vertex.bytes() +
         b.vertex.bytes() + b.vertex_boundary.bytes() + b.node.bytes() + b.leaf_feature.bytes() + b.edge_start.bytes() +
         b.edge_opposite.bytes() + b.edge_width.bytes() + b.ring_start.bytes() + b.ring.bytes() +
         b.joint_start.bytes() + b.joint.bytes() + b.part.bytes() + reference_pose_.bytes() + mover_.bytes() +
         state_.bytes() + last_state_.bytes() + travel_.bytes() + pose_of_forces_.bytes() + momentary_pose_.bytes() +
         prescribed_.bytes();
}

}  // namespace scree::inline SCREE_BACKEND
