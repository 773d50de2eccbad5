#pragma once

#include "kernels/laws/energies.hpp"

namespace scree::inline SCREE_BACKEND {

/// The law `bonded` at the nodes of level-set grains. It has stiffnesses per area, K = k pi r1 r2 with the radii of the
/// spheres of the same volumes, so that a node of the area A has k A. Nodes that are not bonded have linear springs and
/// dashpots with friction:
///   F_N = max(0, K_N (u - s) - c_N v_n),
///   f_el <- f_el - K_T dt v_T,  f_T = f_el - c_T v_T,  both |f_T| and |f_el| <= F_N tan(phi).
/// Both dashpots follow from the damping ratio: c = 2 b sqrt(K m*). A bonded node has the force -K w - c dw/dt, where w
/// is how far it has moved since the bond was made (step/nodes/bonded_nodes.hpp). Surfaces that are bonded may overlap,
/// as grids are not exact. When such a bond breaks, the contact begins with this overlap as s, so that it does not push
/// the grains apart. s <- min(s, u): what the contact has given up does not come back.
template <class R>
struct BondedNodes {
  static constexpr bool bonds_nodes = true;

  struct Params {
    R young, shear_modulus;        ///< [Pa] over r1 + r2: stiffness per area, where none is given
    R stiffness, shear_stiffness;  ///< [Pa/m] given stiffness per area
    R damping;                     ///< [-] 2 b
    R tensile_strength, cohesion;  ///< [Pa]
    R friction;                    ///< [-]
    R gap;                         ///< [m] nodes that are not farther from the other surface are bonded

    static constexpr int n_components = 9;
    template <class Visit>
    SCREE_INLINE void each(Visit&& visit) {
      visit(0, young), visit(1, shear_modulus), visit(2, stiffness), visit(3, shear_stiffness), visit(4, damping);
      visit(5, tensile_strength), visit(6, cohesion), visit(7, friction), visit(8, gap);
    }
  };

  struct History {
    R settled;  ///< [m] s

    static constexpr int n_components = 1;
    template <class Visit>
    SCREE_INLINE void each(Visit&& visit) {
      visit(0, settled);
    }
  };

  SCREE_INLINE static R gap(const Params& p) { return p.gap; }
  /// [m2] The area by which forces are divided to get tractions.
  SCREE_INLINE static R area(const ContactState<R>& c) { return R(3.14159265358979323846) * c.radius1 * c.radius2; }

  /// The stiffness follows from radii, masses and parameters alone.
  using OfContact = ContactStiffness<R>;
  SCREE_INLINE static OfContact of_contact(const ContactState<R>& c, const Params& p) { return stiffness(c, p); }
  SCREE_INLINE static ContactStiffness<R> stiffness(const ContactState<R>& c, const Params& p) {
    const R length = c.radius1 + c.radius2;
    const R normal = (p.stiffness + p.young / length) * area(c);
    const R shear = (p.shear_stiffness + p.shear_modulus / length) * area(c);
    return {normal,
            shear,
            p.damping * math::sqrt(normal * c.effective_mass),
            p.damping * math::sqrt(shear * c.effective_mass),
            R(0),
            R(0),
            R(0),
            R(0)};
  }

  /// Whether a bond of a given strength (a multiple of the strength of the law) holds a tension (negative: compression)
  /// and a shear stress [Pa]. Compression increases the shear strength.
  SCREE_INLINE static bool holds(const Params& p, R strength, R tension, R square_of_shear) {
    const R limit = math::max(strength * p.cohesion - p.friction * tension, R(0));
    return !(tension > strength * p.tensile_strength) && !(square_of_shear > limit * limit);
  }

  SCREE_INLINE static LawResponse<R> evaluate(const ContactState<R>& c, const Params& p, History& history) {
    return evaluate(c, p, stiffness(c, p), history);
  }
  SCREE_INLINE static LawResponse<R> evaluate(const ContactState<R>& c, const Params& p, const OfContact& k,
                                              History& history) {
    const R overlap = math::max(c.overlap, R(0));
    history.settled = math::min(history.settled, overlap);
    const R normal = math::max(k.normal * (overlap - history.settled) - k.normal_dashpot * c.normal_velocity, R(0));
    const Vec3<R> trial_shear = c.sheared(-(k.shear * c.time_step) * c.slip);
    const auto [tangential, kept] = sliding_spring(trial_shear, k.shear_dashpot * c.slip, p.friction * normal);
    return {normal, {tangential.x, tangential.y, tangential.z}, {kept.x, kept.y, kept.z}, {}};
  }

  /// Stored: K_N (u - s)^2 / 2 and f_el^2 / (2 K_T).
  SCREE_INLINE static LawEnergies<R> energies(const ContactState<R>& c, const Params& p, const LawResponse<R>& response,
                                              R, const History&, const History& after) {
    const ContactStiffness<R> k = stiffness(c, p);
    return linear_energies(c, response, k.normal, k.shear, math::max(c.overlap, R(0)) - after.settled);
  }
};
static_assert(ContactLaw<BondedNodes<float>, float> && StatesEnergies<BondedNodes<float>, float>);

}  // namespace scree::inline SCREE_BACKEND
