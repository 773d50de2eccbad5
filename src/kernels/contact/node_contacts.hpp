#pragma once

#include "kernels/contact/boundary_views.hpp"
#include "kernels/contact/node_geometry.hpp"
#include "kernels/contact/node_ledger.hpp"
#include "kernels/laws/stiffness.hpp"

/// Forces of the nodes that touch. A law made for two spheres is applied to each node, with the radii of the spheres of
/// the same volumes, and its answer is multiplied by the weight of the node: its area over that of a circle of these
/// radii (NodePasses::weight_of_area). The force per area is then that of the law, and the sum converges when nodes are
/// added. The law is told the effective mass over the sum of all weights: the contact as a whole then has the damping
/// ratio, or the contact time, of the case.
namespace scree::inline SCREE_BACKEND {

/// Laws that can act at nodes.
template <class Law>
inline constexpr bool acts_at_nodes = !has_couple<Law> && !holds_apart<Law> && !makes_bonds<Law> && !has_stack<Law> &&
                                      own_components<Law> <= node_history;

/// Finds what a node remembers in the list of the last step. Nodes are asked for in ascending order of the list.
template <class R>
class NodeMemory {
 public:
  SCREE_INLINE NodeMemory(const NodePool<R>& pool, const NodeList& list) : at_(pool, list) {}

  /// The row of a node, or null if it did not touch. Lists of two passes have the nodes of the first body before those
  /// of the second one, which have a bit more: numbers ascend.
  SCREE_HD const NodeRow<R>* find(std::uint32_t node) {
    while (!at_.at_end() && at_.row().node < node) { at_.advance(); }
    return !at_.at_end() && at_.row().node == node ? &at_.row() : nullptr;
  }

 private:
  NodeCursor<R> at_;
};

/// Calls visit(kept, value) for all that a node remembers for a law beyond the shear: `kept` is in the row, `value` in
/// the history. Of the ledger only the energy in the springs is kept for longer than a step.
template <class Law, class Row, class Visit>
SCREE_INLINE void each_kept(Row& row, HistoryOf<Law>& history, Visit&& visit) {
  history.each([&](int component, auto& value) {
    if (component < own_components<Law>) { visit(row.extra[component], value); }
  });
  if constexpr (keeps_ledger<Law>) { visit(row.stored, history.entry.stored); }
}

/// One law at one node. Turns the row of the search into that of the step, and returns the force [N] on the second
/// body, or on the body at a boundary. `state` has what all nodes of the contact share, and how the bodies move at this
/// node. `arm` leads from the centre of the body to the contact point; the energies of the node are added to `ledger`.
template <class R, class Law>
SCREE_HD Vec3<R> touch_node(ContactState<R>& state, const Vec3<R>& velocity, const Vec3<R>& arm,
                            const typename Law::Params& params, R weight, const NodeRow<R>* before, NodeRow<R>& row,
                            NodeLedger<Law, R>& ledger) {
  const R along_normal = dot(row.normal, velocity);
  state.n = row.normal;
  state.overlap = row.overlap;
  state.normal_velocity = along_normal;
  state.retreat = state.time_step * along_normal;
  state.overlap_before = row.overlap + state.retreat;
  state.slip = velocity - along_normal * row.normal;
  state.velocity = velocity;
  state.branch_before = before != nullptr ? before->normal : row.normal;
  state.take_shear(before != nullptr ? before->shear : Vec3<R>{R(0), R(0), R(0)});
  HistoryOf<Law> history{};
  if (before != nullptr) {
    each_kept<Law>(*before, history, [](const R& kept, R& value) { value = kept; });
  }
  const LawResponse<R> response = evaluate_law<Law>(state, params, history);
  row.shear = response.shear;
  each_kept<Law>(row, history, [](R& kept, const R& value) { kept = value; });
  ledger.add(history, weight, arm);
  return weight * (response.normal * row.normal + response.tangential);
}

/// What a contact is as a whole.
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

/// Contacts of the nodes of listed pairs, by one law; one thread per pair.
template <class R_, class Law>
struct NodesInField {
  using R = R_;
  using Params = typename Law::Params;
  static constexpr int block_size = 64;

