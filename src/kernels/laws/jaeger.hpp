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
/// so in LawResponse::stack; evaluate_whole() is for all.
template <class R>
struct Jaeger {
  using Params = JaegerParams<R>;
  static constexpr bool has_stack = true;

  struct History {
    Vec3<R> e1;  ///< [-] first tangent of the frame
    Vec2<R> slope1, slope2;
    R end1;      ///< [m] that of the present overlap, which has the precision of R
    R end3;      ///< [m] without a sign, rounded up: steps that come near it look into the pages
    Wide<R> end2, force_x, force_y;
    R unused;    ///< fills a row

    static constexpr int n_components = sizeof(R) == 4 ? 16 : 12;
    template <class Visit>
    SCREE_INLINE void each(Visit&& visit) {
      visit(0, e1.x), visit(1, e1.y), visit(2, e1.z);
      visit(3, slope1.x), visit(4, slope1.y), visit(5, slope2.x), visit(6, slope2.y), visit(7, end1), visit(8, end3);
      constexpr int n = Wide<R>::n_components;
      end2.each(9, visit), force_x.each(9 + n, visit), force_y.each(9 + 2 * n, visit);
      if constexpr (9 + 3 * n < n_components) { visit(9 + 3 * n, unused); }
    }
    SCREE_INLINE JaegerTop<R> top() const {
      return {double(end1), end2.value(), double(end3), {slope1.x, slope1.y}, {slope2.x, slope2.y}, {force_x.value(), force_y.value()}};
    }
    SCREE_INLINE void set_top(const JaegerTop<R>& top) {
      slope1 = {top.slope1.x, top.slope1.y};
      slope2 = {top.slope2.x, top.slope2.y};
      end1 = static_cast<R>(top.end1);
      end3 = rounded_up(math::abs(top.end3));
      end2 = Wide<R>::of(top.end2), force_x = Wide<R>::of(top.force.x), force_y = Wide<R>::of(top.force.y);
      unused = R(0);
    }
    /// Segments in the record.
    SCREE_INLINE std::uint32_t count() const { return (end1 != R(0) ? 1u : 0u) + (end2.any() ? 1u : 0u); }

   private:
    SCREE_INLINE static R rounded_up(double x) {
      if constexpr (sizeof(R) == sizeof(double)) {
        return x;
      } else {
        const double near = nearest_float(x);
        return static_cast<R>(near < x ? near * (1.0 + 0x1p-23) : near);
      }
    }
  };

  /// [N m^-1.5] A
  SCREE_INLINE static R hertz_constant(const Params& p, R effective_radius) {
    return R(4.0 / 3.0 * 2.8284271247461903) * p.young * math::sqrt(effective_radius);
  }

  SCREE_INLINE static JaegerValues<R> values_of(R effective_radius, const Params& p) {
    return {hertz_constant(p, effective_radius), p.inverse_reach, p.friction, p.merging, static_cast<std::uint32_t>(p.most)};
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
    const Vec2<R> movement = movement_of(c, e1, e2);
    const JaegerTopStep<R> step = jaeger_step_of_top(history.top(), values_of(c.effective_radius, p), zeta_of(c), movement);
    const JaegerTop<R>& after = step.after;

    // Numbers instead of conditions: see MindlinReversal.
    const Vec2<double> turn = JaegerSegment<R>{after.end1, after.slope1}.slope() - JaegerSegment<R>{after.end2, after.slope2}.slope();
    const double merging = double(p.merging);
    const R near = dot(turn, turn) < merging * merging ? R(1) : R(0);
    const R elastic = after.end1 > 0.0 ? R(1) : R(0), on_elastic = after.end2 > 0.0 ? R(1) : R(0);
    const R slides = (after.end1 < 0.0) & (after.end2 == 0.0) ? R(1) : R(0);
    const R whole = near * elastic * on_elastic + slides * p.slides_exactly;

    history.e1 = {e1.x, e1.y, e1.z};
    history.set_top(after);
    const Vec2<R> viscous = viscous_of(c, p, e1, e2);
    const R normal = normal_of(c, p, step.normal);
    LawResponse<R> response = answer(p, e1, e2, normal, step.normal, viscous, force_of(history), slides);
    const R change = static_cast<R>(static_cast<std::uint32_t>(step.change));
    response.stack = {whole > R(0) ? goes_on : change, normal, math::max(c.overlap, R(0)), c.effective_radius, movement.x, movement.y, viscous.x, viscous.y};
    return response;
  }

