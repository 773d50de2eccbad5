#pragma once

#include "kernels/history/jaeger_variants.hpp"

/// The exact contact of Cattaneo, Mindlin, Deresiewicz and Jaeger: two spheres are pressed together by Hertz's law and
/// moved along each other in any direction. Jaeger (1993, 1996, 1999, 2005) showed that the tangential force follows
/// from an equivalent load history, whose pieces have a constant ratio of force and movement. The algorithm is Kuhn's,
/// Implementation of the Jaeger contact model for discrete element simulations (2011; arXiv 1812.10374).
///
/// The model: fibres are labelled by s in [0, zeta], the half overlap at which they came into contact. They carry the
/// normal force w(s) (zeta - s), w = (3/4) A s^-1/2, and the tangential force mu w(s) u(s). A fibre sticks as long as
/// |u(s)| <= zeta - s. Here u is the tangential displacement over kappa mu. The history is the function u, which is
/// piecewise linear with u' = -slope. Since |u'| <= 1, slipping fibres are always those with s in (zeta*, zeta]. They
/// become one new segment with a slope of length 1.
///
/// Units: zeta, half the overlap [m]; movement, half the tangential displacement of body 2 relative to body 1 [m] in
/// the frame of the contact; forces [N]. The tangential force over mu acts on body 1, along the movement of body 2. All
/// arithmetic is double, but R = float takes movements and stores slopes as floats.
namespace scree::inline SCREE_BACKEND {

/// Kind of a step, for counters.
enum class JaegerEvent : std::uint8_t { none, elastic, slip, unload, full, retrace, separated };

template <class R>
struct JaegerStep {
  R normal;            ///< [N]
  JaegerEvent event;   ///< unload: slip begins inside the last slip zone
  std::uint32_t pops;  ///< number of segments removed
};

/// Slip zones thinner than this fraction of zeta are ignored.
inline constexpr double jaeger_thinnest = 1e-14;

/// Whether fibres at `depth` below zeta stick after the step has moved them to u: g(s) < 0 with g(s) = |u(s)| - (zeta -
/// s), which never decreases with s.
SCREE_INLINE bool jaeger_sticks(const Vec2<double>& u, double depth) { return dot(u, u) < depth * depth; }

/// Width zeta - zeta* of a slip zone that begins in a segment whose end is `above` below zeta: the root W of |e + slope
/// W| = W with e = u - slope above. u is the displacement after the step of the fibres at the end of the segment.
SCREE_INLINE double jaeger_slip_width(const Vec2<double>& u, const Vec2<double>& slope, bool slips, double above) {
  constexpr double noise = 8e-31;  // (4 roundings)^2: a smaller e means that the step retraces the segment
  const Vec2<double> e = u - above * slope;
  const double square = dot(e, e);
  const double along = dot(e, slope);
  const double spare = math::max(1.0 - dot(slope, slope), 0.0);
  const double q = slips ? 0.0 : spare;
  const double root = math::sqrt(along * along + q * square);
  const bool back = along < 0.0;
  const double over = back ? square : along + root;
  const double under = back ? root - along : q;
  const double width = under > 0.0 ? over / math::max(under, 1e-300) : 1e300;
  return square <= noise * dot(u, u) ? 0.0 : width;
}

/// The lower end of the slip zone of a step.
struct JaegerSlip {
  double begin;   ///< [m] zeta*
  double normal;  ///< [N] there
  bool inside;    ///< the slip zone begins inside that of the last step, whose rest stays as it is
  std::uint32_t pops;
};

/// Removes the segments that slip from the stack, and cuts the segment in which the slip zone begins. u is the
/// displacement of the fibres at the top of the stack. If the whole contact slides, the stack is empty afterwards.
template <class R, class Stack>
SCREE_INLINE JaegerSlip jaeger_release(Stack& stack, Vec2<double>& force, Vec2<double>& u, const JaegerValues<R>& of,
                                       double zeta, double normal_before) {
  std::uint32_t pops = 0;
  double normal_end = normal_before;
  while (stack.size() > 0) {
    const JaegerSegment<R> segment = stack.top();
    const Vec2<double> slope = segment.slope();
    const double end = segment.end(), below = stack.below_end();
    const Vec2<double> u_below = u + (end - below) * slope;
    if (jaeger_sticks(u_below, zeta - below)) {
      const double begin = zeta - jaeger_slip_width(u, slope, segment.slips(), zeta - end);
      if (begin > below) {
        const double cut = math::min(math::min(begin, end), zeta);
        const double normal_cut = of.normal_force(cut);
        u += (end - cut) * slope;
        force -= jaeger_share(normal_cut, normal_end, slope);
        stack.replace_top({segment.slips() ? -cut : cut, segment.kept_slope});
        return {cut, normal_cut, segment.slips() && pops == 0, pops};
      }
    }
    const double normal_below = of.normal_force(below);
    u = u_below;
    force -= jaeger_share(normal_below, normal_end, slope);
    stack.pop();
    normal_end = normal_below;
    ++pops;
  }
  return {0.0, 0.0, false, pops};
}

/// Ends a step that retraces the newest segment: makes it longer, up to zeta, instead of adding one. `normal_begin` [N]
/// is the normal force where the slip zone would begin.
template <class R, class Stack>
SCREE_INLINE void jaeger_retrace(Stack& stack, Vec2<double>& force, double zeta, double normal_begin, double normal) {
  const bool slides = stack.size() == 0;
  const JaegerSegment<R> top = slides ? JaegerSegment<R>{zeta, {R(0), R(0)}} : stack.top();
  const JaegerSegment<R> longer{top.slips() ? -zeta : zeta, top.kept_slope};
  // The normal forces may differ by a rounding error.
  force += jaeger_share(normal_begin, normal, longer.slope());
  if (slides) {
    stack.push(longer);
  } else {
    stack.replace_top(longer);
  }
}

/// One step of one contact to the half overlap zeta [m], with a movement [m] of any size. Changes the stack and
/// `force`, the tangential force over mu. The stack never has more than one segment more than before, also during the
/// step. All input must be finite.
template <class R, JaegerOptions options = JaegerOptions{}, class Stack>
requires JaegerStack<Stack, R> SCREE_INLINE JaegerStep<R> jaeger_step(Stack& stack, Vec2<double>& force,
                                                                      const JaegerValues<R>& of, double zeta,
                                                                      const Vec2<R>& movement) {
  if (!(zeta > 0.0)) {
    const std::uint32_t pops = stack.size();
    stack.clear();
    force = {0.0, 0.0};
    return {R(0), JaegerEvent::separated, pops};
  }
  Vec2<double> u = double(of.inverse_reach) * convert<double>(movement);
  const double zeta_before = stack.size() > 0 ? stack.top().end() : 0.0;
  const double grown = zeta - zeta_before, square = dot(u, u);
  const double normal_before = of.normal_force(zeta_before);
  if (grown == 0.0 && square == 0.0) { return {static_cast<R>(normal_before), JaegerEvent::none, 0}; }
  const double normal = of.normal_force(zeta);

  if (grown > 0.0 && square <= grown * grown) {
    const auto segment = JaegerSegment<R>::make(zeta, (1.0 / grown) * u, false);
    force += jaeger_share(normal_before, normal, segment.slope());
    stack.push(segment);
    std::uint32_t pops = 0;
    if constexpr (options.merges) { pops = jaeger_merge(stack, force, of); }
    if constexpr (options.caps) { jaeger_cap(stack, force, of); }
    return {static_cast<R>(normal), JaegerEvent::elastic, pops};
  }

  [[maybe_unused]] const Vec2<double> alone = u;
  const JaegerSlip slip = jaeger_release(stack, force, u, of, zeta, normal_before);
  const double length = norm(u);
  const bool slides = stack.size() == 0;
  if (zeta - slip.begin <= jaeger_thinnest * zeta || length == 0.0) {
    jaeger_retrace<R>(stack, force, zeta, slip.normal, normal);
    return {static_cast<R>(normal), JaegerEvent::retrace, slip.pops};
  }
  Vec2<double> direction = (1.0 / length) * u;
  if constexpr (options.slides_exactly) {
    if (slides) { direction = jaeger_sliding_direction(alone, u - alone, zeta_before, zeta); }
  }
  const auto segment = JaegerSegment<R>::make(zeta, direction, true);
  const Vec2<double> share = jaeger_share(slip.normal, normal, segment.slope());
  force = slides ? share : force + share;  // a sliding contact keeps nothing of its history: no rounding errors remain
  stack.push(segment);
  if constexpr (options.caps) { jaeger_cap(stack, force, of); }
  const JaegerEvent partial = slip.inside ? JaegerEvent::unload : JaegerEvent::slip;
  return {static_cast<R>(normal), slides ? JaegerEvent::full : partial, slip.pops};
}

}  // namespace scree::inline SCREE_BACKEND
