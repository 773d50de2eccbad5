#pragma once

#include <type_traits>

#include "kernels/laws/energies.hpp"

namespace scree::inline SCREE_BACKEND {

/// Parameters of a pair of materials for the laws with Hertz's normal force.
template <class R>
struct HertzParams {
  R young;          ///< [Pa] E*
  R shear;          ///< [Pa] 8 G*
  R damping;        ///< [-] 2 beta
  R damping_shear;  ///< [-] 2 beta_s sqrt(k_s / k_n)
  R friction;       ///< [-]

  static constexpr int n_components = 5;
  template <class Visit>
  SCREE_INLINE void each(Visit&& visit) {
    visit(0, young), visit(1, shear), visit(2, damping), visit(3, damping_shear), visit(4, friction);
  }
};

/// These parameters with adhesion.
template <class R>
struct AdhesiveHertzParams : HertzParams<R> {
  R pull;  ///< [N/m] adhesive force over R*

  static constexpr int n_components = HertzParams<R>::n_components + 1;
  template <class Visit>
  SCREE_INLINE void each(Visit&& visit) {
    HertzParams<R>::each(visit);
    visit(HertzParams<R>::n_components, pull);
  }
};

/// The factor on the elastic tangential force if the contact radius has shrunk: sqrt(u / u_old). It is 1 if the radius
/// has grown.
template <class R>
SCREE_INLINE Shrinkage<R> unloading_factor(const ContactState<R>& c, R overlap) {
  if constexpr (loses_increments<R>) {
    const R retreat = math::max(c.retreat, R(0)), before = overlap + retreat;
    const R lost = retreat / math::max(before + math::sqrt(before * overlap), R(1e-37));  // 1 - sqrt(u / u_old)
    return {R(1) - lost, lost};
  } else {
    return {math::sqrt(overlap / math::max(math::max(c.overlap_before, overlap), R(1e-37))), R(0)};
  }
}

/// Hertz normal force, Mindlin no-slip shear stiffness, viscous damping from the coefficient of restitution, Coulomb
/// limit on the total tangential force:
///   F_el = 4/3 E* sqrt(R*) u^1.5,  k_n = 2 E* sqrt(R* u),  k_s = 8 G* sqrt(R* u),
///   F_N = max(0, F_el - 2 beta sqrt(m* k_n) v_n),
///   f_el <- f_el - k_s dt v_T,  f_T = f_el - 2 beta_s sqrt(m* k_s) v_T,  |f_T|, |f_el| <= F_N tan(phi).
/// The limit is on the total force, so that viscous shear cannot exceed it, and on the elastic part alone: a spring
/// that kept the limited total force would store work of the dashpot, and a sliding contact could gain energy. With
/// `rescaled`, f_el is first multiplied by sqrt(u / u_old) if u has decreased, so that it loses the force of springs
/// that no longer exist (Thornton, Cummins & Cleary 2013). Without `rescaled` it is not, as in every incremental
/// no-slip model. With `adhesive`, a constant pull F_ad acts while u > 0 (Derjaguin, Muller & Toporov 1975): F_N <- F_N
/// - F_ad, but Coulomb's limit is then that of F_N + F_ad.
template <class R, bool rescaled, bool adhesive>
struct HertzFamily {
  static constexpr bool is_hertzian = true;
  using Params = std::conditional_t<adhesive, AdhesiveHertzParams<R>, HertzParams<R>>;

