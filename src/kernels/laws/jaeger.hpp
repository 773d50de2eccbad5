#pragma once

#include "kernels/history/jaeger_top.hpp"
#include "kernels/history/jaeger_traction.hpp"
#include "kernels/laws/contact_frame.hpp"
#include "kernels/laws/hertz_mindlin.hpp"

namespace scree::inline SCREE_BACKEND {

/// A number that is kept in more than the precision of R: in two floats it has 48 bits.
template <class R>
struct Wide {
  R high, low;
  static constexpr int n_components = 2;
  SCREE_INLINE static Wide of(double x) {
    const double high = nearest_float(x);
    return {static_cast<R>(high), static_cast<R>(nearest_float(x - high))};
  }
  SCREE_INLINE double value() const { return double(high) + double(low); }
  SCREE_INLINE bool any() const { return high != R(0); }
  template <class Visit>
  SCREE_INLINE void each(int first, Visit&& visit) {
    visit(first, high), visit(first + 1, low);
  }
};
template <>
struct Wide<double> {
  double whole;
  static constexpr int n_components = 1;
  SCREE_INLINE static Wide of(double x) { return {x}; }
  SCREE_INLINE double value() const { return whole; }
  SCREE_INLINE bool any() const { return whole != 0; }
  template <class Visit>
  SCREE_INLINE void each(int first, Visit&& visit) {
    visit(first, whole);
  }
};

template <class R>
struct JaegerParams : HertzParams<R> {
  R inverse_reach;   ///< [-] 1 / (kappa mu)
  R merging;         ///< [-] alpha / mu; 0: nothing is merged
  R most;            ///< segments that are kept; 0: all
  R slides_exactly;  ///< 1 or 0

  static constexpr int n_components = HertzParams<R>::n_components + 4;
  template <class Visit>
  SCREE_INLINE void each(Visit&& visit) {
    HertzParams<R>::each(visit);
    constexpr int n = HertzParams<R>::n_components;
    visit(n, inverse_reach), visit(n + 1, merging), visit(n + 2, most), visit(n + 3, slides_exactly);
  }
};

/// The exact contact of Cattaneo, Mindlin, Deresiewicz and Jaeger (history/jaeger.hpp) between Hertzian spheres of any two radii. zeta is half the overlap,
/// the movement half of that of body 2 relative to body 1 along the contact in this step:
///   A = (8/3) E* sqrt(2 R*),  kappa = E* / (4 G*),  N = A zeta^1.5.
/// Dashpots stand beside it and are never remembered: F_N = max(0, N - 2 beta sqrt(m* k_n) v_n), and along the contact 2 beta_s sqrt(m* k_s) v_T as far as
/// mu N allows, none while all of the contact slides. Where the contact began within the step, the movement counts from then on.
///
/// The record of the two uppermost segments is its History, the rest is in pages: evaluate() is for the steps that the record is enough for, and says
/// so in LawResponse::stack_change; evaluate_whole() is for all.
template <class R>
struct Jaeger {
  using Params = JaegerParams<R>;
  static constexpr bool has_stack = true;

  struct History {
    Vec3<R> e1;  ///< [-] first tangent of the frame
    Vec2<R> slope1, slope2;
    Wide<R> end1, end2, end3, force_x, force_y;

    static constexpr int n_components = 7 + 5 * Wide<R>::n_components;
    template <class Visit>
    SCREE_INLINE void each(Visit&& visit) {
      visit(0, e1.x), visit(1, e1.y), visit(2, e1.z);
      visit(3, slope1.x), visit(4, slope1.y), visit(5, slope2.x), visit(6, slope2.y);
      constexpr int n = Wide<R>::n_components;
      end1.each(7, visit), end2.each(7 + n, visit), end3.each(7 + 2 * n, visit);
      force_x.each(7 + 3 * n, visit), force_y.each(7 + 4 * n, visit);
    }
    SCREE_INLINE JaegerTop<R> top() const {
      return {end1.value(), end2.value(), end3.value(), slope1, slope2, {force_x.value(), force_y.value()}};
    }
    SCREE_INLINE void set_top(const JaegerTop<R>& top) {
      slope1 = {top.slope1.x, top.slope1.y};
      slope2 = {top.slope2.x, top.slope2.y};
      end1 = Wide<R>::of(top.end1), end2 = Wide<R>::of(top.end2), end3 = Wide<R>::of(top.end3);
      force_x = Wide<R>::of(top.force.x), force_y = Wide<R>::of(top.force.y);
    }
    /// Segments in the record.
    SCREE_INLINE std::uint32_t count() const { return (end1.any() ? 1u : 0u) + (end2.any() ? 1u : 0u); }
  };

