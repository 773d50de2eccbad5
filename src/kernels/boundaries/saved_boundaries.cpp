#include "kernels/archive/state_io.hpp"
#include "kernels/boundaries/boundary_system.hpp"
#include "kernels/state/state_hash.hpp"

/// What a run keeps of its boundaries: the states that change, in checkpoints and in the hash, and its memory.
namespace scree::inline SCREE_BACKEND {

void BoundarySystem::save(StateWriter& out) const {
  const std::vector<DrivenState>& states = driven_states();
  out.rows("boundaries/driven", "m, m/s, rad, rad/s, J", states.size(),
           [&](std::size_t b) -> const AxisMotion& { return states[b]; });
  if (has_bodies_) {
    out.rows("boundaries/bodies", "1, rad/s", states.size(),
             [&](std::size_t b) -> const BodyRotation& { return states[b].body; });
  }
}

void BoundarySystem::restore(StateReader& in) {
  in.rows("boundaries/driven", "", states_.size(), [&](std::size_t b) -> AxisMotion& { return states_[b]; });
  if (has_bodies_) {
    in.rows("boundaries/bodies", "", states_.size(), [&](std::size_t b) -> BodyRotation& { return states_[b].body; });
    for (const DrivenState& state : states_) {
      const double size = dot(state.body.turn, state.body.turn);
      expect_state(size > 1 - 1e-9 && size < 1 + 1e-9, "boundaries/bodies: an orientation has not the length 1");
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
         b.joint_start.bytes() + b.joint.bytes() + reference_pose_.bytes() + mover_.bytes() + state_.bytes() +
         last_state_.bytes() + travel_.bytes() + pose_of_forces_.bytes() + momentary_pose_.bytes() +
         prescribed_.bytes();
}

}  // namespace scree::inline SCREE_BACKEND
