#pragma once

#include "kernels/contact/boundary_contacts.hpp"
#include "kernels/contact/pair_contacts.hpp"
#include "kernels/laws/stiffness.hpp"

namespace scree::inline SCREE_BACKEND {

/// Stiffness of the listed pairs that touch and have one law; one thread per pair.
template <class Law, class R>
struct PairStiffness {
  PairContacts<Law, R, false> contacts;
  Span<ContactStiffness<R>> stiffness;  ///< [n_pairs]

  SCREE_HD void operator()(std::size_t slot) const {
    if (!contacts.is_mine(contacts.of.pairs[slot])) { return; }
    const auto geometry = contacts.look(slot);
    if (!geometry.chosen) {
      stiffness[slot] = {};
      return;
    }
    const auto in = contacts.load(slot, geometry);
    ContactState<R> state{};
    state.overlap = geometry.square_gap / (geometry.radius1 + geometry.radius2 + norm(geometry.branch));
    state.radius1 = geometry.radius1;
    state.radius2 = geometry.radius2;
    state.effective_radius = geometry.radius1 * geometry.radius2 / (geometry.radius1 + geometry.radius2);
    state.effective_mass = in.inverse_mass > R(0) ? R(1) / in.inverse_mass : R(0);
    stiffness[slot] = law_stiffness<Law>(state, in.params, in.history);
    if constexpr (!makes_bonds<Law>) {
      stiffness[slot].overlap = state.overlap / math::min(state.radius1, state.radius2);
    }
  }
};

/// The same of contacts with boundaries, whose forces of this step are known; one thread per row.
template <class Law, class R>
struct BoundaryStiffness {
  BoundaryContacts<Law, R> contacts;
  Span<ContactStiffness<R>> stiffness;  ///< [n_slots]

  SCREE_HD void operator()(std::size_t row) const {
    const BoundaryContactViews<R>& of = contacts.of;
    const index_t body = of.body_of_row[row];
    for (offset_t k = of.row_start[row]; k < of.row_start[row + 1]; ++k) {
      if (contacts.law_at(k, body) != contacts.law) { continue; }
      stiffness[k] = {};
      if (of.slots[k].touching == 0) { continue; }
      const R radius = of.bodies.radius[body], inverse_mass = of.bodies.inverse_mass[body];
      ContactState<R> state{};
      // The contact point lies in the middle of the overlap.
      state.overlap = static_cast<R>(2 * (double(radius) - norm(of.bodies.position[body] - of.slots[k].point)));
      state.radius1 = state.radius2 = state.effective_radius = radius;
      state.effective_mass = inverse_mass > R(0) ? R(1) / inverse_mass : R(0);
      HistoryOf<Law> history;
      history.each([&](int component, R& value) { value = of.extra[history_place<Law>(k, component, of.n_extra)]; });
      stiffness[k] = law_stiffness<Law>(state, contacts.params[contacts.materials_at(k, body)], history);
      if (of.slots[k].weight != 0) {  // it makes so much more of every movement, and then of every force
        const R square = static_cast<R>(of.slots[k].weight) * static_cast<R>(of.slots[k].weight);
        ContactStiffness<R>& s = stiffness[k];
        s.normal *= square, s.shear *= square, s.normal_dashpot *= square, s.shear_dashpot *= square;
      }
      stiffness[k].overlap = state.overlap / radius;
    }
  }
};

}  // namespace scree::inline SCREE_BACKEND
