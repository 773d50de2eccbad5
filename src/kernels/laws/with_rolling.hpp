#pragma once

#include "kernels/laws/energies.hpp"

namespace scree::inline SCREE_BACKEND {

/// Rolling and twisting resistance on top of any law that states its shear stiffness K_T by shear_stiffness(state,
/// params[, history]). Elastic-plastic springs act on the relative rotation w of the two bodies (Iwashita & Oda 1998;
/// Ai et al. 2011), which is split into n . w and the rest, w_b:
///   K_r = alpha_r r1 r2 K_T,  M_b <- M_b - K_r dt w_b,  |M_b| <= eta_r min(r1, r2) F_N;
///   K_t = alpha_t r1 r2 K_T,  M_t <- M_t - K_t dt n.w,  |M_t| <= eta_t min(r1, r2) F_N.
/// M_b turns with the contact as the shear does. With a damping ratio zeta both springs have a dashpot, 2 zeta sqrt(I
/// K) with I = 7/5 and 2/5 m* r1 r2, and the limits hold for the sum and for the spring alone, as in Hertz-Mindlin.
/// There are no limits while a bond is whole, but its moments count where the law looks whether it breaks.
template <class Law, class R>
struct WithRolling {
  static constexpr bool has_couple = true;
  static constexpr bool holds_apart = scree::holds_apart<Law>;
  static constexpr bool makes_bonds = scree::makes_bonds<Law>;
  static constexpr bool remembers_bonds = scree::remembers_bonds<Law>;
  static constexpr bool is_hertzian = scree::is_hertzian<Law>;

  struct Params {
    typename Law::Params law;
    R rolling_stiffness, twisting_stiffness;  ///< [-] alpha_r, alpha_t
    R rolling_friction, twisting_friction;    ///< [-] eta_r, eta_t
    R damping;                                ///< [-] 2 zeta

    static constexpr int n_components = Law::Params::n_components + 5;
    template <class Visit>
    SCREE_INLINE void each(Visit&& visit) {
      constexpr int n = Law::Params::n_components;
      law.each(visit);
      visit(n, rolling_stiffness), visit(n + 1, twisting_stiffness), visit(n + 2, rolling_friction);
      visit(n + 3, twisting_friction), visit(n + 4, damping);
    }
  };

  /// The history of the law comes first, so that its first component keeps its meaning.
  struct History {
    HistoryOf<Law> law;
    Vec3<R> bending;  ///< [N m] elastic part on body 2, perpendicular to n
    R twisting;       ///< [N m] elastic part on body 2 about n

    static constexpr int n_components = HistoryOf<Law>::n_components + 4;
    template <class Visit>
    SCREE_INLINE void each(Visit&& visit) {
      constexpr int n = HistoryOf<Law>::n_components;
      law.each(visit);
      visit(n, bending.x), visit(n + 1, bending.y), visit(n + 2, bending.z), visit(n + 3, twisting);
    }
  };

  SCREE_INLINE static LawResponse<R> evaluate(const ContactState<R>& c, const Params& p, History& history) {
    LawResponse<R> response = evaluate_without_couple(c, p, history);
    const R product = c.radius1 * c.radius2;
    const R stiffness = product * shear_stiffness(c, p.law, history.law);
    const R rolling = p.rolling_stiffness * stiffness;
    const R twisting = p.twisting_stiffness * stiffness;
    const R inertia = c.effective_mass * product;
    const R about_normal = dot(c.n, c.spin);
    const Vec3<R> across = c.spin - about_normal * c.n;
    const R lever = math::min(c.radius1, c.radius2) * (c.weight * math::max(response.normal, R(0)));
    R rolling_limit = p.rolling_friction * lever;
    R twisting_limit = p.twisting_friction * lever;
    if constexpr (scree::makes_bonds<Law>) {
      const bool whole = Law::whole(history.law);
      rolling_limit = whole ? R(1e30) : rolling_limit;
      twisting_limit = whole ? R(1e30) : twisting_limit;
    }

    const auto [spring, twist_spring] = trial_springs(c, history, rolling, twisting, across, about_normal);
    const Vec3<R> trial = spring - (p.damping * many_roots(R(1.4), inertia, rolling)) * across;
    const Vec3<R> bending = few * (coulomb_factor(trial, many * rolling_limit) * trial);
    history.bending = few * (coulomb_factor(spring, many * rolling_limit) * spring);

    const R twist_trial = twist_spring - few * (p.damping * many_roots(R(0.4), inertia, twisting) * about_normal);
    const R twist = math::min(math::max(twist_trial, -twisting_limit), twisting_limit);
    history.twisting = math::min(math::max(twist_spring, -twisting_limit), twisting_limit);
    response.couple = bending + twist * c.n;
    return response;
  }

  /// The springs in this step, before their limits are applied.
  struct TrialSprings {
    Vec3<R> bending;  ///< [N m], `many` times as large
    R twisting;       ///< [N m]
  };
  SCREE_INLINE static TrialSprings trial_springs(const ContactState<R>& c, const History& history, R rolling,
                                                 R twisting, const Vec3<R>& across, R about_normal) {
    return {c.turned_sum(many * history.bending, -(many * (rolling * c.time_step)) * across),
            leaning_sum(history.twisting, -(twisting * c.time_step * about_normal), c.lean)};
  }

