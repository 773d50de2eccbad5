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
  /// [J] lost by slip (sliding, rolling, twisting) in this step: the work that the mean of the spring's forces before
  /// (turned) and after the step does on the slip
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

/// Energy of a shear spring in one step, in which its force changed from `before` (turned) to `after`. The law first
/// reduced the force to `kept` if the contact shrank (otherwise kept = before). Without slip the force would have
/// become `trial`. The work on the slip and the energy gained by the spring are exact for the mean of before and after,
/// so their sum is the work done in the two half steps.
template <class R>
struct SpringStep {
  R friction, gained;  ///< [J]

  /// The same work, but slip loses no less than nothing. Where a law gives its spring the force of the dashpot, too,
  /// because the contact slides, a spring without stiffness would otherwise store any energy, and slip would provide
  /// it.
  SCREE_INLINE SpringStep without_return() const {
    return {math::max(friction, R(0)), gained + math::min(friction, R(0))};
  }
};
template <class R>
SCREE_INLINE SpringStep<R> spring_step(const Vec3<R>& before, const Vec3<R>& kept, const Vec3<R>& trial,
                                       const Vec3<R>& after, R stiffness) {
  const R half_compliance = R(0.5) / math::max(stiffness, R(1e-37));  // no stiffness, no force
  return {half_compliance * dot(before + after, trial - after), half_compliance * dot(before + after, after - kept)};
}

/// What the ledger stores of a contact. It forms the last components of the contact's history, after those of the law.
/// Only `stored` is kept for longer than a step.
template <class R>
struct LedgerEntry {
  R stored, normal, friction, breakage;  ///< [J]
  R gained;                              ///< [J] change of `stored` in this step
  R overlap;                             ///< [m]
  Vec3<R> n;                             ///< [-]
  Vec3<R> viscous;                       ///< [N] on body 2
  Vec3<R> viscous_couple;                ///< [N m] on body 2
  Vec3<R> couple;                        ///< [N m] on body 2, elastic and viscous

  static constexpr int n_components = 18;
  template <class Visit>
  SCREE_INLINE void each(Visit&& visit) {
    visit(0, stored), visit(1, normal), visit(2, friction), visit(3, breakage), visit(4, gained), visit(5, overlap);
    visit(6, n.x), visit(7, n.y), visit(8, n.z), visit(9, viscous.x), visit(10, viscous.y), visit(11, viscous.z);
    visit(12, viscous_couple.x), visit(13, viscous_couple.y), visit(14, viscous_couple.z);
    visit(15, couple.x), visit(16, couple.y), visit(17, couple.z);
  }
};

/// A law with its ledger. The forces are those of the law, bit for bit.
template <class Law, class R>
struct WithLedger {
  using Params = typename Law::Params;
  static constexpr bool has_couple = scree::has_couple<Law>;
  static constexpr bool holds_apart = scree::holds_apart<Law>;
  static constexpr bool makes_bonds = scree::makes_bonds<Law>;
  static constexpr bool bonds_nodes = scree::bonds_nodes<Law>;
  static constexpr bool is_hertzian = scree::is_hertzian<Law>;
  static constexpr bool has_stack = scree::has_stack<Law>;
  static constexpr int last_components = LedgerEntry<R>::n_components;

  struct History {
    HistoryOf<Law> own;
    LedgerEntry<R> entry;
    static constexpr int n_components = HistoryOf<Law>::n_components + LedgerEntry<R>::n_components;
    template <class Visit>
    SCREE_INLINE void each(Visit&& visit) {
      own.each(visit);
      entry.each([&](int component, R& value) { visit(HistoryOf<Law>::n_components + component, value); });
    }
  };

  /// What all nodes of a contact share.
  using OfContact = OfContactOf<Law>;
  SCREE_INLINE static OfContact of_contact(const ContactState<R>& state, const Params& params) {
    return scree::of_contact<Law>(state, params);
  }

  SCREE_INLINE static LawResponse<R> evaluate(const ContactState<R>& state, const Params& params, History& history) {
    return evaluate(state, params, of_contact(state, params), history);
  }
  SCREE_INLINE static LawResponse<R> evaluate(const ContactState<R>& state, const Params& params,
                                              const OfContact& shared, History& history) {
    // Without energies: these need the whole stack, see evaluate_whole().
    if constexpr (has_stack) {
      return Law::evaluate(state, params, history.own);
    } else {
      const HistoryOf<Law> before = history.own;
      const LawResponse<R> response = evaluate_law<Law>(state, params, shared, history.own);
      history.entry = entry_of(state, response, history.entry.stored,
                               law_energies<Law>(state, params, response, history.entry.stored, before, history.own));
      return response;
    }
  }

  // Only for laws with a stack.
  template <class Deep>
  SCREE_HD static LawResponse<R> evaluate_whole(const ContactState<R>& state, const Params& params, History& history,
                                                Deep& deep) {
    const LawResponse<R> response = Law::evaluate_whole(state, params, history.own, deep);
    const R stored = history.entry.stored;
    history.entry =
        entry_of(state, response, stored, Law::energies_whole(state, params, response, stored, history.own, deep));
    return response;
  }
  SCREE_INLINE static ContactStiffness<R> stiffness(const ContactState<R>& state, const Params& params,
                                                    const History& history) {
    return law_stiffness<Law>(state, params, history.own);
  }

  // Only for laws that make bonds.
  SCREE_INLINE static R range(const Params& params) { return Law::range(params); }
  SCREE_INLINE static void bond(History& history, R overlap) { Law::bond(history.own, overlap); }

  // Only for laws that bond nodes.
  SCREE_INLINE static R gap(const Params& params) { return Law::gap(params); }
  SCREE_INLINE static R area(const ContactState<R>& state) { return Law::area(state); }
  SCREE_INLINE static bool holds(const Params& params, R tension, R square_of_shear) {
    return Law::holds(params, tension, square_of_shear);
  }

 private:
  SCREE_INLINE static LedgerEntry<R> entry_of(const ContactState<R>& state, const LawResponse<R>& response,
                                              R stored_before, const LawEnergies<R>& e) {
    const Vec3<R> viscous = e.viscous_normal * state.n + e.viscous_tangential;
    const Vec3<R> couple = has_couple ? response.couple : Vec3<R>{R(0), R(0), R(0)};
    return {.stored = e.stored,
            .normal = e.normal,
            .friction = e.friction,
            .breakage = e.breakage,
            .gained = e.stored - stored_before,
            .overlap = state.overlap,
            .n = {state.n.x, state.n.y, state.n.z},
            .viscous = {viscous.x, viscous.y, viscous.z},
            .viscous_couple = {e.viscous_couple.x, e.viscous_couple.y, e.viscous_couple.z},
            .couple = {couple.x, couple.y, couple.z}};
  }
};

}  // namespace scree::inline SCREE_BACKEND
