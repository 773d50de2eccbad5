#pragma once

#include "kernels/laws/energies.hpp"
#include "kernels/math/cube_root.hpp"

namespace scree::inline SCREE_BACKEND {

/// Adhesive spheres of Johnson, Kendall & Roberts (1971). gamma is the surface energy of each of two equal surfaces, so
/// the work of adhesion is 2 gamma. With the contact radius a,
///   u = a^2/R* - sqrt(4 pi gamma a / E*),  F_el = 4 E* a^3/(3 R*) - 4 sqrt(pi gamma E* a^3),
/// and pull-off is at F_el = -3 pi gamma R*. A contact begins at u = 0. It ends where a(u) has a vertical tangent, at u
/// < 0 and 5/9 of the pull-off force. In units L = (4 pi gamma R*^2 / E*)^(1/3) of a and L^2/R* of u, with a = L z^2:
///   z^4 - z = k,  F_el = 16/3 pi gamma R* z^3 (z^3 - 3/2),
/// where z follows from the real root of y^3 + 4 k y - 1 = 0 (Ferrari): z = (m + sqrt(2/m - y))/2, m^2 = y. The
/// tangential force has k_s = 8 G* a and otherwise follows HertzMindlinRescaled, with the factor a / a_old. Coulomb's
/// limit is that of F_N + 6 pi gamma R* (Thornton & Yin 1991). The dashpot, 2 beta sqrt(m* k_n) v_n with k_n = 2 E* a,
/// never pulls.
template <class R>
struct Jkr {
  static constexpr bool is_hertzian = true;
  static constexpr bool holds_apart = true;

  struct Params {
    R young;          ///< [Pa] E*
    R shear;          ///< [Pa] 8 G*
    R damping;        ///< [-] 2 beta
    R damping_shear;  ///< [-] 2 beta_s sqrt(k_s / k_n)
    R friction;       ///< [-]
    R adhesion;       ///< [N/m] pi gamma
    R length;         ///< [m] 4 pi gamma / E*: L^3 over R*^2

    static constexpr int n_components = 7;
    template <class Visit>
    SCREE_INLINE void each(Visit&& visit) {
      visit(0, young), visit(1, shear), visit(2, damping), visit(3, damping_shear), visit(4, friction);
      visit(5, adhesion), visit(6, length);
    }
  };

  struct History {
    R radius;  ///< [m] a after the last step; 0 if there was no contact

    static constexpr int n_components = 1;
    template <class Visit>
    SCREE_INLINE void each(Visit&& visit) {
      visit(0, radius);
    }
  };

  /// The overlap at which a contact ends, in units of L^2/R*: -(3/4) 4^(-1/3).
  static constexpr double end = -0.47247039371057954;

  struct Contact {
    R scale;  ///< [m] L
    R depth;  ///< [-] k
    R root;   ///< [-] z
    [[nodiscard]] SCREE_INLINE R radius() const { return scale * root * root; }
  };

  SCREE_INLINE static R newton(R y, R depth) { return (R(2) * y * y * y + R(1)) / (R(3) * y * y + R(4) * depth); }

  SCREE_INLINE static Contact solve(const ContactState<R>& c, const Params& p) {
    const R scale = math::cbrt(c.effective_radius * c.effective_radius * p.length);
    const R depth = math::max(c.overlap * c.effective_radius / (scale * scale), R(end));
    // Newton's method from above. The cubic is convex there, so it does not overshoot, and 6 steps reach the rounding
    // error.
    R y = math::min(R(1.5874010519681996), R(1) / math::max(R(4) * depth, R(0.1)));
    y = newton(newton(newton(newton(newton(newton(y, depth), depth), depth), depth), depth), depth);
    const R m = math::sqrt(y);
    return {scale, depth, R(0.5) * (m + math::sqrt(math::max(R(2) / m - y, R(0))))};
  }

  /// [N/m] k_s.
  SCREE_INLINE static R shear_stiffness(const ContactState<R>& c, const Params& p, const History&) {
    return p.shear * solve(c, p).radius();
  }

  /// Normal stiffness dF/du = 16/3 pi gamma R*^2/L^2 (6 z^5 - 9/2 z^2)/(4 z^3 - 1), but at least Hertz's stiffness at
  /// the same contact radius, because dF/du is negative past the pull-off.
  SCREE_INLINE static ContactStiffness<R> stiffness(const ContactState<R>& c, const Params& p, const History&) {
    const Contact contact = solve(c, p);
    const R hertz = R(2) * p.young * contact.radius();
    const R z = contact.root, square = z * z;
    const R slope = (R(6) * square * z - R(4.5)) * square / math::max(R(4) * square * z - R(1), R(1e-3));
    const R unit =
        R(16.0 / 3.0) * p.adhesion * c.effective_radius * c.effective_radius / (contact.scale * contact.scale);
    const R normal = math::max(unit * math::max(slope, R(0)), hertz);
    const R dashpot = math::sqrt(c.effective_mass * hertz);
    return {normal, p.shear * contact.radius(), p.damping * dashpot, p.damping_shear * dashpot, R(0), R(0), R(0), R(0)};
  }

