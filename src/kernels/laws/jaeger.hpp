#pragma once

#include "kernels/history/jaeger_traction.hpp"
#include "kernels/laws/contact_frame.hpp"
#include "kernels/laws/hertz_mindlin.hpp"
#include "kernels/laws/jaeger_record.hpp"

namespace scree::inline SCREE_BACKEND {

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

/// The exact contact of Cattaneo, Mindlin, Deresiewicz and Jaeger (history/jaeger.hpp) between Hertzian spheres of any
/// two radii. zeta is half the overlap, the movement half of that of body 2 relative to body 1 along the contact in
/// this step:
///   A = (8/3) E* sqrt(2 R*),  kappa = E* / (4 G*),  N = A zeta^1.5.
/// Dashpots stand beside it and are never remembered: F_N = max(0, N - 2 beta sqrt(m* k_n) v_n), and along the contact
/// 2 beta_s sqrt(m* k_s) v_T as far as mu N allows, none while all of the contact slides. Where the contact began
/// within the step, the movement counts from then on.
///
/// The record of the two uppermost segments is its History, the rest is in pages: evaluate() is for the steps that the
/// record is enough for, and says so in LawResponse::stack; evaluate_whole() is for all. Without `merges` no contact of
/// the run may ask for merging.
template <class R, bool merges = false>
struct Jaeger {
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
  SCREE_INLINE static double zeta_of(const ContactState<R>& c) { return 0.5 * double(math::max(c.overlap, R(0))); }

  /// [m] Half of the tangential movement in this step, in the axes e1 and e2. Of a contact that was apart before from
  /// when it touched.
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
    const JaegerTopStep<R> step = step_of_record(history.top(), values, zeta_of(c), movement);
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
                      math::max(c.overlap, R(0)),
                      c.effective_radius,
                      movement.x,
                      movement.y,
                      viscous.x,
                      viscous.y};
    return response;
  }

  /// The same step with the whole stack; history is that before it.
  template <class Deep>
  SCREE_HD static LawResponse<R> again(const StackStep<R>& step, const Params& p, const Vec3<R>& n, const Vec3<R>& e1,
                                       History& history, Deep& deep) {
    const JaegerValues<R> values = values_of(step.effective_radius, p);
    const R hertzian =
        step_whole(values, p, 0.5 * double(step.overlap), {step.movement1, step.movement2}, history, deep);
    history.e1 = e1;
    return answer(p, e1, cross(n, e1), step.normal, hertzian, {step.viscous1, step.viscous2}, force_of(history),
                  slides(history));
  }

  // --- steps that go on below the record, also as a vector loop

  using Descent = JaegerDescent;
  /// Before anything was let go; of the stack the first two segments.
  SCREE_INLINE static Descent descent_from(const History& history, const StackStep<R>& step, const Params& p) {
    const JaegerTop<R> top = history.top();
    const double reach = double(p.inverse_reach);
    return {top.end1,
            top.end2,
            0.0,
            0.0,
            {double(top.slope1.x), double(top.slope1.y)},
            {double(top.slope2.x), double(top.slope2.y)},
            {0.0, 0.0},
            {reach * double(step.movement1), reach * double(step.movement2)},
            {top.force.x, top.force.y}};
  }
  /// Lets one more segment go. In the answer only `tangential`, `shear` and what becomes of the stack count.
  SCREE_INLINE static LawResponse<R> descend(Descent& at, const StackStep<R>& step, const Vec3<R>& n, const Vec3<R>& e1,
                                             const Params& p, History& history) {
    const JaegerTopStep<R> last =
        jaeger_descend(at, values_of(step.effective_radius, p), 0.5 * double(step.overlap), step.change != goes_on);
    history.e1 = {e1.x, e1.y, e1.z};
    history.set_top(last.after);
    const R slips = last.after.end1 < 0.0 ? R(1) : R(0), alone = last.after.end2 == 0.0 ? R(1) : R(0);
    LawResponse<R> response = answer(p, e1, cross(n, e1), step.normal, last.normal, {step.viscous1, step.viscous2},
                                     force_of(history), slips * alone);
    response.stack.change = static_cast<R>(static_cast<std::uint32_t>(last.change));
    return response;
  }
  /// How many of the segments in pages have gone when a descent ends after `released`.
  SCREE_INLINE static std::uint32_t gone(R change, std::uint32_t released) {
    return change == grows ? released - 1 : released;
  }

  /// Whether the answer of evaluate() is of no use: the step goes on below the record, or options may have a say.
  SCREE_INLINE static bool needs_more(R change, const Params& p) {
    return change >= goes_on || (change == grows && p.most > R(0));
  }
  SCREE_INLINE static bool goes_deeper(R change) { return change == goes_on; }
  SCREE_INLINE static bool grows_by_one(R change) { return change == grows; }
  /// What goes to the segments in pages when the stack grows, from the history before; of no length: nothing does.
  SCREE_INLINE static JaegerSegment<R> handed_down(const History& before) {
    return {before.end2.value(), before.slope2};
  }

  template <class Deep>
  SCREE_HD static LawResponse<R> evaluate_whole(const ContactState<R>& c, const Params& p, History& history,
                                                Deep& deep) {
    const Vec3<R> e1 = carried_tangent(history.e1, c.n, c.branch_before, c.total_spin, c.time_step, c.lean);
    const Vec3<R> e2 = cross(c.n, e1);
    const R hertzian =
        step_whole(values_of(c.effective_radius, p), p, zeta_of(c), movement_of(c, e1, e2), history, deep);
    history.e1 = e1;
    return answer(p, e1, e2, normal_of(c, p, hertzian), hertzian, viscous_of(c, p, e1, e2), force_of(history),
                  slides(history));
  }

  /// Of the stack after the step. Friction is what of the work on the slip, by the mean force of before and after, the
  /// stack has not stored.
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
            response.normal - values.normal_force(zeta_of(c)),
            response.tangential - response.shear,
            {}};
  }

  /// [N/m] That of a contact that does not slip is the largest it can have.
  SCREE_INLINE static ContactStiffness<R> stiffness(const ContactState<R>& c, const Params& p) {
    return HertzMindlin<R>::stiffness(c, p);
  }

 private:
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

  /// The step itself; returns Hertz's force. On a GPU a function that is called: one step in ten needs it, and it would
  /// take the registers of all.
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

  /// From the tangential force over mu, on body 1 in the axes e1 and e2.
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
