#pragma once

#include "kernels/laws/stiffness.hpp"

namespace scree::inline SCREE_BACKEND {

/// Energies of one contact in one step. They are computed only if the case asks for the energy ledger. A law states
/// them in a function beside evaluate(),
///   static LawEnergies<R> energies(const ContactState<R>&, const Params&, const LawResponse<R>&, R stored_before)
/// or, if it has a History, with `const History& before, const History& after` as two more arguments.
template <class R>
struct LawEnergies {
  R normal;  ///< [J] stored by the normal spring at this overlap: its potential
  R stored;  ///< [J] stored by all other springs (shear, bending, twisting) after the step
  /// [J] lost by slip (sliding, rolling, twisting) in this step. It is the work on the slip of the mean of two forces
  /// of the spring: the turned force before the step, and the force after it
  R friction;
  R breakage;                  ///< [J] lost in this step because the contact broke
  R viscous_normal;            ///< [N] normal force minus the force of the spring
  Vec3<R> viscous_tangential;  ///< [N] tangential force minus the force of the spring
  Vec3<R> viscous_couple;      ///< [N m] couple minus the couple of the springs
};

template <class Law, class R>
concept StatesEnergies = requires(const ContactState<R>& c, const typename Law::Params& p, const LawResponse<R>& r,
                                  R stored, const HistoryOf<Law>& h) {
  Law::energies(c, p, r, stored);
}
|| requires(const ContactState<R>& c, const typename Law::Params& p, const LawResponse<R>& r, R stored,
            const HistoryOf<Law>& h) {
  Law::energies(c, p, r, stored, h, h);
}
|| has_stack<Law>;

template <class Law, class R>
SCREE_INLINE LawEnergies<R> law_energies(const ContactState<R>& state, const typename Law::Params& params,
                                         const LawResponse<R>& response, R stored_before,
                                         [[maybe_unused]] const HistoryOf<Law>& before,
                                         [[maybe_unused]] const HistoryOf<Law>& after) {
  if constexpr (HistoryOf<Law>::n_components > 0) {
    return Law::energies(state, params, response, stored_before, before, after);
  } else {
    return Law::energies(state, params, response, stored_before);
  }
}

/// The energy of a shear spring in a step that changed its force from `before` (turned) to `after`. The law first
/// reduced the force to `kept` if the contact shrank (otherwise kept = before). Without slip the force would have
/// become `trial`. The work on the slip and the energy gained by the spring are exact for the mean of before and after,
/// so their sum is the work done in the two half steps.
template <class R>
struct SpringStep {
  R friction, gained;  ///< [J]

  /// The same work, but with a loss by slip of at least 0.
  SCREE_INLINE SpringStep without_return() const {
    return {math::max(friction, R(0)), gained + math::min(friction, R(0))};
  }
};
/// [m/N] Half of the compliance of a spring, which is its energy over the square of its force. 0 for a spring without
/// stiffness, which has no force.
template <class R>
SCREE_INLINE R half_compliance(R stiffness) {
  return stiffness > R(0) ? R(0.5) / math::max(stiffness, R(1e-37)) : R(0);
}
template <class R>
SCREE_INLINE SpringStep<R> spring_step(const Vec3<R>& before, const Vec3<R>& kept, const Vec3<R>& trial,
                                       const Vec3<R>& after, R stiffness) {
  const R half = half_compliance(stiffness);
  return {half * dot(before + after, trial - after), half * dot(before + after, after - kept)};
}

/// Energies of a contact with linear springs, of which the normal one is pressed by `pressed` [m]. Stored: K_N u^2 / 2
/// and f_el^2 / (2 K_T).
template <class R>
SCREE_INLINE LawEnergies<R> linear_energies(const ContactState<R>& c, const LawResponse<R>& response,
                                            R normal_stiffness, R shear_stiffness, R pressed) {
  const R spring = normal_stiffness * pressed;
  const Vec3<R> trial = c.sheared(-(shear_stiffness * c.time_step) * c.slip);
  const R friction = spring_step(c.shear, c.shear, trial, response.shear, shear_stiffness).friction;
  const R stored = R(0.5) * dot(response.shear, response.shear) / math::max(shear_stiffness, R(1e-37));
  return {R(0.5) * spring * pressed,
          stored,
          friction,
          R(0),
          response.normal - spring,
          response.tangential - response.shear,
          {}};
}

/// The values of a contact that the ledger stores. The first two rows of four numbers are the last components of the
/// contact's history, after those of the law. The other values lie beside the history (EntryRest). Only `stored` is
/// kept for longer than a step.
template <class R>
struct LedgerEntry {
  Vec3<R> viscous;         ///< [N] on body 2
  R overlap;               ///< [m]
  Vec3<R> n;               ///< [-]
  R stored;                ///< [J] see LawEnergies
  Vec3<R> viscous_couple;  ///< [N m] on body 2
  R normal;                ///< [J] see LawEnergies

  static constexpr int n_components = 8, stored_component = 7;
  template <class Visit>
  SCREE_INLINE void each(Visit&& visit) {
    visit(0, viscous.x), visit(1, viscous.y), visit(2, viscous.z), visit(3, overlap);
    visit(4, n.x), visit(5, n.y), visit(6, n.z), visit(7, stored);
  }
  /// Visits all components in the lanes of a stage. Without `turns` the couple is 0 and is left out.
  static constexpr int n_in_lanes = 12, normal_component = 8, couple_component = 9;
  template <bool turns, class Visit>
  SCREE_INLINE void each_in_lanes(Visit&& visit) {
    each(visit);
    visit(normal_component, normal);
    if constexpr (turns) { visit(9, viscous_couple.x), visit(10, viscous_couple.y), visit(11, viscous_couple.z); }
  }