  PairViews<R> of;
  Span<Params> params;
  std::uint32_t interaction;

  SCREE_INLINE NodesInField at(const StepMoment<R>& moment) const {
    return {of.at(moment.contacts), params, interaction};
  }

  SCREE_HD void operator()(std::size_t slot) const {
    if (of.control->halted != 0) { return; }
    const BodyPair pair = of.pairs[slot];
    const std::uint32_t classes = of.classes.pair_of(of.bodies, pair.first, pair.second);
    if (of.classes.interaction_of(classes) != interaction) { return; }
    const NodeViews<R>& nodes = *of.nodes;
    const NodeList list = nodes.pair_now[slot];
    if (list.count == 0) {
      if (of.touching[slot] != 0) { reject(slot); }
      return;
    }
    evaluate(slot, pair, params[classes], list);
    nodes.of_pair[slot] = list;
  }

  SCREE_HD NodeSums<R> sums(const NodePasses<R>& passes, const NodeList& list) const {
    return sums_of(of.nodes->pool, list, [&](std::uint32_t node) { return weight_of(passes, node); });
  }

  /// What the stiffness of a contact depends on.
  SCREE_HD ContactState<R> state_at_rest(const BodyPair& pair, const NodePasses<R>& passes,
                                         const NodeSums<R>& sums) const {
    ContactState<R> state{};
    state.overlap = sums.overlap;
    state.radius1 = passes.body[0].radius;
    state.radius2 = passes.body[1].radius;
    state.effective_radius = state.radius1 * state.radius2 / (state.radius1 + state.radius2);
    const R inverse_mass = of.bodies.inverse_mass[pair.first] + of.bodies.inverse_mass[pair.second];
    state.effective_mass = inverse_mass > R(0) ? R(1) / inverse_mass : R(0);
    state.effective_mass = state.effective_mass / math::max(sums.weights, R(1e-30));
    state.time_step = of.time_step;
    state.lean = of.lean;
    return state;
  }

 private:
  SCREE_HD void reject(std::size_t slot) const {
    of.touching[slot] = 0;
    of.shear[slot] = {};
    of.force[slot] = PairForce<R>{};
    of.couple[slot] = {};
    of.nodes->of_pair[slot] = {};
  }

  SCREE_HD R weight_of(const NodePasses<R>& passes, std::uint32_t node) const {
    const NodeViews<R>& nodes = *of.nodes;
    const R share = passes.count == 2 ? R(0.5) : R(1);
    if (nodes.by_area == 0) { return share; }
    const NodeBody<R>& slave = passes.body[(node & node_of_second) != 0 ? 1 : 0];
    const GrainNode<R>& of_form = nodes.grains.node[slave.form->first_node + (node & ~node_of_second)];
    return share * passes.weight_of_area() * slave.area_of(of_form);
  }