  /// [N m^-1.5] A
  SCREE_INLINE static R hertz_constant(const Params& p, R effective_radius) {
    return R(4.0 / 3.0 * 2.8284271247461903) * p.young * math::sqrt(effective_radius);
  }

  SCREE_INLINE static JaegerValues<R> values_of(const ContactState<R>& c, const Params& p) {
    return {hertz_constant(p, c.effective_radius), p.inverse_reach, p.friction, p.merging, static_cast<std::uint32_t>(p.most)};
  }
  SCREE_INLINE static double zeta_of(const ContactState<R>& c) { return 0.5 * double(math::max(c.overlap, R(0))); }

  /// [m] Half of the tangential movement in this step, in the axes e1 and e2. Of a contact that was apart before from when it touched.
  SCREE_INLINE static Vec2<R> movement_of(const ContactState<R>& c, const Vec3<R>& e1, const Vec3<R>& e2) {
    const Vec3<R> both = norm(c.branch_before) * c.n + c.branch_before;
    const Vec3<R> middle = (R(1) / math::max(norm(both), R(1e-37))) * both;
    const Vec3<R> movement = tangential_movement(c.time_step * c.velocity, c.time_step * c.rolling, middle);
    const R overlap = math::max(c.overlap, R(0)), gap = math::max(-c.overlap_before, R(0));
    const R part = R(0.5) * overlap / math::max(overlap + gap, R(1e-37));
    return {part * dot(movement, e1), part * dot(movement, e2)};
  }

  SCREE_INLINE static LawResponse<R> evaluate(const ContactState<R>& c, const Params& p, History& history) {
    const Vec3<R> e1 = carried_tangent(history.e1, c.n, c.branch_before, c.total_spin, c.time_step);
    const Vec3<R> e2 = cross(c.n, e1);
    const JaegerTopStep<R> step = jaeger_step_of_top(history.top(), values_of(c, p), zeta_of(c), movement_of(c, e1, e2));
    const JaegerTop<R>& after = step.after;

    // Numbers instead of conditions: see MindlinReversal.
    const Vec2<double> turn = JaegerSegment<R>{after.end1, after.slope1}.slope() - JaegerSegment<R>{after.end2, after.slope2}.slope();
    const double merging = double(p.merging);
    const R near = dot(turn, turn) < merging * merging ? R(1) : R(0);
    const R elastic = after.end1 > 0.0 ? R(1) : R(0), on_elastic = after.end2 > 0.0 ? R(1) : R(0);
    const R slides = (after.end1 < 0.0) & (after.end2 == 0.0) ? R(1) : R(0);
    const R whole = near * elastic * on_elastic + slides * p.slides_exactly;

    LawResponse<R> response = answer(c, p, e1, e2, step.normal, after, slides);
    const R change = static_cast<R>(static_cast<std::uint32_t>(step.change));
    response.stack_change = whole > R(0) ? R(static_cast<std::uint32_t>(JaegerChange::goes_on)) : change;
    history.e1 = {e1.x, e1.y, e1.z};
    history.set_top(after);
    return response;
  }

