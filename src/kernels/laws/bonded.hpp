#pragma once

#include "kernels/laws/energies.hpp"

namespace scree::inline SCREE_BACKEND {

/// Brittle bonds between particles that are near each other when the run starts, as in concrete models (Hentz,
/// Daudeville & Donze 2004). Contacts that never had a bond, or whose bond has broken, have friction with the same
/// springs:
///   A = pi min(r1, r2)^2,  K_N = E A / d0,  K_T = G A / d0,  strain e = l / d0 - 1, or ln(l / d0) where l < d0;
///   F_N = -K_N d0 e,  f_T <- f_T - K_T dt v_T.
/// A bond of the strength s breaks if F_N < -s (tensile strength) A or |f_T| > max(0, s (cohesion) A + F_N tan(phi)).
/// Afterwards F_N >= 0 and |f_T| <= F_N tan(phi). d0 is the distance at which the bond was made, or r1 + r2 for
/// contacts that never had one. s is 1, or a random number (BondStrength).
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

    static constexpr int n_components = 7;
    template <class Visit>
    SCREE_INLINE void each(Visit&& visit) {
      visit(0, young), visit(1, shear), visit(2, tensile_strength), visit(3, cohesion), visit(4, friction);
      visit(5, interaction_range), visit(6, logarithmic);
    }
  };

  struct History {
    R state;  ///< [-] > 0: bond, and its strength s; -1: broken bond whose contact lasts; 0: contact that never had one
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

  /// Logical "and" without a jump, because && would prevent a vector loop.
  SCREE_INLINE static bool both(bool a, bool b) { return (static_cast<int>(a) & static_cast<int>(b)) != 0; }

  SCREE_INLINE static LawResponse<R> evaluate(const ContactState<R>& c, const Params& p, History& history) {
    const R radius = math::min(c.radius1, c.radius2);
    const R area = R(3.14159265358979323846) * radius * radius;
    const R length = c.radius1 + c.radius2 - history.offset;
    const R stiffness = p.shear * area / length;
    const R shorter = c.overlap - history.offset;  // d0 - l, without cancellation
    const R closing = math::min(math::max(shorter / length, R(0)), R(0.95));
    const R in_compression = p.logarithmic > R(0) ? -length * math::log_of_one_minus(closing) : shorter;
    const R normal_trial = p.young * area / length * (shorter > R(0) ? in_compression : shorter);
    const Vec3<R> trial = c.sheared(-(stiffness * c.time_step) * c.slip);

    const R strength = history.state;  // without meaning where there is no bond
    const R shear_limit = math::max(strength * p.cohesion * area + p.friction * normal_trial, R(0));
    const bool strong = both(!(normal_trial < -(strength * p.tensile_strength) * area),
                             !(dot(trial, trial) > shear_limit * shear_limit));
    const bool holds = both(history.state > R(0), strong);
    const R normal = holds ? normal_trial : math::max(normal_trial, R(0));
    const R factor = coulomb_factor(trial, p.friction * normal);
    const Vec3<R> shear = select(holds, trial, factor * trial);

    // A broken bond is forgotten once its bodies are apart: the contact then ends before the next step.
    const bool together = math::max(c.overlap, shorter) > R(0);
    const R broken = both(history.state != R(0), together) ? R(-1) : R(0);
    history.state = holds ? strength : broken;
    history.offset = history.state != R(0) ? history.offset : R(0);
    return {normal, {shear.x, shear.y, shear.z}, {shear.x, shear.y, shear.z}, {}};
  }

  /// Tangent stiffness. With logarithmic strain it is K_N / (1 - (d0 - l)/d0) in compression.
  SCREE_INLINE static ContactStiffness<R> stiffness(const ContactState<R>& c, const Params& p, const History& history) {
    const R radius = math::min(c.radius1, c.radius2);
    const R area = R(3.14159265358979323846) * radius * radius;
    const R length = c.radius1 + c.radius2 - history.offset;
    const R closing = math::min(math::max((c.overlap - history.offset) / length, R(0)), R(0.95));
    const R steeper = p.logarithmic > R(0) ? R(1) / (R(1) - closing) : R(1);
    return {steeper * p.young * area / length, p.shear * area / length, R(0), R(0), R(0), R(0), R(0), R(0)};
  }

  /// [N/m] K_T.
  SCREE_INLINE static R shear_stiffness(const ContactState<R>& c, const Params& p, const History& history) {
    const R radius = math::min(c.radius1, c.radius2);
    return p.shear * (R(3.14159265358979323846) * radius * radius) / (c.radius1 + c.radius2 - history.offset);
  }

  /// Stored: the integral of F_N over d0 - l, and f_T^2 / (2 K_T). When the bond breaks, the energy of the forces that
  /// drop at once is lost by breakage. Later slip loses energy by friction.
  SCREE_INLINE static LawEnergies<R> energies(const ContactState<R>& c, const Params& p, const LawResponse<R>& response,
                                              R, const History& before, const History& after) {
    const R radius = math::min(c.radius1, c.radius2);
    const R area = R(3.14159265358979323846) * radius * radius;
    const R length = c.radius1 + c.radius2 - before.offset;
    const R stiffness = p.shear * area / length, normal_stiffness = p.young * area / length;
    const R shorter = c.overlap - before.offset;
    const R closing = math::min(math::max(shorter / length, R(0)), R(0.95));
    // With logarithmic strain: E A d0 ((1 - x) ln(1 - x) + x) with x = (d0 - l) / d0.
    const R compressed = length * length * compression(closing);
    const R square = R(0.5) * shorter * shorter;
    const R strained = shorter > R(0) ? compressed : square;
    const R potential = normal_stiffness * (p.logarithmic > R(0) ? strained : square);

    // Weights of 1 or 0 instead of conditions, so that this becomes a vector loop.
    const R whole = after.state > R(0) ? R(1) : R(0), breaks = before.state > R(0) ? R(1) - whole : R(0);
    const R strains = shorter > R(0) ? R(1) : whole;
    const Vec3<R> trial = c.sheared(-(stiffness * c.time_step) * c.slip);
    const R slipped = spring_step(c.shear, c.shear, trial, response.shear, stiffness).friction;
    const R shorter_before = c.overlap_before - before.offset;
    const R snapped = shorter < R(0) ? R(0.5) * normal_stiffness * math::min(shorter_before, R(0)) * shorter : R(0);
    return {strains * potential,
            R(0.5) * dot(response.shear, response.shear) / math::max(stiffness, R(1e-37)),
            (R(1) - breaks) * slipped,
            breaks * (slipped + snapped),
            R(0),
            {},
            {}};
  }

  /// (1 - x) ln(1 - x) + x for x in [0, 0.95]. The two terms cancel for small x: they leave an error of some last
  /// places over x. Below 1/4 its series x^2/2 + x^3/6 + ... + x^n / (n (n - 1)) is summed up to n = 22, with a
  /// relative truncation error of 1e-15.
  SCREE_INLINE static R compression(R x) {
    R sum = R(1.0 / (22 * 21));
    // Two terms at once: g++ unrolls loops of up to 16 turns, and one that is left would prevent a vector loop.
    for (int n = 21; n >= 3; n -= 2) { sum = (sum * x + R(1) / R(n * (n - 1))) * x + R(1) / R((n - 1) * (n - 2)); }
    const R whole = (R(1) - x) * math::log_of_one_minus(x) + x;
    return x < R(0.25) ? x * x * sum : whole;
  }
};
static_assert(ContactLaw<Bonded<float>, float> && StatesEnergies<Bonded<float>, float>);

}  // namespace scree::inline SCREE_BACKEND