  SCREE_HD void evaluate(std::size_t slot, const BodyPair& pair, const Params& p, const NodeList& list) const {
    const NodeViews<R>& nodes = *of.nodes;
    const auto [i, j] = pair;
    const NodePasses<R> passes = NodePasses<R>::of(of, slot);
    const Vec3<R> branch = convert<R>(passes.branch);
    const Vec3<R> own = of.bodies.velocity[j] - of.bodies.velocity[i];
    const Vec3<R> relative = own + of.cell.gradient * (branch - of.time_step * own);
    const Vec3<R> spin1 = of.bodies.angular_velocity[i] + of.cell.spin,
                  spin2 = of.bodies.angular_velocity[j] + of.cell.spin;

    ContactState<R> state = state_at_rest(pair, passes, sums(passes, list));
    state.total_spin = spin1 + spin2;
    state.spin = spin2 - spin1;
    Vec3d force{0, 0, 0}, torque2{0, 0, 0}, tangential{0, 0, 0};
    NodeLedger<Law, R> ledger;
    NodeMemory<R> memory(nodes.pool, nodes.of_pair[slot]);
    for (NodeCursor<R> at(nodes.pool, list); !at.at_end(); at.advance()) {
      NodeRow<R>& row = at.row();
      const bool second = (row.node & node_of_second) != 0;
      const NodeBody<R>& slave = passes.body[second ? 1 : 0];
      // The contact point lies in the middle of the overlap.
      const Vec3d node = slave.arm_of(nodes.grains.node[slave.form->first_node + (row.node & ~node_of_second)]);
      const R half = R(0.5) * row.overlap;
      const Vec3<R> point = convert<R>(node) + (second ? half : -half) * row.normal;
      const Vec3<R> arm1 = second ? branch + point : point, arm2 = second ? point : point - branch;
      const Vec3<R> velocity = relative + cross(spin2, arm2) - cross(spin1, arm1);
      const Vec3<R> f =
          touch_node<R, Law>(state, velocity, arm2, p, weight_of(passes, row.node), memory.find(row.node), row, ledger);
      at.keep({f, arm2});
      force += convert<double>(f);
      torque2 += convert<double>(cross(arm2, f));
      tangential += convert<double>(f - dot(f, row.normal) * row.normal);
      const NodeBody<R>& master = passes.body[second ? 0 : 1];
      const R deepest = master.is_grain() ? static_cast<R>(master.size) * master.form->depth : master.radius;
      if (row.overlap > deepest) { raise_fault(of.control, FaultKind::deep_overlap, of.bodies.id[i]); }
    }
    const Vec3<R> lever =
        store(slot, pair, passes.branch, convert<R>(force), convert<R>(torque2), convert<R>(tangential));
    ledger.store(of.extra, of.n_extra, slot, lever, of.bodies.radius[j], of.couple[slot]);
  }

  /// The record of any wrench: a force through a point on the line of centres, and a couple. Returns the arm of the
  /// second body to this point.
  SCREE_HD Vec3<R> store(std::size_t slot, const BodyPair& pair, const Vec3d& branch, const Vec3<R>& force,
                         const Vec3<R>& torque2, const Vec3<R>& tangential) const {
    const R radius1 = of.bodies.radius[pair.first], radius2 = of.bodies.radius[pair.second];
    const double length = norm(branch);
    const Vec3<R> n = convert<R>((1 / math::max(length, 1e-30)) * branch);
    const R half_overlap = static_cast<R>(0.5 * (double(radius1) + double(radius2) - length));
    const Vec3<R> moment = cross(force, n);
    of.touching[slot] = 1;
    of.shear[slot] = tangential;
    of.force[slot] = {Four<R>::of(force.x, force.y, force.z, half_overlap),
                      Four<R>::of(moment.x, moment.y, moment.z, R(0))};
    of.couple[slot] = torque2 - (radius2 - half_overlap) * moment;
    return (half_overlap - radius2) * n;
  }
};

/// Contacts of the nodes of grains with boundaries, by one law; one thread per row. The first interaction of nodes also
/// sets the sums of all grains to zero.
template <class R_, class Law>
struct NodesOnFeature {
  using R = R_;
  using Params = typename Law::Params;
  static constexpr int block_size = 64;

  BoundaryContactViews<R> of;
  Span<Params> params;
  std::uint32_t interaction;
  bool is_first;

  SCREE_INLINE NodesOnFeature at(const StepMoment<R>& moment) const {
    return {of.at(moment.contacts), params, interaction, is_first};
  }

  SCREE_HD void operator()(std::size_t row) const {
    if (of.control->halted != 0) { return; }
    const index_t body = of.body_of_row[row];
    if (!of.is_grain(body)) { return; }
    if (is_first) { of.wrench[row] = {}; }
    const NodeViews<R>& nodes = *of.nodes;
    Wrench<R> sum = of.wrench[row];
    for (offset_t k = of.row_start[row]; k < of.row_start[row + 1]; ++k) {
      if (of.classes.interaction_of(of.classes_at(k, body)) != interaction) { continue; }
      const NodeList list = nodes.slot_now[k];
      if (list.count == 0) {
        clear(k);
      } else {
        evaluate(k, body, list, sum);
        nodes.of_slot[k] = list;
      }
    }
    of.wrench[row] = sum;
  }