  /// [W] The power of the viscous forces. `velocity` and `spin` are those of body 2 relative to body 1 at the contact.
  /// With `turns` the couple counts, too; without, it is 0 and `spin` need not be known.
  template <bool turns>
  SCREE_INLINE R power(const Vec3<R>& velocity, const Vec3<R>& spin) const {
    R sum = dot(viscous, velocity);
    if constexpr (turns) { sum += dot(viscous_couple, spin); }
    return sum;
  }
};

/// The losses [J] of a contact in a step, and the change of the energy in its springs.
template <class R>
struct LedgerLoss {
  R gained = R(0), friction = R(0), breakage = R(0);
};

/// A law with its ledger. The forces are those of the law, bit for bit.
template <class Law, class R>
struct WithLedger {
  using Params = typename Law::Params;
  static constexpr bool has_couple = scree::has_couple<Law>;
  static constexpr bool holds_apart = scree::holds_apart<Law>;
  static constexpr bool makes_bonds = scree::makes_bonds<Law>;
  static constexpr bool remembers_bonds = scree::remembers_bonds<Law>;
  static constexpr bool bonds_nodes = scree::bonds_nodes<Law>;
  static constexpr bool is_hertzian = scree::is_hertzian<Law>;
  static constexpr bool has_stack = scree::has_stack<Law>;
  static constexpr int last_components = LedgerEntry<R>::n_components;
  static constexpr int components_in_lanes = LedgerEntry<R>::n_in_lanes;

  struct History {
    HistoryOf<Law> own;
    LedgerEntry<R> entry;
    LedgerLoss<R> loss;  ///< of the last step; not stored
    static constexpr int n_components = HistoryOf<Law>::n_components + LedgerEntry<R>::n_components;
    template <class Visit>
    SCREE_INLINE void each(Visit&& visit) {
      own.each(visit);
      entry.each([&](int component, R& value) { visit(HistoryOf<Law>::n_components + component, value); });
    }
  };

  /// The values that all nodes of a contact share.
  using OfContact = OfContactOf<Law>;
  SCREE_INLINE static OfContact of_contact(const ContactState<R>& state, const Params& params) {
    return scree::of_contact<Law>(state, params);
  }

  SCREE_INLINE static LawResponse<R> evaluate(const ContactState<R>& state, const Params& params, History& history) {
    return evaluate(state, params, of_contact(state, params), history);
  }
  SCREE_INLINE static LawResponse<R> evaluate(const ContactState<R>& state, const Params& params,
                                              const OfContact& shared, History& history) {
    // Laws with a stack leave the energies out here, because these need the whole stack: see evaluate_whole().
    if constexpr (has_stack) {
      return Law::evaluate(state, params, history.own);
    } else {
      const HistoryOf<Law> before = history.own;
      const LawResponse<R> response = evaluate_law<Law>(state, params, shared, history.own);
      note(state, law_energies<Law>(state, params, response, history.entry.stored, before, history.own), history);
      return response;
    }
  }

  // Exists only for laws with a stack.
  template <class Deep>
  SCREE_HD static LawResponse<R> evaluate_whole(const ContactState<R>& state, const Params& params, History& history,
                                                Deep& deep) {
    const LawResponse<R> response = Law::evaluate_whole(state, params, history.own, deep);
    note(state, Law::energies_whole(state, params, response, history.entry.stored, history.own, deep), history);
    return response;
  }
  SCREE_INLINE static ContactStiffness<R> stiffness(const ContactState<R>& state, const Params& params,
                                                    const History& history) {
    return law_stiffness<Law>(state, params, history.own);
  }

  // These functions exist only for laws that make bonds.
  SCREE_INLINE static R range(const Params& params) { return Law::range(params); }
  SCREE_INLINE static void bond(History& history, R overlap, R strength) { Law::bond(history.own, overlap, strength); }
  SCREE_INLINE static R overlap_without_bond(R overlap, const History& history) {
    return Law::overlap_without_bond(overlap, history.own);
  }

  // These functions exist only for laws that bond nodes.
  SCREE_INLINE static R gap(const Params& params) { return Law::gap(params); }
  SCREE_INLINE static R area(const ContactState<R>& state) { return Law::area(state); }
  SCREE_INLINE static bool holds(const Params& params, R strength, R tension, R square_of_shear) {
    return Law::holds(params, strength, tension, square_of_shear);
  }

 private:
  SCREE_INLINE static void note(const ContactState<R>& state, const LawEnergies<R>& e, History& history) {
    const Vec3<R> viscous = e.viscous_normal * state.n + e.viscous_tangential;
    history.loss = {e.stored - history.entry.stored, e.friction, e.breakage};
    history.entry = {.viscous = {viscous.x, viscous.y, viscous.z},
                     .overlap = state.overlap,
                     .n = {state.n.x, state.n.y, state.n.z},
                     .stored = e.stored,
                     .viscous_couple = {e.viscous_couple.x, e.viscous_couple.y, e.viscous_couple.z},
                     .normal = e.normal};
  }
};

}  // namespace scree::inline SCREE_BACKEND
