#pragma once

#include "kernels/laws/energies.hpp"

namespace scree::inline SCREE_BACKEND {

/// Hertz normal force, Mindlin no-slip shear stiffness, viscous damping from the restitution, Coulomb limit on the
/// total tangential force:
///   F_el = 4/3 E* sqrt(R*) u^1.5,  k_n = 2 E* sqrt(R* u),  k_s = 8 G* sqrt(R* u),
///   F_N = max(0, F_el - 2 beta sqrt(m* k_n) v_n),
///   f_el <- f_el - k_s dt v_T,  f_T = f_el - 2 beta sqrt(m* k_s) v_T,  |f_T| <= F_N tan(phi); when it slides, f_el <- f_T.
/// Limiting the total, not only the elastic part, keeps the viscous shear within Coulomb. As in every incremental
/// no-slip model f_el is not reduced when u decreases.
template <class R>
struct HertzMindlin {
  struct Params {
    R young;          ///< [Pa] E*
    R shear;          ///< [Pa] 8 G*
    R damping;        ///< [-] 2 beta
    R damping_shear;  ///< [-] 2 beta sqrt(k_s / k_n)
    R friction;       ///< [-]

    static constexpr int n_components = 5;
    template <class Visit>
    SCREE_INLINE void each(Visit&& visit) {
      visit(0, young), visit(1, shear), visit(2, damping), visit(3, damping_shear), visit(4, friction);
    }
  };

  SCREE_INLINE static LawResponse<R> evaluate(const ContactState<R>& c, const Params& p) {
    const R overlap = math::max(c.overlap, R(0));
    const R contact_radius = math::sqrt(c.effective_radius * overlap);
    const R normal_stiffness = R(2) * p.young * contact_radius;
    const R shear_stiffness = p.shear * contact_radius;
    const R dashpot = math::sqrt(c.effective_mass * normal_stiffness);

    const R elastic = R(2.0 / 3.0) * normal_stiffness * overlap;
    const R normal = math::max(elastic - p.damping * dashpot * c.normal_velocity, R(0));

    const Vec3<R> trial_shear = c.shear - (shear_stiffness * c.time_step) * c.slip;
    const Vec3<R> viscous = (p.damping_shear * dashpot) * c.slip;
    const Vec3<R> trial = trial_shear - viscous;
    const R factor = coulomb_factor(trial, p.friction * normal);
    const Vec3<R> tangential = factor * trial;
    const Vec3<R> kept = select(factor == R(1), trial_shear, tangential);
    return {normal, {tangential.x, tangential.y, tangential.z}, {kept.x, kept.y, kept.z}, {}};
  }

  /// The normal spring stores 2/5 F_el u. The shear spring has no potential, since its stiffness changes with u: what it
  /// stores is the work it took, and what is left (or was given too much) when the contact ends is lost.
  SCREE_INLINE static LawEnergies<R> energies(const ContactState<R>& c, const Params& p, const LawResponse<R>& response,
                                              R stored_before) {
    const R overlap = math::max(c.overlap, R(0));
    const R contact_radius = math::sqrt(c.effective_radius * overlap);
    const R shear_stiffness = p.shear * contact_radius;
    const R elastic = R(4.0 / 3.0) * p.young * contact_radius * overlap;
    const Vec3<R> trial = c.shear - (shear_stiffness * c.time_step) * c.slip;
    const SpringStep<R> shear = spring_step(c.shear, trial, response.shear, shear_stiffness);
    return {R(0.4) * elastic * overlap, stored_before + shear.gained, shear.friction, R(0), response.normal - elastic,
            response.tangential - response.shear, {}};
  }
};
static_assert(ContactLaw<HertzMindlin<float>, float> && StatesEnergies<HertzMindlin<float>, float>);

}  // namespace scree::inline SCREE_BACKEND