  SCREE_HD NodeSums<R> sums(const NodeBody<R>& grain, const NodeList& list) const {
    return sums_of(of.nodes->pool, list, [&](std::uint32_t node) { return weight_of(grain, node); });
  }

  /// What the stiffness of a contact depends on.
  SCREE_HD ContactState<R> state_at_rest(index_t body, const NodeBody<R>& grain, const NodeSums<R>& sums) const {
    ContactState<R> state{};
    state.radius1 = state.radius2 = state.effective_radius = grain.radius;
    state.overlap = sums.overlap;
    const R inverse_mass = of.bodies.inverse_mass[body];
    state.effective_mass = inverse_mass > R(0) ? R(1) / (inverse_mass * math::max(sums.weights, R(1e-30))) : R(0);
    state.time_step = of.time_step;
    state.lean = of.lean;
    return state;
  }

 private:
  SCREE_HD R weight_of(const NodeBody<R>& grain, std::uint32_t node) const {
    const NodeViews<R>& nodes = *of.nodes;
    if (nodes.by_area == 0) { return R(1); }
    const R area = grain.area_of(nodes.grains.node[grain.form->first_node + node]);
    return area / (R(3.14159265358979323846) * grain.radius * grain.radius);
  }

  SCREE_HD void clear(offset_t k) const {
    BoundarySlot<R>& slot = of.slots[k];
    slot.touching = 0;
    slot.accepted = 0;
    slot.weight = 0;
    slot.shear = {};
    slot.force = {};
    of.couple[k] = {};
    of.nodes->of_slot[k] = {};
  }

  SCREE_HD void evaluate(offset_t k, index_t body, const NodeList& list, Wrench<R>& sum) const {
    const NodeViews<R>& nodes = *of.nodes;
    const NodeBody<R> grain = NodeBody<R>::of(nodes.grains, of.bodies, body);
    const Params& p = params[of.classes_at(k, body)];
    const Pose& pose = of.boundaries.pose[of.feature_at(k).boundary];
    const Vec3d centre = of.bodies.position[body];
    Vec3<R> own = of.bodies.velocity[body], spin = of.bodies.angular_velocity[body];
    if (of.flow.any) {
      own += convert<R>(of.flow.at(centre, own, double(of.time_step)));
      spin += of.flow.spin;
    }
    const NodeSums<R> total = sums(grain, list);
    ContactState<R> state = state_at_rest(body, grain, total);
    state.total_spin = spin + convert<R>(pose.spin);
    state.spin = spin - convert<R>(pose.spin);
    Vec3d force{0, 0, 0}, torque{0, 0, 0}, tangential{0, 0, 0}, arms{0, 0, 0}, normals{0, 0, 0};
    NodeLedger<Law, R> ledger;
    NodeMemory<R> memory(nodes.pool, nodes.of_slot[k]);
    for (NodeCursor<R> at(nodes.pool, list); !at.at_end(); at.advance()) {
      NodeRow<R>& row = at.row();
      const R weight = weight_of(grain, row.node);
      // The contact point lies in the middle of the overlap.
      const Vec3<R> arm = convert<R>(grain.arm_of(nodes.grains.node[grain.form->first_node + row.node])) +
                          (R(0.5) * row.overlap) * row.normal;
      const Vec3d point = centre + convert<double>(arm);
      const Vec3<R> velocity = own + cross(spin, arm) - convert<R>(pose.velocity + cross(pose.spin, point));
      const Vec3<R> f = touch_node<R, Law>(state, velocity, arm, p, weight, memory.find(row.node), row, ledger);
      at.keep({f, arm});
      force += convert<double>(f);
      torque += convert<double>(cross(arm, f));
      tangential += convert<double>(f - dot(f, row.normal) * row.normal);
      arms += double(weight) * convert<double>(arm);
      normals += double(weight) * convert<double>(row.normal);
    }
    BoundarySlot<R>& slot = of.slots[k];
    const Vec3<R> normal = convert<R>((1 / math::max(norm(normals), 1e-300)) * normals);
    if (slot.touching != 0 && dot(normal, slot.normal) < R(-0.5)) {
      raise_fault(of.control, FaultKind::crossed_boundary, of.bodies.id[body]);
    }
    const Vec3d mean_arm = (1 / double(total.weights)) * arms;
    slot.touching = 1;
    slot.accepted = 1;
    slot.weight = 0;
    slot.point = centre + mean_arm;
    slot.normal = normal;
    slot.shear = convert<R>(tangential);
    slot.force = convert<R>(force);
    of.couple[k] = convert<R>(torque - cross(mean_arm, force));
    ledger.store(of.extra, of.n_extra, std::size_t(k), convert<R>(mean_arm), of.bodies.radius[body], of.couple[k]);
    sum.force += slot.force;
    sum.torque += convert<R>(torque);
  }
};

/// Stiffness of the contacts of nodes, for the critical time step; one thread per pair.
template <class R_, class Law>
struct NodePairStiffness {
  using R = R_;
  NodesInField<R, Law> contacts;
  Span<ContactStiffness<R>> stiffness;  ///< [n_pairs]

