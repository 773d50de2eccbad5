#pragma once

#include "kernels/laws/hertz_mindlin.hpp"
#include "kernels/math/cube_root.hpp"

namespace scree::inline SCREE_BACKEND {

/// Hertz normal force, and Mindlin's tangential force with partial slip. It remembers the last reversal and follows the
/// constant-N curves of Mindlin & Deresiewicz (1953) in increments:
///   g = f on first loading, M = mu N;  g = f - f_r after a reversal at f_r, M = 2 mu N;
///   k_T = k_s (1 - |g| / M)^(1/3),  f <- f - k_T dt v_T.
/// The part of a step along g is integrated exactly, because (1 - |g|/M)^(2/3) decreases linearly with the
/// displacement. The part across g meets k_s, as in the law of Walton (1993): a contact that slides in full then turns
/// its force into the direction of the slip. A step against g is a reversal: f_r <- f. A force that reaches the size it
/// had at the first reversal is on the curve of first loading again. If u has decreased, all forces are multiplied by
/// sqrt(u / u_old), as in HertzMindlinRescaled, and remembered forces never exceed mu N. F_N, dashpots and the Coulomb
/// limit are those of HertzMindlin.
template <class R>
struct MindlinReversal {
  static constexpr bool is_hertzian = true;
  using Params = HertzParams<R>;

  /// f_r in a frame that turns with the contact: the direction of f, and n x this direction.
  struct History {
    R outer;          ///< [N] |f| at the first reversal; 0 on first loading
    R along, across;  ///< [N] components of f_r

    static constexpr int n_components = 3;
    template <class Visit>
    SCREE_INLINE void each(Visit&& visit) {
      visit(0, outer), visit(1, along), visit(2, across);
    }
  };

  /// [N/m] k_s, the stiffness without slip.
  SCREE_INLINE static R shear_stiffness(const ContactState<R>& c, const Params& p) {
    return HertzMindlin<R>::shear_stiffness(c, p);
  }

  /// The stiffness without slip, the largest that the contact can have.
  SCREE_INLINE static ContactStiffness<R> stiffness(const ContactState<R>& c, const Params& p) {
    return HertzMindlin<R>::stiffness(c, p);
  }

  SCREE_INLINE static LawResponse<R> evaluate(const ContactState<R>& c, const Params& p, History& history) {
    const R overlap = math::max(c.overlap, R(0));
    const R contact_radius = math::sqrt(c.effective_radius * overlap);
    const R normal_stiffness = R(2) * p.young * contact_radius;
    const R dashpot = math::sqrt(c.effective_mass * normal_stiffness);
    const R elastic = R(2.0 / 3.0) * normal_stiffness * overlap;
    const R normal = math::max(elastic - p.damping * dashpot * c.normal_velocity, R(0));
    const R limit = p.friction * normal;

    Past past = past_of(c, history, unloading_factor(c, overlap), limit);
    const Vec3<R> gained = gain_of((-p.shear * contact_radius * c.time_step) * c.slip, limit, past);
    const Vec3<R> trial_shear = c.sheared(past.cut, gained);
    const Vec3<R> trial = trial_shear - (p.damping_shear * dashpot) * c.slip;
    const Vec3<R> tangential = coulomb_factor(trial, limit) * trial;
    const R factor = coulomb_factor(trial_shear, limit);
    const Vec3<R> slid = factor * trial_shear;
    // A force of 0 has no direction, so the frame of f_r would be lost. A trace of f_r, below the rounding of forces,
    // keeps its direction.
    constexpr R trace = loses_increments<R> ? R(0x1p-24) : R(0x1p-53);
    // Weights instead of conditions: the compiler would turn conditions into branches, and then make no vector loop.
    const R nothing = dot(slid, slid) > R(0) ? R(0) : R(1);
    const Vec3<R> kept = select(nothing > R(0), trace * past.reversal, slid);
    remember(c.n, past, kept, factor, history);
    return {normal, {tangential.x, tangential.y, tangential.z}, {kept.x, kept.y, kept.z}, {}};
  }

