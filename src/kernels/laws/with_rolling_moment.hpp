#pragma once

#include "kernels/laws/energies.hpp"

namespace scree::inline SCREE_BACKEND {

/// Rolling resistance of the types A and B of Ai, Chen, Rotter & Ooi (2011) on top of any law. With the relative
/// rotation w of the two bodies across the normal, and the speed V of rolling at the contact,
///   M = -(eta + nu V) min(r1, r2) F_N w/|w|,  V = |(r1 w1 - r2 w2) x n|.
/// Type A (directional constant torque) has eta, type B (viscous) nu. The radius is the smaller one instead of R*. No
/// moment is larger than an eighth of one that stops the rotation of two free spheres in a step, 2/5 m* min(r1, r2)^2
/// |w| / dt or more: the moments at all contacts of a body, some twelve at most, then bring it to rest, and do not
/// shake it by changing their signs from step to step. Without a mass (the centres are fixed) there is no such bound.
/// All work of M is lost by viscosity.
template <class Law, class R>
struct WithRollingMoment {
  static constexpr bool has_couple = true;
  static constexpr bool holds_apart = scree::holds_apart<Law>;
  static constexpr bool is_hertzian = scree::is_hertzian<Law>;
  static constexpr bool only_spheres = true;
  static_assert(!scree::makes_bonds<Law> && !has_stack<Law> && !scree::has_couple<Law>);

  struct Params {
    typename Law::Params law;
    R friction;   ///< [-] eta
    R viscosity;  ///< [s/m] nu

    static constexpr int n_components = Law::Params::n_components + 2;
    template <class Visit>
    SCREE_INLINE void each(Visit&& visit) {
      constexpr int n = Law::Params::n_components;
      law.each(visit);
      visit(n, friction), visit(n + 1, viscosity);
    }
  };
  using History = HistoryOf<Law>;

  SCREE_INLINE static LawResponse<R> evaluate(const ContactState<R>& c, const Params& p, History& history) {
    LawResponse<R> response = evaluate_law<Law>(c, p.law, history);
    const Vec3<R> across = c.spin - dot(c.n, c.spin) * c.n;
    // Twice r2 w2 - r1 w1.
    const Vec3<R> twice = (c.radius2 - c.radius1) * c.total_spin + (c.radius1 + c.radius2) * c.spin;
    const R speed = R(0.5) * norm(cross(twice, c.n));
    const R rate = math::sqrt(math::max(dot(across, across), R(zero_square<R>)));
    const R smaller = math::min(c.radius1, c.radius2);
    const R moment = (p.friction + p.viscosity * speed) * smaller * (c.weight * math::max(response.normal, R(0)));
    const R stops = R(0.4) * c.effective_mass * smaller * smaller / math::max(c.time_step, R(1e-30));
    const R most = c.effective_mass > R(0) ? R(0.125) * stops : R(1e30);
    response.couple = -math::min(moment / rate, most) * across;
    return response;
  }

  /// Exists for laws without a history.
  SCREE_INLINE static LawResponse<R> evaluate(const ContactState<R>& c,
                                              const Params& p) requires(History::n_components == 0) {
    History none;
    return evaluate(c, p, none);
  }

  SCREE_INLINE static ContactStiffness<R> stiffness(const ContactState<R>& c, const Params& p, const History& history) {
    return law_stiffness<Law>(c, p.law, history);
  }

  SCREE_INLINE static LawEnergies<R> energies(const ContactState<R>& c, const Params& p, const LawResponse<R>& response,
                                              R stored_before, const History& before,
                                              const History& after) requires StatesEnergies<Law, R> {
    LawEnergies<R> e = law_energies<Law>(c, p.law, response, stored_before, before, after);
    e.viscous_couple = response.couple;
    return e;
  }
  SCREE_INLINE static LawEnergies<R> energies(const ContactState<R>& c, const Params& p, const LawResponse<R>& response,
                                              R stored_before) requires(History::n_components == 0 &&
                                                                        StatesEnergies<Law, R>) {
    const History none;
    return energies(c, p, response, stored_before, none, none);
  }
};

}  // namespace scree::inline SCREE_BACKEND
