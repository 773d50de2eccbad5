#pragma once

#include "kernels/history/jaeger_traction.hpp"
#include "kernels/laws/contact_frame.hpp"
#include "kernels/laws/hertz_mindlin.hpp"
#include "kernels/laws/jaeger_record.hpp"

namespace scree::inline SCREE_BACKEND {

template <class R>
struct JaegerParams : HertzParams<R> {
  R inverse_reach;   ///< [-] 1 / (kappa mu)
  R merging;         ///< [-] alpha / mu; 0: no merging
  R most;            ///< segments kept per contact; 0: all
  R slides_exactly;  ///< 1 or 0

  static constexpr int n_components = HertzParams<R>::n_components + 4;
  template <class Visit>
  SCREE_INLINE void each(Visit&& visit) {
    HertzParams<R>::each(visit);
    constexpr int n = HertzParams<R>::n_components;
    visit(n, inverse_reach), visit(n + 1, merging), visit(n + 2, most), visit(n + 3, slides_exactly);
  }
};

/// The exact contact of Cattaneo, Mindlin, Deresiewicz and Jaeger (history/jaeger.hpp) between Hertzian spheres of any
/// two radii. zeta is half the overlap. The movement is half of the tangential movement of body 2 relative to body 1 in
/// this step:
///   A = (8/3) E* sqrt(2 R*),  kappa = E* / (4 G*),  N = A zeta^1.5.
/// Dashpots act in addition, and no history includes them. Along the normal F_N = max(0, N - 2 beta sqrt(m* k_n) v_n).
/// Tangentially 2 beta_s sqrt(m* k_s) v_T acts as far as mu N allows, and not at all while the whole contact slides. If
/// the contact began within the step, only the movement since then counts.
///
/// The record of the two uppermost segments is the History; the other segments are in pages. evaluate() is for steps
/// that need only the record, and reports in LawResponse::stack whether that was so. evaluate_whole() is for all steps.
/// Without `merges` no contact of the run may ask for merging.
template <class R, bool merges = false>
struct Jaeger {
  static constexpr bool is_hertzian = true;
  using Params = JaegerParams<R>;
  static constexpr bool has_stack = true;

  using History = JaegerRecord<R>;

  /// [N m^-1.5] A
  SCREE_INLINE static R hertz_constant(const Params& p, R effective_radius) {
    return R(4.0 / 3.0 * 2.8284271247461903) * p.young * math::sqrt(effective_radius);
  }

  SCREE_INLINE static JaegerValues<R> values_of(R effective_radius, const Params& p) {
    return {hertz_constant(p, effective_radius), p.inverse_reach, p.friction, p.merging,
            static_cast<std::uint32_t>(p.most)};
  }
  /// [m] Half the overlap. It is not a Wide, because `half` is the value of the geometry, which need not be the number
  /// nearest to the sum of both.
  struct Zeta {
    R half;  ///< value of the geometry
    R rest;  ///< a correction; 0 in double precision
    [[nodiscard]] SCREE_INLINE double value() const { return double(half) + double(rest); }
  };
  /// The half overlap after a step. In single precision an overlap changes by whole last places, and if a contact is
  /// pressed and sheared slowly, most steps would shear it alone: the rim slips, and the stiffness is wrong by some ten
  /// per cent. So the half overlap is the old one plus its change, as long as this stays within the rounding errors of
  /// the overlap (branch, radii, root and quotient: 5 * 2^-24). In steps that change the overlap by a thousandth, its
  /// rounding does not matter.
  SCREE_INLINE static Zeta zeta_of(const ContactState<R>& c, [[maybe_unused]] const History& before) {
    const R half = R(0.5) * math::max(c.overlap, R(0));
    if constexpr (loses_increments<R>) {
      const R sign = before.end1 < R(0) ? R(-1) : R(1);
      const R rest = (sign * before.end1 - half) + (sign * before.rest1 - R(0.5) * c.retreat);
      const R most = math::abs(c.retreat) < R(0x1p-10) * half ? R(0x1p-21) * half : R(0);
      return {half, math::abs(rest) <= most ? rest : R(0)};
    } else {
      return {half, R(0)};
    }
  }

  /// [m] Half of the tangential movement in this step, along e1 and e2. If the bodies were apart before, only the
  /// movement since they touched counts.
  SCREE_INLINE static Vec2<R> movement_of(const ContactState<R>& c, const Vec3<R>& e1, const Vec3<R>& e2) {
    const Vec3<R> both = norm(c.branch_before) * c.n + c.branch_before;
    const Vec3<R> middle = (R(1) / math::max(norm(both), R(1e-37))) * both;
    const Vec3<R> movement = tangential_movement(c.time_step * c.velocity, c.time_step * c.rolling, middle);
    const R overlap = math::max(c.overlap, R(0)), gap = math::max(-c.overlap_before, R(0));
    const R part = R(0.5) * overlap / math::max(overlap + gap, R(1e-37));
    return {part * dot(movement, e1), part * dot(movement, e2)};
  }