  /// Takes the answer of evaluate() as it is: the segments in pages follow, from the history before it. False where it is no use.
  template <class Deep>
  SCREE_INLINE static bool finish(R change, const Params& p, const History& before, Deep& deep) {
    if (change == goes_on) { return false; }
    if (change == grows) {
      if (p.most > R(0) && R(before.count() + deep.size()) >= p.most) { return false; }
      if (before.end2.any()) { deep.push({before.end2.value(), before.slope2}); }
    }
    return true;
  }

  /// The same step with the whole stack; history is that before it.
  template <class Deep>
  SCREE_HD static LawResponse<R> again(const StackStep<R>& step, const Params& p, const Vec3<R>& n, const Vec3<R>& e1, History& history,
                                       Deep& deep) {
    const JaegerValues<R> values = values_of(step.effective_radius, p);
    const R hertzian = step_whole(values, p, 0.5 * double(step.overlap), {step.movement1, step.movement2}, history, deep);
    history.e1 = e1;
    return answer(p, e1, cross(n, e1), step.normal, hertzian, {step.viscous1, step.viscous2}, force_of(history), slides(history));
  }

  /// What the same step of a contact takes whose slip zone begins in the third segment, or in the second after all.
  struct Deeper {
    History history;  ///< before the step
    StackStep<R> step;
    Vec3<R> branch, e1;
    Wide<R> third_end, fourth_end;  ///< [m] signed; the second may be 0: there is none
    Vec2<R> third_slope;

    SCREE_INLINE void set_below(const JaegerSegment<R>& third, double fourth) {
      third_end = Wide<R>::of(third.signed_end), fourth_end = Wide<R>::of(fourth);
      third_slope = third.kept_slope;
    }

    static constexpr int n_components = History::n_components + StackStep<R>::n_components + 8 + 2 * Wide<R>::n_components;
    template <class Visit>
    SCREE_INLINE void each(Visit&& visit) {
      history.each(visit);
      step.each(History::n_components, visit);
      constexpr int n = History::n_components + StackStep<R>::n_components;
      visit(n, branch.x), visit(n + 1, branch.y), visit(n + 2, branch.z), visit(n + 3, e1.x), visit(n + 4, e1.y), visit(n + 5, e1.z);
      visit(n + 6, third_slope.x), visit(n + 7, third_slope.y);
      third_end.each(n + 8, visit), fourth_end.each(n + 8 + Wide<R>::n_components, visit);
    }
  };
  /// Without options; in the answer only `tangential`, `shear` and what becomes of the stack count.
  SCREE_INLINE static LawResponse<R> evaluate_deeper(const Deeper& in, const Vec3<R>& n, const Params& p, History& history) {
    const JaegerValues<R> values = values_of(in.step.effective_radius, p);
    const Vec2<R> movement{in.step.movement1, in.step.movement2};
    const JaegerTopStep<R> step = jaeger_step_below_top(in.history.top(), {in.third_end.value(), {in.third_slope.x, in.third_slope.y}},
                                                        math::abs(in.fourth_end.value()), values, 0.5 * double(in.step.overlap), movement,
                                                        in.step.change != goes_on);
    history.e1 = {in.e1.x, in.e1.y, in.e1.z};
    history.set_top(step.after);
    const R slips = step.after.end1 < 0.0 ? R(1) : R(0), alone = step.after.end2 == 0.0 ? R(1) : R(0);
    const Vec3<R> e1{in.e1.x, in.e1.y, in.e1.z};
    LawResponse<R> response =
        answer(p, e1, cross(n, e1), in.step.normal, step.normal, {in.step.viscous1, in.step.viscous2}, force_of(history), slips * alone);
    response.stack.change = static_cast<R>(static_cast<std::uint32_t>(step.change));
    return response;
  }
  SCREE_INLINE static bool has_options(const Params& p) { return p.merging > R(0) || p.most > R(0) || p.slides_exactly > R(0); }
  SCREE_INLINE static bool goes_deeper(R change) { return change == goes_on; }
  SCREE_INLINE static bool grows_by_one(R change) { return change == grows; }
  /// Brings the pages up to the answer of evaluate_deeper(); false where it is no use.
  template <class Deep>
  SCREE_INLINE static bool finish_deeper(R change, Deep& deep) {
    if (change == goes_on) { return false; }
    if (change != grows) { deep.pop(); }  // the third is the second now, or, when all slides, gone
    return true;
  }