  SCREE_INLINE static LawResponse<R> evaluate(const ContactState<R>& c, const Params& p) {
    const R overlap = math::max(c.overlap, R(0));
    const R contact_radius = math::sqrt(c.effective_radius * overlap);
    const R normal_stiffness = R(2) * p.young * contact_radius;
    const R stiffness = p.shear * contact_radius;
    const R dashpot = math::sqrt(c.effective_mass * normal_stiffness);

    const R elastic = R(2.0 / 3.0) * normal_stiffness * overlap;
    const R normal = math::max(elastic - p.damping * dashpot * c.normal_velocity, R(0));

    const Vec3<R> trial_shear = trial_after(c, overlap, stiffness);
    const Vec3<R> viscous = (p.damping_shear * dashpot) * c.slip;
    const auto [tangential, kept] = sliding_spring(trial_shear, viscous, p.friction * normal);
    R total = normal;
    if constexpr (adhesive) { total = normal - p.pull * c.effective_radius; }
    return {total, {tangential.x, tangential.y, tangential.z}, {kept.x, kept.y, kept.z}, {}};
  }

  /// [N/m] k_s at the present overlap.
  SCREE_INLINE static R shear_stiffness(const ContactState<R>& c, const Params& p) {
    return p.shear * math::sqrt(c.effective_radius * math::max(c.overlap, R(0)));
  }

  SCREE_INLINE static ContactStiffness<R> stiffness(const ContactState<R>& c, const Params& p) {
    const R contact_radius = math::sqrt(c.effective_radius * math::max(c.overlap, R(0)));
    const R normal = R(2) * p.young * contact_radius;
    const R dashpot = math::sqrt(c.effective_mass * normal);
    return {normal, p.shear * contact_radius, p.damping * dashpot, p.damping_shear * dashpot, R(0), R(0), R(0), R(0)};
  }

  /// The normal spring stores 2/5 F_el u - F_ad u. The shear spring has no potential, since its stiffness changes with
  /// u. It stores the work done on it without the friction; the remainder (or excess) at the end of the contact is
  /// lost.
  /// `returns`: friction gives back in some steps what it took in others.
  template <bool returns = false>
  SCREE_INLINE static LawEnergies<R> energies(const ContactState<R>& c, const Params& p, const LawResponse<R>& response,
                                              R stored_before) {
    const R overlap = math::max(c.overlap, R(0));
    const R stiffness = shear_stiffness(c, p);
    R spring = R(4.0 / 3.0) * p.young * math::sqrt(c.effective_radius * overlap) * overlap;
    R potential = R(0.4) * spring * overlap;
    if constexpr (adhesive) {
      spring = spring - p.pull * c.effective_radius;
      potential = potential - p.pull * c.effective_radius * overlap;
    }
    Vec3<R> kept = c.shear;
    if constexpr (rescaled) { kept = unloading_factor(c, overlap).factor * c.shear; }
    SpringStep<R> shear = spring_step(c.shear, kept, trial_after(c, overlap, stiffness), response.shear, stiffness);
    if constexpr (!returns) { shear = shear.without_return(); }
    return {potential,
            leaning_sum(stored_before, shear.gained, c.lean),
            shear.friction,
            R(0),
            response.normal - spring,
            response.tangential - response.shear,
            {}};
  }

 private:
  /// [N] The shear at the end of a step without slip.
  SCREE_INLINE static Vec3<R> trial_after(const ContactState<R>& c, R overlap, R stiffness) {
    const Vec3<R> change = -(stiffness * c.time_step) * c.slip;
    if constexpr (rescaled) {
      return c.sheared(unloading_factor(c, overlap), change);
    } else {
      return c.sheared(change);
    }
  }
};

template <class R>
using HertzMindlin = HertzFamily<R, false, false>;
template <class R>
using HertzMindlinRescaled = HertzFamily<R, true, false>;
template <class R>
using HertzMindlinDmt = HertzFamily<R, true, true>;
static_assert(ContactLaw<HertzMindlin<float>, float> && ContactLaw<HertzMindlinRescaled<float>, float> &&
              ContactLaw<HertzMindlinDmt<float>, float>);
static_assert(StatesEnergies<HertzMindlin<float>, float> && StatesEnergies<HertzMindlinRescaled<float>, float> &&
              StatesEnergies<HertzMindlinDmt<float>, float>);

}  // namespace scree::inline SCREE_BACKEND
