#pragma once

#include <type_traits>

#include "kernels/laws/hertz_mindlin.hpp"
#include "kernels/laws/linear_spring_dashpot.hpp"
#include "kernels/math/cube_root.hpp"

namespace scree::inline SCREE_BACKEND {

/// Contacts that yield, with adhesion that grows with the yielding (Thakur, Morrissey, Sun, Chen & Ooi 2014: EEPA, n =
/// 3/2; Luding 2008: n = 1). With the overlap u and a plastic overlap u_p that is kept,
///   loading     k1 u^n            up to the largest overlap, where u_p^n = (1 - k1/k2) u^n,
///   unloading   k2 (u^n - u_p^n)  and reloading,
///   adhesive    -h u^n            where unloading has come below it; there u_p falls with u, so that reloading starts
///                                 along k2 from the present force.
/// The force is the middle one of the three (that of unloading between the two others), minus a constant pull f0. h
/// belongs to the last loading. It is a given part of k1, or the pull at the end of unloading is
///   F_a = 3 pi gamma a,  a^2 = 2 R* u_p   (3/2 of the work of adhesion times pi a),
/// at most half of k2 u_p^n, so that h <= k2: h = F_a / (u_p^n - F_a / k2). k1, shear stiffness and dashpots are those
/// of HertzMindlinRescaled and LinearFamily; dashpots never pull. Coulomb's limit is that of F_N + f0 + h u^n, the
/// distance from the adhesive branch.
template <class R, bool hertzian>
struct ElastoPlastic {
  static constexpr bool is_hertzian = hertzian;
  static constexpr bool only_spheres = true;
  using Linear = LinearSpringDashpot<R>;
  using Springs = std::conditional_t<hertzian, HertzParams<R>, typename Linear::Params>;

  struct Params {
    Springs springs;
    R ratio;     ///< [-] 1 - k1/k2
    R stiffer;   ///< [-] k2/k1
    R pull_off;  ///< [N] f0
    R adhesion;  ///< [-] h/k1, or 0
    R energy;    ///< [N/m] 3 sqrt(2) pi gamma

    static constexpr int n_components = Springs::n_components + 5;
    template <class Visit>
    SCREE_INLINE void each(Visit&& visit) {
      constexpr int n = Springs::n_components;
      springs.each(visit);
      visit(n, ratio), visit(n + 1, stiffer), visit(n + 2, pull_off), visit(n + 3, adhesion), visit(n + 4, energy);
    }
  };

  struct History {
    R plastic;  ///< [m^n] u_p^n
    R branch;   ///< [N/m^n] h

    static constexpr int n_components = 2;
    template <class Visit>
    SCREE_INLINE void each(Visit&& visit) {
      visit(0, plastic), visit(1, branch);
    }
  };

  /// u^n, and back.
  SCREE_INLINE static R power(R overlap) {
    if constexpr (hertzian) {
      return overlap * math::sqrt(overlap);
    } else {
      return overlap;
    }
  }
  SCREE_INLINE static R root(R power) {
    if constexpr (hertzian) {
      const R third = math::cbrt(math::max(power, R(1e-37)));
      return third * third;
    } else {
      return power;
    }
  }

  /// The springs and dashpots at the present overlap, without plasticity.
  struct Elastic {
    R loading;                 ///< [N/m^n] k1
    R shear;                   ///< [N/m]
    R dashpot, shear_dashpot;  ///< [N s/m]
  };
  SCREE_INLINE static Elastic elastic(const ContactState<R>& c, const Params& p) {
    if constexpr (hertzian) {
      const R contact_radius = math::sqrt(c.effective_radius * math::max(c.overlap, R(0)));
      const R dashpot = math::sqrt(c.effective_mass * (R(2) * p.springs.young * contact_radius));
      return {R(4.0 / 3.0) * p.springs.young * math::sqrt(c.effective_radius), p.springs.shear * contact_radius,
              p.springs.damping * dashpot, p.springs.damping_shear * dashpot};
    } else {
      const typename Linear::OfContact k = Linear::of_contact(c, p.springs);
      return {k.normal, k.shear, k.normal_dashpot, k.shear_dashpot};
    }
  }

  /// [N/m^n] h of a contact that was loaded up to this plastic overlap.
  SCREE_INLINE static R branch_of(const ContactState<R>& c, const Params& p, R loading, R plastic) {
    const R unloading = loading * p.stiffer;
    R size;  // a / sqrt(2)
    if constexpr (hertzian) {
      size = math::sqrt(c.effective_radius) * math::cbrt(math::max(plastic, R(1e-37)));
    } else {
      size = math::sqrt(c.effective_radius * plastic);
    }
    const R pull = math::min(p.energy * size, R(0.5) * unloading * plastic);
    const R least = math::max(plastic - pull / math::max(unloading, R(1e-37)), R(1e-37));
    return math::min(p.adhesion * loading + pull / least, unloading);
  }

