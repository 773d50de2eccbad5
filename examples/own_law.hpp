#pragma once

#include "kernels/laws/stiffness.hpp"

namespace scree::inline SCREE_BACKEND {

/// A contact law of one's own: plastic contacts as two linear springs (Walton & Braun 1986). A contact is loaded along
/// the soft spring k_1 and unloaded along the stiff spring k_2, down to a dent u_p that stays as long as it lasts:
///   F_N = max(0, min(k_1 u, k_2 (u - u_p))),  u_p = (1 - k_1/k_2) u_max,  k_1 = e^2 k_2.
/// An impact at any speed then has the coefficient of restitution e. The tangential force is a linear spring K_T with
/// Coulomb friction. k_2 and K_T are those of the law cundall_strack.
///
/// docs/library.md says how such a struct becomes a law of the program.
template <class R>
struct WaltonBraun {
  /// Scalars of one pair of materials, listed by each().
  struct Params {
    R young1, young2;              ///< [Pa] k_2 over the radius, of the first and the second body; in series
    R shear1, shear2;              ///< [Pa] the same of K_T
    R stiffness, shear_stiffness;  ///< [N/m] given k_2 and K_T, instead of those
    R softening;                   ///< [-] k_1 / k_2
    R friction;                    ///< [-] tan(phi)

    static constexpr int n_components = 8;
    template <class Visit>
    SCREE_INLINE void each(Visit&& visit) {
      visit(0, young1), visit(1, young2), visit(2, shear1), visit(3, shear2), visit(4, stiffness);
      visit(5, shear_stiffness), visit(6, softening), visit(7, friction);
    }
  };

  /// What a contact remembers beside the shear: scalars that are 0 when it begins.
  struct History {
    R deepest;  ///< [m] u_max

    static constexpr int n_components = 1;
    template <class Visit>
    SCREE_INLINE void each(Visit&& visit) {
      visit(0, deepest);
    }
  };

  /// The body of a vector loop: minima and maxima take the place of jumps.
  SCREE_INLINE static LawResponse<R> evaluate(const ContactState<R>& c, const Params& p, History& history) {
    const R overlap = math::max(c.overlap, R(0)), stiff = normal_stiffness(c, p);
    history.deepest = math::max(history.deepest, overlap);
    const R dent = (R(1) - p.softening) * history.deepest;
    const R normal = math::max(math::min(p.softening * stiff * overlap, stiff * (overlap - dent)), R(0));

    const Vec3<R> trial = c.sheared(-(shear_stiffness(c, p) * c.time_step) * c.slip);
    const Vec3<R> shear = coulomb_factor(trial, p.friction * normal) * trial;
    return {normal, {shear.x, shear.y, shear.z}, {shear.x, shear.y, shear.z}, {}};
  }

  /// [N/m] K_T; rolling resistance asks for it.
  SCREE_INLINE static R shear_stiffness(const ContactState<R>& c, const Params& p) {
    return in_series(p.shear1 * c.radius1, p.shear2 * c.radius2) + p.shear_stiffness;
  }

  /// The critical time step follows from the stiffer of the two springs.
  SCREE_INLINE static ContactStiffness<R> stiffness(const ContactState<R>& c, const Params& p, const History&) {
    return {normal_stiffness(c, p), shear_stiffness(c, p), R(0), R(0), R(0), R(0), R(0), R(0)};
  }

 private:
  SCREE_INLINE static R normal_stiffness(const ContactState<R>& c, const Params& p) {
    return in_series(p.young1 * c.radius1, p.young2 * c.radius2) + p.stiffness;
  }
  /// The tiny bound keeps 0/0 out of the vector loop.
  SCREE_INLINE static R in_series(R first, R second) { return first * second / math::max(first + second, R(1e-37)); }
};
static_assert(ContactLaw<WaltonBraun<float>, float> && StatesStiffness<WaltonBraun<float>, float>);

}  // namespace scree::inline SCREE_BACKEND
