#include "kernels/archive/state_io.hpp"
#include "kernels/boundaries/boundary_system.hpp"
#include "kernels/state/state_hash.hpp"

/// What a run keeps of its boundaries: the states that change, in checkpoints and in the hash, and its memory.
namespace scree::inline SCREE_BACKEND {

void BoundarySystem::save(StateWriter& out) const {
  const std::vector<DrivenState>& states = driven_states();
  out.rows(
      "boundaries/driven", "m, m/s, rad, rad/s, J",
      states.size(), [&](std::size_t b) -> const auto& { return states[b]; });
}

void BoundarySystem::restore(StateReader& in) {
  in.rows(
      "boundaries/driven", "", states_.size(), [&](std::size_t b) -> auto& { return states_[b]; });
  send_states();
}

void BoundarySystem::hash(UnorderedHash& sum) const {
  const std::vector<DrivenState>& states = driven_states();
  for (std::size_t b = 0; b < states.size(); ++b) {
    if (!driven(b)) { continue; }
    const DrivenState& s = states[b];
    sum.add({~std::uint64_t(b), bits(s.shift.x), bits(s.shift.y), bits(s.shift.z), bits(s.velocity.x),
             bits(s.velocity.y), bits(s.velocity.z), bits(s.angle), bits(s.rate)});
  }
}

std::uint64_t BoundarySystem::bytes() const {
  const Boundaries& b = boundaries_;
  return b.info.bytes() + b.pose.bytes() + b.feature.bytes() + b.surface.bytes() + b.reference_vertex.bytes() +
         b.vertex.bytes() + b.vertex_boundary.bytes() + b.node.bytes() + b.leaf_feature.bytes() + b.edge_start.bytes() +
         b.edge_opposite.bytes() + b.ring_start.bytes() + b.ring.bytes() + b.joint_start.bytes() + b.joint.bytes() +
         reference_pose_.bytes() + mover_.bytes() + state_.bytes() + last_state_.bytes() + travel_.bytes() +
         pose_of_forces_.bytes() + prescribed_.bytes();
}

}  // namespace scree::inline SCREE_BACKEND