  SCREE_INLINE static LawResponse<R> evaluate(const ContactState<R>& c, const Params& p, History& history) {
    const R overlap = math::max(c.overlap, R(0)), now = power(overlap);
    const Elastic k = elastic(c, p);
    const R loading = k.loading * now, stiff = k.loading * p.stiffer;
    const R unloading = stiff * (now - history.plastic), adhesive = -history.branch * now;
    const R force = math::max(math::min(loading, unloading), adhesive);

    const R yielded = p.ratio * now;
    const R torn = now + history.branch * now / math::max(stiff, R(1e-37));
    const R kept_plastic = unloading < adhesive ? torn : history.plastic;
    const R branch = branch_of(c, p, k.loading, yielded);
    const R plastic = unloading >= loading ? yielded : kept_plastic;
    const R held = unloading >= loading ? branch : history.branch;

    const R normal = math::max(force - k.dashpot * c.normal_velocity, math::min(force, R(0)));
    const Vec3<R> trial_shear = trial_after(c, overlap, k.shear);
    const R limit = p.springs.friction * math::max(normal + held * now, R(0));
    const auto [tangential, kept] = sliding_spring(trial_shear, k.shear_dashpot * c.slip, limit);
    history.plastic = plastic;
    history.branch = held;
    return {normal - p.pull_off, {tangential.x, tangential.y, tangential.z}, {kept.x, kept.y, kept.z}, {}};
  }

  /// [N/m] k_s at the present overlap.
  SCREE_INLINE static R shear_stiffness(const ContactState<R>& c, const Params& p) { return elastic(c, p).shear; }

  /// The normal spring is the one of unloading.
  SCREE_INLINE static ContactStiffness<R> stiffness(const ContactState<R>& c, const Params& p) {
    ContactStiffness<R> result;
    if constexpr (hertzian) {
      result = HertzMindlin<R>::stiffness(c, p.springs);
    } else {
      result = Linear::stiffness(c, p.springs);
    }
    result.normal = result.normal * p.stiffer;
    return result;
  }

  /// The spring stores what unloading along k2 would give back, zero at u_p. The rest of the work is lost by yielding
  /// or tearing and counts as breakage. f0 has the potential -f0 u. A contact that begins with an overlap counts as
  /// loaded up to there.
  SCREE_INLINE static LawEnergies<R> energies(const ContactState<R>& c, const Params& p, const LawResponse<R>& response,
                                              R stored_before, const History& before, const History& after) {
    const R overlap = math::max(c.overlap, R(0)), overlap_before = math::max(c.overlap_before, R(0));
    const Elastic k = elastic(c, p);
    const R stiff = k.loading * p.stiffer, now = power(overlap);
    const R force = math::max(math::min(k.loading * now, stiff * (now - before.plastic)), -before.branch * now);
    const R present = stored(stiff, overlap, after.plastic);
    const R at_start = math::min(p.ratio * power(overlap_before), after.plastic);
    const R plastic_before = before.plastic == R(0) ? at_start : before.plastic;
    const bool loads = stiff * (now - before.plastic) >= k.loading * now;
    const R tears = R(1) + before.branch / math::max(stiff, R(1e-37));
    const R lost =
        lost_along(loads ? k.loading : -before.branch, loads ? p.ratio : tears, plastic_before, after.plastic);

    Vec3<R> kept = c.shear;
    if constexpr (hertzian) { kept = unloading_factor(c, overlap).factor * c.shear; }
    const SpringStep<R> shear =
        spring_step(c.shear, kept, trial_after(c, overlap, k.shear), response.shear, k.shear).without_return();
    return {present - p.pull_off * overlap,
            leaning_sum(stored_before, shear.gained, c.lean),
            shear.friction,
            lost,
            response.normal + p.pull_off - force,
            response.tangential - response.shear,
            {}};
  }

 private:
  /// [m^(n+1)] the integral of u^n.
  SCREE_INLINE static R integral(R overlap) { return power(overlap) * overlap * (hertzian ? R(0.4) : R(0.5)); }

  /// [J] The energy that unloading along k2 returns.
  SCREE_INLINE static R stored(R stiff, R overlap, R plastic) {
    const R free = root(plastic);
    return stiff * (integral(overlap) - integral(free) - plastic * (overlap - free));
  }

  /// [J] lost on a branch with the force f u^n, along which u_p^n = ratio u^n = (1 - f/k2) u^n changes from `from` to
  /// `to`. It is f g n/(n+1) / ratio^(1/n) times the growth of u_p^(n+1), g = (1 - ratio^(1/n)) k2 / f, without
  /// cancellation: the loss of a step may be a millionth of what the springs store. Losses depend on u_p alone, so
  /// those of many steps add up to that of one, also where rounding moves a contact to another branch for a step.
  SCREE_INLINE static R lost_along(R f, R ratio, R from, R to) {
    if constexpr (hertzian) {
      const R third = math::cbrt(math::max(ratio, R(1e-12))), square = third * third;
      const R a = math::cbrt(from), b = math::cbrt(to);  // at least 1e-10
      const R aa = a * a, bb = b * b;
      const R grown = (to - from) * ((aa * aa + bb * bb) + a * b * (aa + bb) + aa * bb) / (aa + a * b + bb);
      return R(0.6) * f * (third + R(1)) / ((square + third + R(1)) * square) * grown;
    } else {
      return R(0.5) * f / math::max(ratio, R(1e-12)) * (to - from) * (to + from);
    }
  }

  /// [N] The shear at the end of a step without slip.
  SCREE_INLINE static Vec3<R> trial_after(const ContactState<R>& c, [[maybe_unused]] R overlap, R stiffness) {
    const Vec3<R> change = -(stiffness * c.time_step) * c.slip;
    if constexpr (hertzian) {
      return c.sheared(unloading_factor(c, overlap), change);
    } else {
      return c.sheared(change);
    }
  }
};

template <class R>
using Eepa = ElastoPlastic<R, true>;
template <class R>
using Luding = ElastoPlastic<R, false>;
static_assert(ContactLaw<Eepa<float>, float> && StatesEnergies<Eepa<float>, float>);
static_assert(ContactLaw<Luding<float>, float> && StatesEnergies<Luding<float>, float>);

}  // namespace scree::inline SCREE_BACKEND
