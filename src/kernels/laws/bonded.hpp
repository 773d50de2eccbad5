#pragma once

#include "kernels/laws/energies.hpp"

namespace scree::inline SCREE_BACKEND {

/// Brittle bonds between particles that are near each other when the run starts, as in concrete models (Hentz,
/// Daudeville & Donze 2004). Contacts that never had a bond, or whose bond has broken, have friction with the same
/// springs:
///   A = pi min(r1, r2)^2,  K_N = E A / d0,  K_T = G A / d0,  strain e = l / d0 - 1, or ln(l / d0) where l < d0;
///   F_N = -K_N d0 e,  f_T <- f_T - K_T dt v_T.
/// A bond of the strength s breaks if F_N < -s (tensile strength) A or |f_T| > max(0, s (cohesion) A + F_N tan(phi)).
/// With moments (ByMoments) F_N - A sigma_b and |f_T| + A tau_t stand on the left of the two.
/// Afterwards F_N >= 0 and |f_T| <= F_N tan(phi). d0 is the distance at which the bond was made, or r1 + r2 for
/// contacts that never had one. A broken bond keeps d0 where the bodies had an overlap then, as they would spring apart
/// without it. It does not keep a gap, since nothing is left that could press there: from the step after the break on
/// d0 = r1 + r2. s is 1, or a random number (BondStrength).
template <class R>
struct Bonded {
  static constexpr bool holds_apart = true;
  static constexpr bool makes_bonds = true;

  struct Params {
    R young, shear;       ///< [Pa] E and G
    R tensile_strength;   ///< [Pa]
    R cohesion;           ///< [Pa]
    R friction;           ///< [-]
    R interaction_range;  ///< [-] bonds are made up to this multiple of r1 + r2
    R logarithmic;        ///< [-] 1: logarithmic strain in compression; 0: linear

    R moment_contribution = R(0);  ///< [-] beta; WithRolling has the moments

    static constexpr int n_components = 8;
    template <class Visit>
    SCREE_INLINE void each(Visit&& visit) {
      visit(0, young), visit(1, shear), visit(2, tensile_strength), visit(3, cohesion), visit(4, friction);
      visit(5, interaction_range), visit(6, logarithmic), visit(7, moment_contribution);
    }
  };

  /// [N] The largest stresses that bending and torsion cause in a bond, times A. The bond counts as a beam with a
  /// circular section of the radius R = min(r1, r2) (Potyondy & Cundall 2004; beta: Potyondy 2011): sigma_b = beta
  /// |M_b| R / I,  tau_t = beta |M_t| R / J,  I = pi R^4 / 4,  J = 2 I.
  struct ByMoments {
    R tension, shear;
  };
  /// `bending` and `twisting` are |M_b| and |M_t| [N m].
  SCREE_INLINE static ByMoments by_moments(const ContactState<R>& c, const Params& p, R bending, R twisting) {
    const R per_length = p.moment_contribution / math::min(c.radius1, c.radius2);
    // Infinite moments are cut off, because their product with a factor of 0 must be 0.
    return {R(4) * per_length * math::min(R(1e30), bending), R(2) * per_length * math::min(R(1e30), twisting)};
  }

  struct History {
    /// [-] above 0: the strength s of a whole bond; 0: a contact that never had a bond; -1: a broken bond whose contact
    /// lasts; remembered_bond: a broken bond of bodies that are apart, see ViscousBonded
    R state;
    R offset;  ///< [m] overlap at which the bond was made, so that d0 = r1 + r2 - offset

    static constexpr int n_components = 2;
    template <class Visit>
    SCREE_INLINE void each(Visit&& visit) {
      visit(0, state), visit(1, offset);
    }
  };

  SCREE_INLINE static R range(const Params& p) { return p.interaction_range; }
  SCREE_INLINE static void bond(History& history, R overlap, R strength) { history = {strength, overlap}; }
  SCREE_INLINE static bool whole(const History& history) { return history.state > R(0); }
  /// [m] r1 + r2 - d0 in this step. A broken bond has lost the gap at which it was made.
  SCREE_INLINE static R offset_of(const History& history) {
    return math::max(history.offset, history.state > R(0) ? R(-1e30) : R(0));
  }

  /// [m] The overlap of bodies without a whole bond, beyond the overlap at which their bond was made; 0 with a whole
  /// bond.
  SCREE_INLINE static R overlap_without_bond(R overlap, const History& history) {
    return whole(history) ? R(0) : overlap - offset_of(history);
  }

