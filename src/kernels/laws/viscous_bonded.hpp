#pragma once

#include "kernels/laws/bonded.hpp"

namespace scree::inline SCREE_BACKEND {

/// The law Bonded with dashpots, c = 2 b sqrt(K m*) for each spring with a damping ratio b:
///   bonds:     F_N <- F_N - c_N v_n,  f_T <- f_el - c_T v_T; springs alone decide whether they break;
///   otherwise: F_N <- max(0, F_N - c_N v_n) as long as the spring presses; both the sum |f_T| and its spring |f_el|
///              are at most F_N tan(phi).
/// It remembers a broken bond until the bodies are farther apart than bonds are made, so that these may be made in any
/// step without the broken ones coming back at once. A bond that is only remembered has no force and no d0 any more: if
/// the bodies touch again, they have a plain contact.
template <class R>
struct ViscousBonded {
  using Springs = Bonded<R>;
  using History = typename Springs::History;
  using ByMoments = typename Springs::ByMoments;
  static constexpr bool holds_apart = true;
  static constexpr bool makes_bonds = true;
  static constexpr bool remembers_bonds = true;

  struct Params {
    typename Springs::Params springs;
    R damping;  ///< [-] 2 b
    R memory;   ///< [-] gap over r1 + r2 up to which a broken bond is remembered; 0: it is not remembered

    static constexpr int n_components = Springs::Params::n_components + 2;
    template <class Visit>
    SCREE_INLINE void each(Visit&& visit) {
      constexpr int n = Springs::Params::n_components;
      springs.each(visit);
      visit(n, damping), visit(n + 1, memory);
    }
  };

  SCREE_INLINE static R range(const Params& p) { return Springs::range(p.springs); }
  SCREE_INLINE static void bond(History& history, R overlap, R strength) { Springs::bond(history, overlap, strength); }
  SCREE_INLINE static bool whole(const History& history) { return Springs::whole(history); }
  SCREE_INLINE static R overlap_without_bond(R overlap, const History& history) {
    return Springs::overlap_without_bond(overlap, history);
  }

  SCREE_INLINE static ByMoments by_moments(const ContactState<R>& c, const Params& p, R bending, R twisting) {
    return Springs::by_moments(c, p.springs, bending, twisting);
  }

  SCREE_INLINE static LawResponse<R> evaluate(const ContactState<R>& c, const Params& p, History& history) {
    return evaluate(c, p, history, {R(0), R(0)});
  }
  SCREE_INLINE static LawResponse<R> evaluate(const ContactState<R>& c, const Params& p, History& history,
                                              const ByMoments& more) {
    const History before = history;
    const auto [own, normal_trial] = Springs::springs(c, p.springs, history, more);
    const Stiffness k = stiffness_of(c, p, before);
    const bool holds = whole(history);
    const Vec3<R> spring = c.sheared(-(k.shear * c.time_step) * c.slip);
    const Vec3<R> trial = spring - k.shear_dashpot * c.slip;
    const R sum = own.normal - k.normal_dashpot * c.normal_velocity;
    // own.normal has the same sign where it matters, but asking for it would prevent a vector loop.
    const R pressed = normal_trial > R(0) ? math::max(sum, R(0)) : R(0);
    const R normal = holds ? sum : pressed;
    const R limit = p.springs.friction * pressed;
    const Vec3<R> limited = coulomb_factor(trial, limit) * trial;
    const Vec3<R> slid = coulomb_factor(spring, limit) * spring;
    const Vec3<R> tangential = select(holds, trial, limited), kept = select(holds, spring, slid);

    const R near = -c.overlap < p.memory * (c.radius1 + c.radius2) ? R(1) : R(0);
    const R lost = history.state == R(0) ? near : R(0);  // the law without dashpots has forgotten the broken bond
    const R remembered = before.state != R(0) ? lost : R(0);
    history.state = history.state + remembered * remembered_bond<R>;
    return {normal, {tangential.x, tangential.y, tangential.z}, {kept.x, kept.y, kept.z}, {}};
  }

  SCREE_INLINE static ContactStiffness<R> stiffness(const ContactState<R>& c, const Params& p, const History& history) {
    ContactStiffness<R> result = Springs::stiffness(c, p.springs, history);
    const Stiffness k = stiffness_of(c, p, history);
    result.normal_dashpot = k.normal_dashpot, result.shear_dashpot = k.shear_dashpot;
    return result;
  }
  SCREE_INLINE static R shear_stiffness(const ContactState<R>& c, const Params& p, const History& history) {
    return Springs::shear_stiffness(c, p.springs, history);
  }

  SCREE_INLINE static LawEnergies<R> energies(const ContactState<R>& c, const Params& p, const LawResponse<R>& response,
                                              R stored_before, const History& before, const History& after) {
    LawResponse<R> own = response;
    History again = before;
    const R spring = Springs::evaluate(c, p.springs, again).normal;  // moments matter for breaking only
    own.normal = whole(after) ? spring : math::max(spring, R(0));
    own.tangential = response.shear;
    LawEnergies<R> e = Springs::energies(c, p.springs, own, stored_before, before, after);
    e.viscous_normal = response.normal - own.normal;
    e.viscous_tangential = response.tangential - response.shear;
    return e;
  }

 private:
  struct Stiffness {
    R shear, normal_dashpot, shear_dashpot;
  };
  SCREE_INLINE static Stiffness stiffness_of(const ContactState<R>& c, const Params& p, const History& history) {
    const R radius = math::min(c.radius1, c.radius2);
    const R over_length =
        R(3.14159265358979323846) * radius * radius / (c.radius1 + c.radius2 - Springs::offset_of(history));
    const R normal = p.springs.young * over_length, shear = p.springs.shear * over_length;
    return {shear, p.damping * math::sqrt(normal * c.effective_mass), p.damping * math::sqrt(shear * c.effective_mass)};
  }
};
static_assert(ContactLaw<ViscousBonded<float>, float> && StatesEnergies<ViscousBonded<float>, float>);

}  // namespace scree::inline SCREE_BACKEND