  template <class Deep>
  SCREE_HD static LawResponse<R> evaluate_whole(const ContactState<R>& c, const Params& p, History& history, Deep& deep) {
    const Vec3<R> e1 = carried_tangent(history.e1, c.n, c.branch_before, c.total_spin, c.time_step);
    const Vec3<R> e2 = cross(c.n, e1);
    const R hertzian = step_whole(values_of(c.effective_radius, p), p, zeta_of(c), movement_of(c, e1, e2), history, deep);
    history.e1 = e1;
    return answer(p, e1, e2, normal_of(c, p, hertzian), hertzian, viscous_of(c, p, e1, e2), force_of(history), slides(history));
  }

  /// Of the stack after the step. Friction is what of the work on the slip, by the mean force of before and after, the stack has not stored.
  template <class Deep>
  SCREE_HD static LawEnergies<R> energies_whole(const ContactState<R>& c, const Params& p, const LawResponse<R>& response, R stored_before,
                                                const History& history, Deep& deep) {
    const JaegerValues<R> values = values_of(c.effective_radius, p);
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
  static constexpr R grows = R(static_cast<std::uint32_t>(JaegerChange::grows)), goes_on = R(static_cast<std::uint32_t>(JaegerChange::goes_on));

  /// Whether the contact slides as a whole.
  SCREE_INLINE static R slides(const History& history) { return (history.end1 < R(0)) & !history.end2.any() ? R(1) : R(0); }
  SCREE_INLINE static Vec2<double> force_of(const History& history) { return {history.force_x.value(), history.force_y.value()}; }

  /// The step itself; returns Hertz's force. On a GPU a function that is called: one step in ten needs it, and it would take the registers of all.
  template <class Deep>
#if SCREE_ON_CUDA
  __noinline__
#endif
  SCREE_HD static R step_whole(const JaegerValues<R>& values, const Params& p, double zeta, const Vec2<R>& movement, History& history, Deep& deep) {
    JaegerTop<R> top = history.top();
    JaegerTopStack<R, Deep> stack{top, deep, history.count() + deep.size()};
    JaegerStep<R> step;
    if (p.slides_exactly > R(0)) {
      step = jaeger_step<R, JaegerOptions{true, true, true}>(stack, top.force, values, zeta, movement);
    } else {
      step = jaeger_step<R, JaegerOptions{true, true, false}>(stack, top.force, values, zeta, movement);
    }
    history.set_top(top);
    return step.normal;
  }

  SCREE_INLINE static R dashpot_of(const ContactState<R>& c, const Params& p) {
    const R contact_radius = math::sqrt(c.effective_radius * math::max(c.overlap, R(0)));
    return math::sqrt(c.effective_mass * (R(2) * p.young * contact_radius));
  }
  SCREE_INLINE static R normal_of(const ContactState<R>& c, const Params& p, R hertzian) {
    return math::max(hertzian - p.damping * dashpot_of(c, p) * c.normal_velocity, R(0));
  }
  SCREE_INLINE static Vec2<R> viscous_of(const ContactState<R>& c, const Params& p, const Vec3<R>& e1, const Vec3<R>& e2) {
    const R dashpot = p.damping_shear * dashpot_of(c, p);
    return {dashpot * dot(c.slip, e1), dashpot * dot(c.slip, e2)};
  }

  /// From the tangential force over mu, on body 1 in the axes e1 and e2.
  SCREE_INLINE static LawResponse<R> answer(const Params& p, const Vec3<R>& e1, const Vec3<R>& e2, R normal, R hertzian, const Vec2<R>& viscous,
                                            const Vec2<double>& force, R slides) {
    const R elastic1 = -p.friction * static_cast<R>(force.x), elastic2 = -p.friction * static_cast<R>(force.y);
    const R trial1 = elastic1 - (R(1) - slides) * viscous.x, trial2 = elastic2 - (R(1) - slides) * viscous.y;
    const R magnitude = math::sqrt(math::max(trial1 * trial1 + trial2 * trial2, R(1e-37)));
    const R factor = math::min(R(1), p.friction * hertzian / magnitude);
    const R within = slides > R(0) ? R(1) : factor;
    const Vec3<R> tangential = (within * trial1) * e1 + (within * trial2) * e2;
    const Vec3<R> elastic = elastic1 * e1 + elastic2 * e2;
    return {normal, {tangential.x, tangential.y, tangential.z}, {elastic.x, elastic.y, elastic.z}, {}};
  }
};
static_assert(ContactLaw<Jaeger<float>, float>);

}  // namespace scree::inline SCREE_BACKEND