  /// Logical "and" without a branch, because && would prevent a vector loop.
  SCREE_INLINE static bool both(bool a, bool b) { return (static_cast<int>(a) & static_cast<int>(b)) != 0; }

  SCREE_INLINE static LawResponse<R> evaluate(const ContactState<R>& c, const Params& p, History& history) {
    return evaluate(c, p, history, {R(0), R(0)});
  }
  SCREE_INLINE static LawResponse<R> evaluate(const ContactState<R>& c, const Params& p, History& history,
                                              const ByMoments& more) {
    return springs(c, p, history, more).response;
  }

  struct Sprung {
    LawResponse<R> response;
    R normal_trial;  ///< [N] F_N of the spring, also where it pulls without a whole bond
  };
  /// Like evaluate(), for laws that add to it.
  SCREE_INLINE static Sprung springs(const ContactState<R>& c, const Params& p, History& history,
                                     const ByMoments& more) {
    const R radius = math::min(c.radius1, c.radius2);
    const R area = R(3.14159265358979323846) * radius * radius;
    const R offset = offset_of(history);
    const R length = c.radius1 + c.radius2 - offset;
    const R stiffness = p.shear * area / length;
    const R shorter = c.overlap - offset;  // d0 - l, without cancellation
    const R closing = math::min(math::max(shorter / length, R(0)), R(0.95));
    const R in_compression = p.logarithmic > R(0) ? -length * math::log_of_one_minus(closing) : shorter;
    const R normal_trial = p.young * area / length * (shorter > R(0) ? in_compression : shorter);
    const Vec3<R> trial = c.sheared(-(stiffness * c.time_step) * c.slip);

    const R strength = history.state;  // without meaning if there is no bond
    const R shear_limit = math::max(strength * p.cohesion * area + p.friction * normal_trial, R(0));
    const R left = shear_limit - more.shear;
    const R left_squared = left < R(0) ? R(-1) : left * left;  // -1: torsion alone breaks the bond
    const bool untorn = !(normal_trial - more.tension < -(strength * p.tensile_strength) * area);
    const bool strong = both(untorn, !(dot(trial, trial) > left_squared));
    const bool holds = both(history.state > R(0), strong);
    const R normal = holds ? normal_trial : math::max(normal_trial, R(0));
    const R factor = coulomb_factor(trial, p.friction * normal);
    const Vec3<R> shear = select(holds, trial, factor * trial);

    // A broken bond is forgotten once its bodies are apart: the contact then ends before the next step.
    const bool together = math::max(c.overlap, shorter) > R(0);
    const R broken = both(history.state != R(0), together) ? R(-1) : R(0);
    history.state = holds ? strength : broken;
    history.offset = history.state != R(0) ? offset : R(0);
    return {{normal, {shear.x, shear.y, shear.z}, {shear.x, shear.y, shear.z}, {}}, normal_trial};
  }

  /// Tangent stiffness. With logarithmic strain it is K_N / (1 - (d0 - l)/d0) in compression.
  SCREE_INLINE static ContactStiffness<R> stiffness(const ContactState<R>& c, const Params& p, const History& history) {
    const R radius = math::min(c.radius1, c.radius2);
    const R area = R(3.14159265358979323846) * radius * radius;
    const R offset = offset_of(history);
    const R length = c.radius1 + c.radius2 - offset;
    const R closing = math::min(math::max((c.overlap - offset) / length, R(0)), R(0.95));
    const R steeper = p.logarithmic > R(0) ? R(1) / (R(1) - closing) : R(1);
    return {steeper * p.young * area / length, p.shear * area / length, R(0), R(0), R(0), R(0), R(0), R(0)};
  }

  /// [N/m] K_T.
  SCREE_INLINE static R shear_stiffness(const ContactState<R>& c, const Params& p, const History& history) {
    const R radius = math::min(c.radius1, c.radius2);
    return p.shear * (R(3.14159265358979323846) * radius * radius) / (c.radius1 + c.radius2 - offset_of(history));
  }