  /// Takes the answer of evaluate() as it is: the segments in pages follow, from the history before it. False where it is no use.
  template <class Deep>
  SCREE_INLINE static bool finish(R change, const Params& p, const History& before, Deep& deep) {
    const auto kind = static_cast<JaegerChange>(static_cast<std::uint32_t>(change));
    if (kind == JaegerChange::goes_on) { return false; }
    if (kind == JaegerChange::grows) {
      if (p.most > R(0) && R(before.count() + deep.size()) >= p.most) { return false; }
      if (before.end2.any()) { deep.push({before.end2.value(), before.slope2}); }
    }
    return true;
  }

  template <class Deep>
  SCREE_HD static LawResponse<R> evaluate_whole(const ContactState<R>& c, const Params& p, History& history, Deep& deep) {
    const Vec3<R> e1 = carried_tangent(history.e1, c.n, c.branch_before, c.total_spin, c.time_step);
    const Vec3<R> e2 = cross(c.n, e1);
    const JaegerValues<R> values = values_of(c, p);
    const Vec2<R> movement = movement_of(c, e1, e2);
    JaegerTop<R> top = history.top();
    JaegerTopStack<R, Deep> stack{top, deep, history.count() + deep.size()};
    JaegerStep<R> step;
    if (p.slides_exactly > R(0)) {
      step = jaeger_step<R, JaegerOptions{true, true, true}>(stack, top.force, values, zeta_of(c), movement);
    } else {
      step = jaeger_step<R, JaegerOptions{true, true, false}>(stack, top.force, values, zeta_of(c), movement);
    }
    const R slides = (top.end1 < 0.0) & (top.end2 == 0.0) ? R(1) : R(0);
    history.e1 = e1;
    history.set_top(top);
    return answer(c, p, e1, e2, step.normal, top, slides);
  }

  /// Of the stack after the step. Friction is what of the work on the slip, by the mean force of before and after, the stack has not stored.
  template <class Deep>
  SCREE_HD static LawEnergies<R> energies_whole(const ContactState<R>& c, const Params& p, const LawResponse<R>& response, R stored_before,
                                                const History& history, Deep& deep) {
    const JaegerValues<R> values = values_of(c, p);
    JaegerTop<R> top = history.top();
    const JaegerTopStack<R, Deep> stack{top, deep, history.count() + deep.size()};
    const JaegerEnergies energies = jaeger_energies(stack, values);
    const R stored = static_cast<R>(energies.tangential);
    const R work = R(-0.5) * c.time_step * dot(c.shear + response.shear, c.slip);
    return {static_cast<R>(energies.normal), stored, work - (stored - stored_before), R(0), response.normal - values.normal_force(zeta_of(c)),
            response.tangential - response.shear, {}};
  }

  /// [N/m] That of a contact that does not slip is the largest it can have.
  SCREE_INLINE static ContactStiffness<R> stiffness(const ContactState<R>& c, const Params& p) { return HertzMindlin<R>::stiffness(c, p); }

 private:
  SCREE_INLINE static LawResponse<R> answer(const ContactState<R>& c, const Params& p, const Vec3<R>& e1, const Vec3<R>& e2, R hertzian,
                                            const JaegerTop<R>& after, R slides) {
    const R contact_radius = math::sqrt(c.effective_radius * math::max(c.overlap, R(0)));
    const R dashpot = math::sqrt(c.effective_mass * (R(2) * p.young * contact_radius));
    const R normal = math::max(hertzian - p.damping * dashpot * c.normal_velocity, R(0));
    const R along1 = -p.friction * static_cast<R>(after.force.x), along2 = -p.friction * static_cast<R>(after.force.y);
    const Vec3<R> elastic = along1 * e1 + along2 * e2;
    const Vec3<R> trial = elastic - ((R(1) - slides) * p.damping_shear * dashpot) * c.slip;
    const R factor = coulomb_factor(trial, p.friction * hertzian);
    const R within = slides > R(0) ? R(1) : factor;
    const Vec3<R> tangential = within * trial;
    return {normal, {tangential.x, tangential.y, tangential.z}, {elastic.x, elastic.y, elastic.z}, {}};
  }
};
static_assert(ContactLaw<Jaeger<float>, float>);

}  // namespace scree::inline SCREE_BACKEND
