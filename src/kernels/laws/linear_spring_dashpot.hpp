#pragma once

#include "kernels/laws/energies.hpp"

namespace scree::inline SCREE_BACKEND {

/// Linear springs and dashpots with Coulomb friction (Cundall & Strack 1979; Schafer, Dippel & Wolf 1996):
///   F_N = max(0, K_N u - c_N v_n),
///   f_el <- f_el - K_T dt v_T,  f_T = f_el - c_T v_T,  both |f_T| and |f_el| <= F_N tan(phi).
/// Each stiffness is a sum of three terms, and a pair of materials uses one of them: K = s m*, from a given contact
/// time; a given K; or two springs in series, one per body, k_i = 2 E_i r_i, in shear nu_i k_i. The dashpots are given,
/// or follow from a damping ratio: c_N = 2 b sqrt(K_N m*), c_T = 2 b_t sqrt(2/7 K_T m*).
///
/// A law whose pairs of materials all leave a term out is compiled without it, see LinearForm. The term would be 0 and
/// change no bit, but it costs two divisions or two square roots per contact.
struct LinearForm {
  bool from_moduli = true;     ///< some pair has springs in series
  bool damping_ratios = true;  ///< some pair has a damping ratio
};

template <class R, LinearForm form>
struct LinearFamily {
  struct Params {
    R young1, young2;                      ///< [Pa] 2 E of each body; only for forms with `from_moduli`
    R shear1, shear2;                      ///< [Pa] 2 E nu of each body; likewise
    R stiffness_per_mass, shear_per_mass;  ///< [1/s2]
    R stiffness, shear_stiffness;          ///< [N/m]
    R dashpot, shear_dashpot;              ///< [N s/m]
    R damping, damping_shear;              ///< [-] 2 b, 2 b_t sqrt(2/7); only for forms with `damping_ratios`
    R friction;                            ///< [-]

    static constexpr int n_moduli = form.from_moduli ? 4 : 0, n_ratios = form.damping_ratios ? 2 : 0;
    static constexpr int n_components = 7 + n_moduli + n_ratios;
    template <class Visit>
    SCREE_INLINE void each(Visit&& visit) {
      visit(0, stiffness_per_mass), visit(1, shear_per_mass), visit(2, stiffness), visit(3, shear_stiffness);
      visit(4, dashpot), visit(5, shear_dashpot), visit(6, friction);
      if constexpr (form.from_moduli) { visit(7, young1), visit(8, young2), visit(9, shear1), visit(10, shear2); }
      if constexpr (form.damping_ratios) { visit(7 + n_moduli, damping), visit(8 + n_moduli, damping_shear); }
    }
  };

  /// The values that follow from radii, masses and parameters alone.
  struct OfContact {
    R normal, shear;                  ///< [N/m] K_N, K_T
    R normal_dashpot, shear_dashpot;  ///< [N s/m] c_N, c_T
  };
  SCREE_INLINE static OfContact of_contact(const ContactState<R>& c, const Params& p) {
    const R normal = normal_stiffness(c, p), shear = shear_stiffness(c, p);
    if constexpr (form.damping_ratios) {
      return {normal, shear, p.dashpot + p.damping * math::sqrt(normal * c.effective_mass),
              p.shear_dashpot + p.damping_shear * math::sqrt(shear * c.effective_mass)};
    } else {
      return {normal, shear, p.dashpot, p.shear_dashpot};
    }
  }

  /// [N/m] K_N.
  SCREE_INLINE static R normal_stiffness(const ContactState<R>& c, const Params& p) {
    if constexpr (form.from_moduli) {
      return in_series(p.young1 * c.radius1, p.young2 * c.radius2) + p.stiffness_per_mass * c.effective_mass +
             p.stiffness;
    } else {
      return p.stiffness_per_mass * c.effective_mass + p.stiffness;
    }
  }
  /// [N/m] K_T.
  SCREE_INLINE static R shear_stiffness(const ContactState<R>& c, const Params& p) {
    if constexpr (form.from_moduli) {
      return in_series(p.shear1 * c.radius1, p.shear2 * c.radius2) + p.shear_per_mass * c.effective_mass +
             p.shear_stiffness;
    } else {
      return p.shear_per_mass * c.effective_mass + p.shear_stiffness;
    }
  }

  SCREE_INLINE static ContactStiffness<R> stiffness(const ContactState<R>& c, const Params& p) {
    const OfContact k = of_contact(c, p);
    return {k.normal, k.shear, k.normal_dashpot, k.shear_dashpot, R(0), R(0), R(0), R(0)};
  }

  SCREE_INLINE static LawResponse<R> evaluate(const ContactState<R>& c, const Params& p) {
    return evaluate(c, p, of_contact(c, p));
  }
  SCREE_INLINE static LawResponse<R> evaluate(const ContactState<R>& c, const Params& p, const OfContact& k) {
    const R normal = math::max(k.normal * math::max(c.overlap, R(0)) - k.normal_dashpot * c.normal_velocity, R(0));
    const Vec3<R> trial_shear = c.sheared(-(k.shear * c.time_step) * c.slip);
    const auto [tangential, kept] = sliding_spring(trial_shear, k.shear_dashpot * c.slip, p.friction * normal);
    return {normal, {tangential.x, tangential.y, tangential.z}, {kept.x, kept.y, kept.z}, {}};
  }

  /// Stored: K_N u^2 / 2 and f_el^2 / (2 K_T).
  SCREE_INLINE static LawEnergies<R> energies(const ContactState<R>& c, const Params& p, const LawResponse<R>& response,
                                              R) {
    return linear_energies(c, response, normal_stiffness(c, p), shear_stiffness(c, p), math::max(c.overlap, R(0)));
  }

 private:
  /// The stiffness of two springs in series; 0 if one of them is missing.
  SCREE_INLINE static R in_series(R a, R b) { return a * b / math::max(a + b, R(1e-37)); }
};

/// The form with all terms.
template <class R>
using LinearSpringDashpot = LinearFamily<R, LinearForm{}>;
static_assert(ContactLaw<LinearSpringDashpot<float>, float> && StatesEnergies<LinearSpringDashpot<float>, float>);

}  // namespace scree::inline SCREE_BACKEND