  SCREE_INLINE static LawResponse<R> evaluate(const ContactState<R>& c, const Params& p, History& history) {
    const Contact contact = solve(c, p);
    // A weight of 1 or 0 instead of a condition: the compiler would turn a condition into branches, and then make no
    // vector loop.
    const R before = history.radius > R(0) ? R(1) : R(0);
    const R holds = contact.depth > R(end) ? before : R(0);
    const R lasts = c.overlap >= R(0) ? R(1) : holds;
    const R contact_radius = contact.radius();
    const R cube = contact.root * contact.root * contact.root;
    const R pull = p.adhesion * c.effective_radius;
    const R elastic = R(16.0 / 3.0) * pull * cube * (cube - R(1.5));

    const R dashpot = math::sqrt(c.effective_mass * (R(2) * p.young * contact_radius));
    const R normal = math::max(elastic - p.damping * dashpot * c.normal_velocity, math::min(elastic, R(0)));
    const Vec3<R> trial_shear =
        c.sheared(shrinkage(c, contact, history.radius), -(p.shear * contact_radius * c.time_step) * c.slip);
    const R limit = p.friction * math::max(normal + R(6) * pull, R(0));
    const auto [tangential, kept] = sliding_spring(trial_shear, (p.damping_shear * dashpot) * c.slip, limit);

    history.radius = lasts * contact_radius;
    return {lasts * normal,
            {lasts * tangential.x, lasts * tangential.y, lasts * tangential.z},
            {lasts * kept.x, lasts * kept.y, lasts * kept.z},
            {}};
  }

  /// [J] integral of F_el du from u = 0, where a contact begins: 16/3 pi gamma L^2 (2/5 z^10 - z^7 + 3/8 z^4 + 9/40).
  SCREE_INLINE static R potential(const Params& p, R scale, R root) {
    const R cube = root * root * root, fourth = cube * root;
    return R(16.0 / 3.0) * p.adhesion * scale * scale * (fourth * (R(0.4) * cube * cube - cube + R(0.375)) + R(0.225));
  }

  /// No energy is lost while the neck holds. When it snaps, the energy of both springs is lost. The potential of the
  /// normal spring then is that of the last step: near the end it hardly depends on the radius, so the rounding of the
  /// radius does not matter.
  SCREE_INLINE static LawEnergies<R> energies(const ContactState<R>& c, const Params& p, const LawResponse<R>& response,
                                              R stored_before, const History& before, const History& after) {
    const Contact contact = solve(c, p);
    const bool lasts = after.radius != R(0), held = before.radius != R(0);
    const R stiffness = p.shear * contact.radius();
    const R cube = contact.root * contact.root * contact.root;
    const R spring = R(16.0 / 3.0) * (p.adhesion * c.effective_radius) * cube * (cube - R(1.5));
    const R last = potential(p, contact.scale, math::sqrt(before.radius / contact.scale));
    const Shrinkage<R> shrink = shrinkage(c, contact, before.radius);
    const Vec3<R> kept = shrink.factor * c.shear;
    const Vec3<R> trial = c.sheared(shrink, -(stiffness * c.time_step) * c.slip);
    const SpringStep<R> shear = spring_step(c.shear, kept, trial, response.shear, stiffness);
    const Vec3<R> viscous = response.tangential - response.shear;
    return {lasts ? potential(p, contact.scale, contact.root) : R(0),
            lasts ? leaning_sum(stored_before, shear.gained, c.lean) : R(0),
            lasts ? shear.friction : R(0),
            lasts ? R(0) : stored_before + (held ? last : R(0)),
            lasts ? response.normal - spring : R(0),
            {viscous.x, viscous.y, viscous.z},
            {}};
  }

 private:
  /// a / a_old, at most 1. In single precision both radii are rounded, and a contact whose radius changes down and up
  /// by a last place would lose its shear. In a small step the loss is therefore computed by da/a = 2 R* du / (L^2 z (4
  /// z^3 - 1)).
  SCREE_INLINE static Shrinkage<R> shrinkage(const ContactState<R>& c, const Contact& contact, R radius_before) {
    const R factor = math::min(contact.radius() / math::max(radius_before, R(1e-37)), R(1));
    if constexpr (loses_increments<R>) {
      const R z = contact.root, slope = contact.scale * contact.scale * z * math::max(R(4) * z * z * z - R(1), R(1e-6));
      const R small = R(2) * c.effective_radius * math::max(c.retreat, R(0)) / slope;
      const R lost = small < R(1e-3) ? small : R(1) - factor;
      return {R(1) - lost, lost};
    } else {
      return {factor, R(0)};
    }
  }
};
static_assert(ContactLaw<Jkr<float>, float> && StatesEnergies<Jkr<float>, float>);

}  // namespace scree::inline SCREE_BACKEND
