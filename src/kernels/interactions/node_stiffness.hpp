#pragma once

#include "kernels/step/nodes/nodes_in_field.hpp"
#include "kernels/step/nodes/nodes_on_feature.hpp"

namespace scree::inline SCREE_BACKEND {

/// The stiffness of the contacts of nodes, for the critical time step: the sum over all nodes of a contact.
/// TouchingNodes gives the points where its parts act. One thread per pair.
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
    const ContactStiffness<R> of_node = law_stiffness<Law>(state, contacts.params[classes], HistoryOf<Law>{});
    stiffness[slot] = sum_of_nodes(of_node, sums.weights);
    if constexpr (!bonds_nodes<Law>) {  // the overlaps of bonded bodies do not matter for the check of overlaps
      stiffness[slot].overlap = state.overlap / math::min(state.radius1, state.radius2);
    }
  }

  SCREE_INLINE static ContactStiffness<R> sum_of_nodes(ContactStiffness<R> s, R weights) {
    s.normal *= weights, s.shear *= weights, s.normal_dashpot *= weights, s.shear_dashpot *= weights;
    return s;
  }
};

/// The same for contacts with boundaries; one thread per row.
template <class R_, class Law>
struct NodeBoundaryStiffness {
  using R = R_;
  NodesOnFeature<R, Law> contacts;
  Span<ContactStiffness<R>> stiffness;  ///< [n_slots]

  SCREE_HD void operator()(std::size_t row) const {
    const BoundaryContactViews<R>& of = contacts.of;
    const index_t body = of.body_of_row[row];
    if (!of.is_grain(body)) { return; }
    const NodeBody<R> grain = NodeBody<R>::of(of.nodes->grains, of.bodies, body);
    const offset_t end = of.row_start[row + 1];
    for (offset_t k = of.row_start[row], next; k < end; k = next) {
      next = contacts.end_of_surface(k, end);
      const std::uint32_t classes = of.classes_at(k, body);
      if (of.classes.interaction_of(classes) != contacts.interaction) { continue; }
      const NodeSums<R> total = contacts.sums(body, grain, of.nodes->of_slot, k, next);
      const ContactState<R> state = contacts.state_at_rest(body, grain, total);
      const ContactStiffness<R> of_node = law_stiffness<Law>(state, contacts.params[classes], HistoryOf<Law>{});
      for (offset_t slot = k; slot < next; ++slot) {
        stiffness[slot] = {};
        const NodeList list = of.nodes->of_slot[slot];
        if (list.count == 0) { continue; }
        const NodeSums<R> own = contacts.sums(body, grain, slot, list);
        stiffness[slot] = NodePairStiffness<R, Law>::sum_of_nodes(of_node, own.weights);
        stiffness[slot].overlap = own.overlap / state.radius1;
      }
    }
  }
};

}  // namespace scree::inline SCREE_BACKEND