  /// The spring has the stiffness without slip, k_s; all other displacement counts as slip. Energy that partial slip
  /// stores is thus counted as friction, which returns some of it on unloading. Over a whole cycle friction is the
  /// energy lost.
  SCREE_INLINE static LawEnergies<R> energies(const ContactState<R>& c, const Params& p, const LawResponse<R>& response,
                                              R stored_before, const History&, const History&) {
    return HertzMindlinRescaled<R>::template energies<true>(c, p, response, stored_before);
  }

 private:
  /// What a contact remembers, in the present frame and cut to the present limit.
  struct Past {
    Vec3<R> force, reversal;  ///< [N] f and f_r; on first loading f_r is 0
    R size;                   ///< [N] |f|
    R outer;                  ///< [N] see History
    Shrinkage<R> cut;         ///< of f since the last step
  };
  SCREE_INLINE static Past past_of(const ContactState<R>& c, const History& history, const Shrinkage<R>& unloading,
                                   R limit) {
    const R shrink = unloading.factor;
    const R force_before = norm(c.shear);
    const R inverse_force = R(1) / math::max(force_before, R(1e-30));
    const Vec3<R> direction = inverse_force * c.shear;
    const Vec3<R> reversal = (shrink * history.along) * direction + (shrink * history.across) * cross(c.n, direction);
    const R scaled = math::min(shrink, limit * inverse_force);
    return {scaled * c.shear,
            coulomb_factor(reversal, limit) * reversal,
            scaled * force_before,
            math::min(shrink * history.outer, limit),
            {scaled, math::max(unloading.lost, R(1) - limit * inverse_force)}};
  }

  /// [N] The gain of f by `step` [N], which it would gain without slip. A reversal changes the past.
  SCREE_INLINE static Vec3<R> gain_of(const Vec3<R>& step, R limit, Past& past) {
    const Vec3<R> gone = past.force - past.reversal;
    const R size = norm(gone), progress = dot(gone, step);
    const bool turns = progress < R(0);
    past.reversal = select(turns, past.force, past.reversal);
    const R first_reversal = past.outer > R(0) ? past.outer : past.size;
    past.outer = turns ? first_reversal : past.outer;
    const R scale = past.outer > R(0) ? R(2) * limit : limit;

    const R inverse_scale = R(1) / math::max(scale, R(1e-30));
    const R left = R(1) - size * inverse_scale;
    const R before = turns ? R(1) : math::cbrt(math::max(left, R(0)));
    const bool is_straight = turns || !(size > R(0));
    const R inverse_size = R(1) / math::max(size, R(1e-30));
    const Vec3<R> along = select(is_straight, step, (progress * inverse_size * inverse_size) * gone);
    const R path = R(2.0 / 3.0) * norm(along) * inverse_scale;
    const R after = math::sqrt(math::max(before * before - path, R(0)));
    const R softening =
        R(2.0 / 3.0) * (before * before + before * after + after * after) / math::max(before + after, R(1e-15));
    return softening * along + (step - along);
  }

  /// Stores f_r in the frame of the force that is kept. A force that was cut to the limit by `factor`, or that has
  /// reached its size at the first reversal, is on the curve of first loading.
  SCREE_INLINE static void remember(const Vec3<R>& n, const Past& past, const Vec3<R>& kept, R factor,
                                    History& history) {
    const R magnitude = norm(kept);
    const R below_outer = magnitude < past.outer ? R(1) : R(0);
    const R keeps = factor < R(1) ? R(0) : below_outer;
    const R inverse = keeps / math::max(magnitude, R(1e-30));
    history.outer = keeps * past.outer;
    history.along = inverse * dot(past.reversal, kept);
    history.across = inverse * dot(past.reversal, cross(n, kept));
  }
};
static_assert(ContactLaw<MindlinReversal<float>, float> && StatesEnergies<MindlinReversal<float>, float>);

}  // namespace scree::inline SCREE_BACKEND
