#pragma once

#include "kernels/laws/energies.hpp"

namespace scree::inline SCREE_BACKEND {

/// Linear elastic springs with Coulomb friction, no viscosity (Cundall & Strack 1979, with material stiffness as
/// serial springs):
///   k_i = 2 E_i r_i,  K_N = k_1 k_2 / (k_1 + k_2),  K_T from nu_i k_i in the same way;
///   F_N = K_N u,  f_T <- f_T - K_T dt v_T,  |f_T| <= F_N tan(phi).
template <class R>
struct CundallStrack {
  struct Params {
    R young1, young2;  ///< [Pa] of the first and the second body
    R ratio1, ratio2;  ///< [-] ratio of shear to normal stiffness of each body
    R friction;        ///< [-]

    static constexpr int n_components = 5;
    template <class Visit>
    SCREE_INLINE void each(Visit&& visit) {
      visit(0, young1), visit(1, young2), visit(2, ratio1), visit(3, ratio2), visit(4, friction);
    }
  };

  /// The values that follow from radii and parameters alone.
  struct OfContact {
    R normal, shear;  ///< [N/m] K_N, K_T
  };
  SCREE_INLINE static OfContact of_contact(const ContactState<R>& c, const Params& p) {
    return {normal_stiffness(c, p), shear_stiffness(c, p)};
  }

  /// [N/m] K_N.
  SCREE_INLINE static R normal_stiffness(const ContactState<R>& c, const Params& p) {
    const R k1 = R(2) * p.young1 * c.radius1;
    const R k2 = R(2) * p.young2 * c.radius2;
    return k1 * k2 / (k1 + k2);
  }
  /// [N/m] K_T.
  SCREE_INLINE static R shear_stiffness(const ContactState<R>& c, const Params& p) {
    const R t1 = p.ratio1 * (R(2) * p.young1 * c.radius1);
    const R t2 = p.ratio2 * (R(2) * p.young2 * c.radius2);
    return t1 * t2 / math::max(t1 + t2, R(1e-37));
  }

  SCREE_INLINE static ContactStiffness<R> stiffness(const ContactState<R>& c, const Params& p) {
    return {normal_stiffness(c, p), shear_stiffness(c, p), R(0), R(0), R(0), R(0), R(0), R(0)};
  }

  SCREE_INLINE static LawResponse<R> evaluate(const ContactState<R>& c, const Params& p) {
    return evaluate(c, p, of_contact(c, p));
  }
  SCREE_INLINE static LawResponse<R> evaluate(const ContactState<R>& c, const Params& p, const OfContact& k) {
    const R normal = k.normal * math::max(c.overlap, R(0));
    const Vec3<R> trial = c.sheared(-(k.shear * c.time_step) * c.slip);
    const Vec3<R> shear = coulomb_factor(trial, p.friction * normal) * trial;
    return {normal, {shear.x, shear.y, shear.z}, {shear.x, shear.y, shear.z}, {}};
  }

  /// Stored: F_N^2 / (2 K_N) and f_T^2 / (2 K_T).
  SCREE_INLINE static LawEnergies<R> energies(const ContactState<R>& c, const Params& p, const LawResponse<R>& response,
                                              R) {
    const R stiffness = shear_stiffness(c, p);
    const Vec3<R> trial = c.sheared(-(stiffness * c.time_step) * c.slip);
    const R friction = spring_step(c.shear, c.shear, trial, response.shear, stiffness).friction;
    const R stored = R(0.5) * dot(response.shear, response.shear) / math::max(stiffness, R(1e-37));
    const R normal = R(0.5) * response.normal * response.normal / normal_stiffness(c, p);
    return {normal, stored, friction, R(0), R(0), {}, {}};
  }
};
static_assert(ContactLaw<CundallStrack<float>, float> && StatesEnergies<CundallStrack<float>, float>);

}  // namespace scree::inline SCREE_BACKEND