  /// The answer of the law itself. A law that makes bonds also gets the moments of this step, as a whole bond has them.
  SCREE_INLINE static LawResponse<R> evaluate_without_couple(const ContactState<R>& c, const Params& p,
                                                             History& history) {
    if constexpr (scree::makes_bonds<Law>) {
      const R stiffness = c.radius1 * c.radius2 * shear_stiffness(c, p.law, history.law);
      const R about_normal = dot(c.n, c.spin);
      const Vec3<R> across = c.spin - about_normal * c.n;
      const auto [bending, twisting] = trial_springs(c, history, p.rolling_stiffness * stiffness,
                                                     p.twisting_stiffness * stiffness, across, about_normal);
      const auto more = Law::by_moments(c, p.law, norm(few * bending), math::abs(twisting));
      return Law::evaluate(c, p.law, history.law, more);
    } else {
      return evaluate_law<Law>(c, p.law, history.law);
    }
  }

  SCREE_INLINE static R shear_stiffness(const ContactState<R>& c, const typename Law::Params& p,
                                        [[maybe_unused]] const HistoryOf<Law>& history) {
    if constexpr (requires { Law::shear_stiffness(c, p, history); }) {
      return Law::shear_stiffness(c, p, history);
    } else {
      return Law::shear_stiffness(c, p);
    }
  }

  SCREE_INLINE static ContactStiffness<R> stiffness(const ContactState<R>& c, const Params& p, const History& history) {
    ContactStiffness<R> result = law_stiffness<Law>(c, p.law, history.law);
    const R product = c.radius1 * c.radius2, inertia = c.effective_mass * product;
    result.rolling = p.rolling_stiffness * product * result.shear;
    result.twisting = p.twisting_stiffness * product * result.shear;
    result.rolling_dashpot = few * (p.damping * many_roots(R(1.4), inertia, result.rolling));
    result.twisting_dashpot = few * (p.damping * many_roots(R(0.4), inertia, result.twisting));
    return result;
  }

  /// Energies of the law and of the two springs, M^2 / (2 K). The springs gain the work done on them, as the shear
  /// spring does. What they lose when a bond breaks is lost by breakage.
  SCREE_INLINE static LawEnergies<R> energies(const ContactState<R>& c, const Params& p, const LawResponse<R>& response,
                                              R stored_before, const History& before,
                                              const History& after) requires StatesEnergies<Law, R> {
    const R stiffness = c.radius1 * c.radius2 * shear_stiffness(c, p.law, after.law);
    const R rolling = p.rolling_stiffness * stiffness, twisting = p.twisting_stiffness * stiffness;
    const R about_normal = dot(c.n, c.spin);
    const Vec3<R> across = c.spin - about_normal * c.n;
    const Vec3<R> bending = c.turned(before.bending);
    const Vec3<R> bent_trial = c.turned_sum(before.bending, -(rolling * c.time_step) * across);
    const SpringStep<R> bent = spring_step(bending, bending, bent_trial, after.bending, rolling);
    const Vec3<R> twist{before.twisting, R(0), R(0)}, twist_after{after.twisting, R(0), R(0)};
    const R spring = leaning_sum(before.twisting, -(twisting * c.time_step * about_normal), c.lean);
    const Vec3<R> twist_trial{spring, R(0), R(0)};
    const SpringStep<R> twisted = spring_step(twist, twist, twist_trial, twist_after, twisting);
    // The law gets the energy stored by its own springs: all stored energy minus the energy of these two, at the
    // present stiffness. If a liquid bridge holds bodies apart, these two store none, and the law loses the energy of
    // all springs.
    const R other = half_compliance(rolling) * dot(bending, bending) +
                    half_compliance(twisting) * before.twisting * before.twisting;
    LawEnergies<R> e = law_energies<Law>(c, p.law, response, stored_before - other, before.law, after.law);
    e.stored = e.stored + other + bent.gained + twisted.gained;
    if constexpr (scree::makes_bonds<Law>) {
      const R whole = Law::whole(after.law) ? R(1) : R(0), breaks = Law::whole(before.law) ? R(1) - whole : R(0);
      e.friction = e.friction + (R(1) - breaks) * (bent.friction + twisted.friction);
      e.breakage = e.breakage + breaks * (bent.friction + twisted.friction);
    } else {
      e.friction = e.friction + bent.friction + twisted.friction;
    }
    e.viscous_couple = response.couple - after.bending - after.twisting * c.n;
    return e;
  }

  /// Moments are multiplied by a power of two, which changes no digit. In single precision, the squares and products of
  /// the moments of the smallest particles would otherwise be zero.
  static constexpr R many = R(0x1p30), few = R(0x1p-30);
  /// sqrt(factor inertia stiffness), `many` times as large.
  SCREE_INLINE static R many_roots(R factor, R inertia, R stiffness) {
    return math::sqrt(factor * (many * inertia) * (many * stiffness));
  }

  // These functions exist only for laws that make bonds.
  SCREE_INLINE static R range(const Params& p) { return Law::range(p.law); }
  SCREE_INLINE static void bond(History& history, R overlap, R strength) { Law::bond(history.law, overlap, strength); }
  SCREE_INLINE static R overlap_without_bond(R overlap, const History& history) {
    return Law::overlap_without_bond(overlap, history.law);
  }
};

}  // namespace scree::inline SCREE_BACKEND
