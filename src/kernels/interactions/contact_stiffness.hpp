#pragma once

#include "kernels/laws/stiffness.hpp"
#include "kernels/step/boundaries/boundary_contacts.hpp"
#include "kernels/step/pairs/pair_contacts.hpp"

namespace scree::inline SCREE_BACKEND {

/// Computes the stiffness of each listed pair that has one interaction; 0 if the pair does not touch. Other pairs keep
/// their values. One thread per pair.
template <class Geometry, class Law>
struct PairStiffness {
  using R = typename Geometry::Scalar;
  PairContacts<Geometry, Law, false> contacts;
  Span<ContactStiffness<R>> stiffness;  ///< [n_pairs]

  SCREE_HD void operator()(std::size_t slot) const {
    if (!contacts.is_mine(contacts.of.pairs[slot])) { return; }
    const auto look = contacts.look(slot);
    if (!look.chosen) {
      stiffness[slot] = {};
      return;
    }
    const auto in = contacts.load(slot, look);
    const ContactState<R> state = Geometry::state_at_rest(look, in.inverse_mass);
    stiffness[slot] = law_stiffness<Law>(state, in.params, in.history);
    R overlap = state.overlap;
    if constexpr (makes_bonds<Law>) { overlap = Law::overlap_without_bond(overlap, in.history); }
    stiffness[slot].overlap = overlap / math::min(state.radius1, state.radius2);
  }
};

/// The same for contacts with boundaries. It reads the state that the last evaluation left in the slots. One thread per
/// row.
template <class Geometry, class Law>
struct BoundaryStiffness {
  using R = typename Geometry::Scalar;
  BoundaryContacts<Geometry, Law> contacts;
  Span<ContactStiffness<R>> stiffness;  ///< [n_slots]

  SCREE_HD void operator()(std::size_t row) const {
    const BoundaryContactViews<R>& of = contacts.of;
    const index_t body = of.body_of_row[row];
    for (offset_t k = of.row_start[row]; k < of.row_start[row + 1]; ++k) {
      if (!of.has_interaction(contacts.interaction, k, body)) { continue; }
      stiffness[k] = {};
      if (of.slots[k].touching == 0) { continue; }
      const ContactState<R> state = Geometry::state_at_rest(of, k, body);
      const HistoryOf<Law> history = contacts.history_of_slot(k);
      stiffness[k] = law_stiffness<Law>(state, contacts.params[of.classes_at(k, body)], history);
      if (of.slots[k].weight != 0) {  // velocities and forces have this factor, so stiffnesses have its square
        const R square = static_cast<R>(of.slots[k].weight) * static_cast<R>(of.slots[k].weight);
        ContactStiffness<R>& s = stiffness[k];
        s.normal *= square, s.shear *= square, s.normal_dashpot *= square, s.shear_dashpot *= square;
      }
      stiffness[k].overlap = state.overlap / state.radius1;
    }
  }
};

}  // namespace scree::inline SCREE_BACKEND