  SCREE_INLINE static LawResponse<R> evaluate(const ContactState<R>& c, const Params& p, History& history) {
    const Vec3<R> e1 = carried_tangent(history.e1, c.n, c.branch_before, c.total_spin, c.time_step, c.lean);
    const Vec3<R> e2 = cross(c.n, e1);
    const Vec2<R> movement = movement_of(c, e1, e2);
    const JaegerValues<R> values = values_of(c.effective_radius, p);
    const Zeta zeta = zeta_of(c, history);
    const JaegerTopStep<R> step = step_of_record(history.top(), values, zeta.value(), movement);
    const JaegerTop<R>& after = step.after;
    const R slips = after.end1 < 0.0 ? R(1) : R(0), alone = after.end2 == 0.0 ? R(1) : R(0);
    const R slides = slips * alone;

    history.e1 = {e1.x, e1.y, e1.z};
    history.set_top(after);
    const Vec2<R> viscous = viscous_of(c, p, e1, e2);
    const R normal = normal_of(c, p, step.normal);
    LawResponse<R> response = answer(p, e1, e2, normal, step.normal, viscous, force_of(history), slides);
    const R change = static_cast<R>(static_cast<std::uint32_t>(step.change));
    const R whole = slides * p.slides_exactly;
    const R optional = whole > R(0) ? by_options : change;
    response.stack = {change == goes_on ? goes_on : optional,
                      normal,
                      c.effective_radius,
                      zeta.half,
                      zeta.rest,
                      movement.x,
                      movement.y,
                      viscous.x,
                      viscous.y};
    return response;
  }

  /// Repeats the step with the whole stack. `history` must be the history before the step.
  template <class Deep>
  SCREE_HD static LawResponse<R> again(const StackStep<R>& step, const Params& p, const Vec3<R>& n, const Vec3<R>& e1,
                                       History& history, Deep& deep) {
    const JaegerValues<R> values = values_of(step.effective_radius, p);
    const R hertzian = step_whole(values, p, zeta_in(step), {step.movement1, step.movement2}, history, deep);
    history.e1 = e1;
    return answer(p, e1, cross(n, e1), step.normal, hertzian, {step.viscous1, step.viscous2}, force_of(history),
                  slides(history));
  }

  // --- steps that continue below the record; they, too, are the body of a vector loop

  using Descent = JaegerDescent;
  /// The descent before any segment was popped. It has the first two segments of the stack.
  SCREE_INLINE static Descent descent_from(const History& history, const StackStep<R>& step, const Params& p) {
    const JaegerTop<R> top = history.top();
    const double reach = double(p.inverse_reach);
    return {.end1 = top.end1,
            .end2 = top.end2,
            .end3 = 0.0,
            .end4 = 0.0,
            .slope1 = {double(top.slope1.x), double(top.slope1.y)},
            .slope2 = {double(top.slope2.x), double(top.slope2.y)},
            .slope3 = {0.0, 0.0},
            .u = {reach * double(step.movement1), reach * double(step.movement2)},
            .force = {top.force.x, top.force.y}};
  }
  /// Pops one more segment. Only `tangential`, `shear` and `stack.change` of the response are valid.
  SCREE_INLINE static LawResponse<R> descend(Descent& at, const StackStep<R>& step, const Vec3<R>& n, const Vec3<R>& e1,
                                             const Params& p, History& history) {
    const JaegerTopStep<R> last =
        jaeger_descend(at, values_of(step.effective_radius, p), zeta_in(step), step.change != goes_on);
    history.e1 = {e1.x, e1.y, e1.z};
    history.set_top(last.after);
    const R slips = last.after.end1 < 0.0 ? R(1) : R(0), alone = last.after.end2 == 0.0 ? R(1) : R(0);
    LawResponse<R> response = answer(p, e1, cross(n, e1), step.normal, last.normal, {step.viscous1, step.viscous2},
                                     force_of(history), slips * alone);
    response.stack.change = static_cast<R>(static_cast<std::uint32_t>(last.change));
    return response;
  }
  /// The number of segments in pages that are gone when a descent ends after `released` segments.
  SCREE_INLINE static std::uint32_t gone(R change, std::uint32_t released) {
    return change == grows ? released - 1 : released;
  }

  /// Whether the response of evaluate() is not valid, because the step continues below the record or options may change
  /// it.
  SCREE_INLINE static bool needs_more(R change, const Params& p) {
    return change >= goes_on || (change == grows && p.most > R(0));
  }
  SCREE_INLINE static bool goes_deeper(R change) { return change == goes_on; }
  SCREE_INLINE static bool grows_by_one(R change) { return change == grows; }
  /// The segment that moves to the pages when the stack grows, taken from the history before the step. If its end is 0,
  /// no segment moves.
  SCREE_INLINE static JaegerSegment<R> handed_down(const History& before) {
    return {before.end2.value(), before.slope2};
  }