  SCREE_HD void operator()(std::size_t slot) const {
    const PairViews<R>& of = contacts.of;
    const BodyPair pair = of.pairs[slot];
    const std::uint32_t classes = of.classes.pair_of(of.bodies, pair.first, pair.second);
    if (of.classes.interaction_of(classes) != contacts.interaction) { return; }
    stiffness[slot] = {};
    const NodeList list = of.nodes->of_pair[slot];
    if (list.count == 0) { return; }
    const NodePasses<R> passes = NodePasses<R>::of(of, slot);
    const NodeSums<R> sums = contacts.sums(passes, list);
    const ContactState<R> state = contacts.state_at_rest(pair, passes, sums);
    stiffness[slot] = sum_of_nodes(law_stiffness<Law>(state, contacts.params[classes], HistoryOf<Law>{}), sums.weights);
    stiffness[slot].overlap = state.overlap / math::min(state.radius1, state.radius2);
  }

  SCREE_INLINE static ContactStiffness<R> sum_of_nodes(ContactStiffness<R> s, R weights) {
    s.normal *= weights, s.shear *= weights, s.normal_dashpot *= weights, s.shear_dashpot *= weights;
    return s;
  }
};

/// The same of contacts with boundaries; one thread per row.
template <class R_, class Law>
struct NodeBoundaryStiffness {
  using R = R_;
  NodesOnFeature<R, Law> contacts;
  Span<ContactStiffness<R>> stiffness;  ///< [n_slots]

  SCREE_HD void operator()(std::size_t row) const {
    const BoundaryContactViews<R>& of = contacts.of;
    const index_t body = of.body_of_row[row];
    if (!of.is_grain(body)) { return; }
    for (offset_t k = of.row_start[row]; k < of.row_start[row + 1]; ++k) {
      const std::uint32_t classes = of.classes_at(k, body);
      if (of.classes.interaction_of(classes) != contacts.interaction) { continue; }
      stiffness[k] = {};
      const NodeList list = of.nodes->of_slot[k];
      if (list.count == 0) { continue; }
      const NodeBody<R> grain = NodeBody<R>::of(of.nodes->grains, of.bodies, body);
      const NodeSums<R> sums = contacts.sums(grain, list);
      const ContactState<R> state = contacts.state_at_rest(body, grain, sums);
      stiffness[k] = NodePairStiffness<R, Law>::sum_of_nodes(
          law_stiffness<Law>(state, contacts.params[classes], HistoryOf<Law>{}), sums.weights);
      stiffness[k].overlap = state.overlap / state.radius1;
    }
  }
};

}  // namespace scree::inline SCREE_BACKEND
