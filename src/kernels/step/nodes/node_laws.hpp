#pragma once

#include "kernels/laws/mid_step.hpp"
#include "kernels/laws/stiffness.hpp"
#include "kernels/state/node_rows.hpp"
#include "kernels/step/nodes/node_ledger.hpp"

/// Forces of the nodes that touch. A law made for two spheres is applied to each node, with the radii of the spheres of
/// the same volumes, and its answer is multiplied by the weight of the node: its area over that of a circle of these
/// radii (NodePasses::weight_of_area). The force per area is then that of the law, and the sum converges when nodes are
/// added. The law is told the effective mass over the sum of all weights: the contact as a whole then has the damping
/// ratio, or the contact time, of the case.
namespace scree::inline SCREE_BACKEND {

/// Laws that can act at nodes.
template <class Law>
inline constexpr bool acts_at_nodes = !has_couple<Law> && !holds_apart<Law> && !makes_bonds<Law> && !has_stack<Law> &&
                                      !only_spheres<Law> && own_components<Law> <= node_history;

/// Finds the memory of a node in the list of the last step. Nodes must be asked for in the ascending order of the list.
template <class R>
class NodeMemory {
 public:
  SCREE_INLINE NodeMemory(const NodePool<R>& pool, const NodeList& list) : at_(pool, list) {}

  /// The row of a node, or null if it did not touch. In a list of two passes the nodes of the first body come before
  /// those of the second body. Numbers still ascend, because the latter have one bit more.
  SCREE_HD const NodeRow<R>* find(std::uint32_t node) {
    while (!at_.at_end() && at_.row().node < node) { at_.advance(); }
    return !at_.at_end() && at_.row().node == node ? &at_.row() : nullptr;
  }

 private:
  NodeCursor<R> at_;
};

/// Calls visit(kept, value) for each number of a law beyond the shear that a node remembers: `kept` is its place in the
/// row, `value` its place in the history. Of the values of the ledger only the energy in the springs is kept from step
/// to step.
template <class Law, class Row, class Visit>
SCREE_INLINE void each_kept(Row& row, HistoryOf<Law>& history, Visit&& visit) {
  history.each([&](int component, auto& value) {
    if (component < own_components<Law>) { visit(row.extra[component], value); }
  });
  if constexpr (keeps_ledger<Law>) { visit(row.stored, history.entry.stored); }
}

/// Evaluates one law at one node. Turns the row of the search into the row of the step. Returns the force [N] on the
/// second body, or on the body at a boundary. `state` and `shared` have the values that all nodes of the contact share,
/// and the motion of the bodies at this node; `velocity` belongs to the middle of the step. `arm` leads from the centre
/// of the body to the contact point. The energies of the node are added to `ledger`.
template <class R, class Law>
SCREE_HD Vec3<R> touch_node(ContactState<R>& state, const Vec3<R>& velocity, const Vec3<R>& arm,
                            const typename Law::Params& params, const OfContactOf<Law>& shared, R weight,
                            const NodeRow<R>* before, NodeRow<R>& row, NodeLedger<Law, R>& ledger) {
  const R along_normal = dot(row.normal, velocity);
  state.n = row.normal;
  state.overlap = row.overlap;
  state.normal_velocity = along_normal;
  state.retreat = state.time_step * along_normal;
  state.overlap_before = row.overlap + state.retreat;
  state.branch_before = before != nullptr ? before->normal : row.normal;
  const auto middle = MidStep<R>::between(state.branch_before, row.normal, state.total_spin, state.time_step);
  state.slip = middle.slip_of(velocity);
  state.velocity = velocity;
  state.take_shear(before != nullptr ? before->shear : Vec3<R>{R(0), R(0), R(0)});
  HistoryOf<Law> history{};
  if (before != nullptr) {
    each_kept<Law>(*before, history, [](const R& kept, R& value) { value = kept; });
  }
  const LawResponse<R> response = evaluate_law<Law>(state, params, shared, history);
  row.shear = response.shear;
  each_kept<Law>(row, history, [](R& kept, const R& value) { kept = value; });
  ledger.add(history, weight, arm);
  return weight * (response.normal * row.normal + response.tangential);
}

/// Sums over the nodes of a contact.
template <class R>
struct NodeSums {
  R weights = R(0);  ///< [-]
  R overlap = R(0);  ///< [m] the largest
};

/// `weight_of(node)` is the weight of a node.
template <class R, class WeightOf>
SCREE_HD NodeSums<R> sums_of(const NodePool<R>& pool, const NodeList& list, const WeightOf& weight_of) {
  NodeSums<R> sums;
  for (NodeCursor<R> at(pool, list); !at.at_end(); at.advance()) {
    sums.weights += weight_of(at.row().node);
    sums.overlap = math::max(sums.overlap, at.row().overlap);
  }
  return sums;
}

}  // namespace scree::inline SCREE_BACKEND