  template <class Deep>
  SCREE_HD static LawResponse<R> evaluate_whole(const ContactState<R>& c, const Params& p, History& history,
                                                Deep& deep) {
    const Vec3<R> e1 = carried_tangent(history.e1, c.n, c.branch_before, c.total_spin, c.time_step, c.lean);
    const Vec3<R> e2 = cross(c.n, e1);
    const R hertzian = step_whole(values_of(c.effective_radius, p), p, zeta_of(c, history).value(),
                                  movement_of(c, e1, e2), history, deep);
    history.e1 = e1;
    return answer(p, e1, e2, normal_of(c, p, hertzian), hertzian, viscous_of(c, p, e1, e2), force_of(history),
                  slides(history));
  }

  /// The energies from the stack after the step. Friction is the part of the work on the slip that the stack has not
  /// stored. The work is that of the mean of the forces before and after the step.
  template <class Deep>
  SCREE_HD static LawEnergies<R> energies_whole(const ContactState<R>& c, const Params& p,
                                                const LawResponse<R>& response, R stored_before, const History& history,
                                                Deep& deep) {
    const JaegerValues<R> values = values_of(c.effective_radius, p);
    JaegerTop<R> top = history.top();
    const JaegerTopStack<R, Deep> stack{top, deep, history.count() + deep.size()};
    const JaegerEnergies energies = jaeger_energies(stack, values);
    const R stored = static_cast<R>(energies.tangential);
    const R work = R(-0.5) * c.time_step * dot(c.shear + response.shear, c.slip);
    return {static_cast<R>(energies.normal),
            stored,
            work - (stored - stored_before),
            R(0),
            response.normal - static_cast<R>(values.normal_force(math::abs(history.first_end()))),
            response.tangential - response.shear,
            {}};
  }

  /// [N/m] Stiffness without slip, the largest that the contact can have.
  SCREE_INLINE static ContactStiffness<R> stiffness(const ContactState<R>& c, const Params& p) {
    return HertzMindlin<R>::stiffness(c, p);
  }

 private:
  SCREE_INLINE static double zeta_in(const StackStep<R>& step) { return Zeta{step.zeta, step.zeta_rest}.value(); }

  static constexpr R grows = R(static_cast<std::uint32_t>(JaegerChange::grows)),
                     goes_on = R(static_cast<std::uint32_t>(JaegerChange::goes_on)),
                     by_options = R(static_cast<std::uint32_t>(JaegerChange::by_options));

  SCREE_INLINE static JaegerTopStep<R> step_of_record(const JaegerTop<R>& top, const JaegerValues<R>& values,
                                                      double zeta, const Vec2<R>& movement) {
    const JaegerTopStep<R> step = jaeger_step_of_top(top, values, zeta, movement);
    if constexpr (merges) {
      return jaeger_merged_in_record(step, top, values);
    } else {
      return step;
    }
  }

  /// Whether the contact slides as a whole.
  SCREE_INLINE static R slides(const History& history) {
    return ((history.end1 < R(0)) & !history.end2.any()) ? R(1) : R(0);
  }
  SCREE_INLINE static Vec2<double> force_of(const History& history) {
    return {history.force_x.value(), history.force_y.value()};
  }

  /// Makes the step and returns Hertz's force [N]. On a GPU it is not inlined: only one step in ten needs it, but
  /// inlined it would raise the number of registers for all steps.
  template <class Deep>
#if SCREE_ON_CUDA
  __noinline__
#endif
      SCREE_HD static R
      step_whole(const JaegerValues<R>& values, const Params& p, double zeta, const Vec2<R>& movement, History& history,
                 Deep& deep) {
    JaegerTop<R> top = history.top();
    JaegerTopStack<R, Deep> stack{top, deep, history.count() + deep.size()};
    JaegerStep<R> step;
    if (p.slides_exactly > R(0)) {
      step = jaeger_step<R, JaegerOptions{merges, true, true}>(stack, top.force, values, zeta, movement);
    } else {
      step = jaeger_step<R, JaegerOptions{merges, true, false}>(stack, top.force, values, zeta, movement);
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
  SCREE_INLINE static Vec2<R> viscous_of(const ContactState<R>& c, const Params& p, const Vec3<R>& e1,
                                         const Vec3<R>& e2) {
    const R dashpot = p.damping_shear * dashpot_of(c, p);
    return {dashpot * dot(c.slip, e1), dashpot * dot(c.slip, e2)};
  }

  /// The response to a tangential force over mu [N] on body 1 in the axes e1 and e2.
  SCREE_INLINE static LawResponse<R> answer(const Params& p, const Vec3<R>& e1, const Vec3<R>& e2, R normal, R hertzian,
                                            const Vec2<R>& viscous, const Vec2<double>& force, R slides) {
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