  /// Stored: the integral of F_N over d0 - l, and f_T^2 / (2 K_T). When the bond breaks, the energy of the forces that
  /// drop at once is lost by breakage. So is what the springs have less once d0 has become r1 + r2, in the step after.
  /// Later slip loses energy by friction.
  SCREE_INLINE static LawEnergies<R> energies(const ContactState<R>& c, const Params& p, const LawResponse<R>& response,
                                              R stored_before, const History& before, const History& after) {
    const R radius = math::min(c.radius1, c.radius2);
    const R area = R(3.14159265358979323846) * radius * radius;
    const R offset = offset_of(before);
    const R length = c.radius1 + c.radius2 - offset;
    const R stiffness = p.shear * area / length, normal_stiffness = p.young * area / length;
    const R shorter = c.overlap - offset;
    const R potential = normal_spring(shorter, length, normal_stiffness, p.logarithmic).energy;

    // Weights of 1 or 0 instead of conditions, so that this becomes a vector loop.
    const R whole = after.state > R(0) ? R(1) : R(0), breaks = before.state > R(0) ? R(1) - whole : R(0);
    const R strains = shorter > R(0) ? R(1) : whole;
    const Vec3<R> trial = c.sheared(-(stiffness * c.time_step) * c.slip);
    const R slipped = spring_step(c.shear, c.shear, trial, response.shear, stiffness).friction;
    const R shorter_before = c.overlap_before - offset;
    const R snapped = shorter < R(0) ? R(0.5) * normal_stiffness * math::min(shorter_before, R(0)) * shorter : R(0);

    // The stored energy before, minus the work of this step and the energy stored now. The work is done by the mean of
    // two forces: the force of the old spring before, which is its present force minus the change, and the present
    // force.
    const R drops = before.offset < offset ? R(1) : R(0);
    const R old_length = c.radius1 + c.radius2 - before.offset;
    const auto old = normal_spring(c.overlap - before.offset, old_length, p.young * area / old_length, p.logarithmic);
    const R dropped =
        old.energy - strains * potential - R(0.5) * (old.force - response.normal) * (c.overlap - c.overlap_before);
    // With another d0 the springs of shear, bending and twisting store another energy at the same force.
    const R changes = offset_of(after) != before.offset ? R(1) : R(0);
    const R stiffened = stored_before - half_compliance(stiffness) * dot(c.shear, c.shear);
    return {strains * potential,
            R(0.5) * dot(response.shear, response.shear) / math::max(stiffness, R(1e-37)),
            (R(1) - breaks) * slipped,
            breaks * (slipped + snapped) + drops * dropped + changes * stiffened,
            R(0),
            {},
            {}};
  }

  struct NormalSpring {
    R energy, force;  ///< [J], [N]
  };
  /// A normal spring that is shorter than d0 by a length [m]. With logarithmic strain it stores E A d0 ((1 - x) ln(1 -
  /// x) + x) in compression, with x = (d0 - l) / d0.
  SCREE_INLINE static NormalSpring normal_spring(R shorter, R length, R stiffness, R logarithmic) {
    const R closing = math::min(math::max(shorter / length, R(0)), R(0.95)), stretch = math::min(shorter, R(0));
    const R sum = compression(closing);  // one of closing and stretch is 0
    const R strained = length * length * sum + R(0.5) * stretch * stretch, square = R(0.5) * shorter * shorter;
    const R pressed = length * ((closing - sum) / (R(1) - closing)) + stretch;
    return {stiffness * (logarithmic > R(0) ? strained : square), stiffness * (logarithmic > R(0) ? pressed : shorter)};
  }

  /// (1 - x) ln(1 - x) + x for x in [0, 0.95]. The two terms cancel for small x: they leave an error of some last
  /// places over x. Below 1/4 its series x^2/2 + x^3/6 + ... + x^n / (n (n - 1)) is summed up to n = 22, with a
  /// relative truncation error of 1e-15.
  SCREE_INLINE static R compression(R x) {
    const R whole = (R(1) - x) * math::log_of_one_minus(x) + x;
    return x < R(0.25) ? x * x * series<3>(x) : whole;
  }
  /// The terms of the series from that of x^(n - 1) on, over x^(n - 1). It is a recursion, since an inner loop would
  /// prevent a vector loop.
  template <int n>
  SCREE_INLINE static R series(R x) {
    if constexpr (n > 22) {
      return R(1.0 / (22 * 21));
    } else {
      return (series<n + 2>(x) * x + R(1) / R(n * (n - 1))) * x + R(1) / R((n - 1) * (n - 2));
    }
  }
};
static_assert(ContactLaw<Bonded<float>, float> && StatesEnergies<Bonded<float>, float>);

}  // namespace scree::inline SCREE_BACKEND
