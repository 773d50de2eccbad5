#pragma once

#include "kernels/history/jaeger_variants.hpp"

/// The exact contact of Cattaneo, Mindlin, Deresiewicz and Jaeger: two spheres pressed together by Hertz's law, moved along each other
/// in any direction. Jaeger (1993, 1996, 1999, 2005) showed that the tangential force follows from an equivalent load history of pieces in which
/// force and movement are in a constant ratio; the algorithm is that of Kuhn, Implementation of the Jaeger contact model for
/// discrete element simulations (2011; arXiv 1812.10374).
///
/// The picture: fibres s in [0, zeta], by the half overlap at which they came into contact, carry the normal force w(s) (zeta - s),
/// w = (3/4) A s^-1/2, and the tangential force w(s) u(s) / kappa; each sticks as long as |u(s)| <= kappa mu (zeta - s).
/// The history is u, piecewise linear, u' = -kappa b. Since |u'| <= kappa mu, what slips is always s in (zeta*, zeta],
/// and becomes one new segment with |b| = mu.
///
/// Units: zeta, half the overlap [m]; movement, half the tangential displacement of body 2 relative to body 1 [m] in the frame of the
/// contact; forces [N], the tangential one acts on body 1, along the movement of body 2. Half overlaps and sums of forces are double for any R;
/// everything else is R.
namespace scree::inline SCREE_BACKEND {

/// What a step did, for counters.
enum class JaegerEvent : std::uint8_t { none, elastic, slip, unload, full, retrace, separated };

struct JaegerStep {
  double normal;        ///< [N]
  JaegerEvent event;    ///< unload: slip that begins inside the last slip zone
  std::uint32_t pops;   ///< segments that were forgotten
};

/// Slip zones thinner than this times zeta are none.
inline constexpr double jaeger_thinnest = 1e-14;

/// Width zeta - zeta* of the zone that slips, as segment b above `end` sees it: the root of |e + b W| = mu W with
/// e = d - b (zeta - end). Beyond all bounds where the whole segment slips; 0 where the step retraces it.
template <class R>
SCREE_INLINE R jaeger_slip_width(const Vec2<R>& d, const JaegerSegment<R>& segment, R above, R friction) {
  constexpr R noise = sizeof(R) == 4 ? R(2.3e-13) : R(8e-31);  // (4 roundings of d)^2
  const Vec2<R> e = d - above * segment.b;
  const R square = dot(e, e);
  const R along = dot(e, segment.b);
  const R spare = math::max(friction * friction - dot(segment.b, segment.b), R(0));
  const R q = segment.slips() ? R(0) : spare;
  const R root = math::sqrt(along * along + q * square);
  const bool back = along < R(0);
  const R over = back ? square : along + root;
  const R under = back ? root - along : q;
  const R width = under > R(0) ? over / math::max(under, R(1e-37)) : R(1e37);
  return square <= noise * dot(d, d) ? R(0) : width;
}

/// Takes the segments that slip from the stack, and what of the last one slips; adds their displacement to d.
/// Returns where the slip zone begins; 0 with an empty stack is sliding of the whole contact.
template <class R, class Stack>
struct JaegerSlip {
  double begin;          ///< [m] zeta*
  double normal;         ///< [N] there
  bool inside;           ///< the slip zone of the last step, which it leaves otherwise as it is
  std::uint32_t pops;

  SCREE_INLINE static JaegerSlip find(Stack& stack, Vec2<double>& force, Vec2<R>& d, const JaegerValues<R>& of, double zeta,
                                      double normal_before) {
    std::uint32_t pops = 0;
    double normal_end = normal_before;
    while (stack.size() > 0) {
      const JaegerSegment<R> segment = stack.top();
      const double end = segment.end();
      const double below = stack.below_end();
      const R width = jaeger_slip_width(d, segment, static_cast<R>(zeta - end), of.friction);
      const double begin = zeta - double(width);
      if (begin > below) {
        const double cut = math::min(math::min(begin, end), zeta);
        if (cut == end) { return {end, normal_end, segment.slips() && pops == 0, pops}; }
        const double normal_cut = of.normal_force(cut);
        d += static_cast<R>(end - cut) * segment.b;
        force -= (normal_end - normal_cut) * convert<double>(segment.b);
        stack.replace_top(JaegerSegment<R>::make(cut, segment.b, segment.slips()));
        return {cut, normal_cut, segment.slips() && pops == 0, pops};
      }
      const double normal_below = of.normal_force(below);
      d += static_cast<R>(end - below) * segment.b;
      force -= (normal_end - normal_below) * convert<double>(segment.b);
      stack.pop();
      normal_end = normal_below;
      ++pops;
    }
    return {0.0, 0.0, false, pops};
  }
};

/// One step of one contact to the half overlap zeta [m], with a movement [m]; of any size. Changes the stack and the tangential force.
/// The stack grows by one segment at most, also in between.
template <class R, JaegerOptions options = JaegerOptions{}, class Stack>
  requires JaegerStack<Stack, R>
SCREE_INLINE JaegerStep jaeger_step(Stack& stack, Vec2<double>& force, const JaegerValues<R>& of, double zeta,
                                    const Vec2<R>& movement) {
  if (!(zeta > 0.0)) {
    const std::uint32_t pops = stack.size();
    stack.clear();
    force = {0.0, 0.0};
    return {0.0, JaegerEvent::separated, pops};
  }
  Vec2<R> d = of.inverse_kappa * movement;
  const double zeta_before = stack.size() > 0 ? stack.top().end() : 0.0;
  const double normal_before = of.normal_force(zeta_before);
  const R grown = static_cast<R>(zeta - zeta_before);
  const R square = dot(d, d);
  if (zeta == zeta_before && square == R(0)) { return {normal_before, JaegerEvent::none, 0}; }
  const double normal = of.normal_force(zeta);

  if (grown > R(0) && square <= math::square(of.friction * grown)) {
    const Vec2<R> b = (R(1) / grown) * d;
    force += (normal - normal_before) * convert<double>(b);
    stack.push(JaegerSegment<R>::make(zeta, b, false));
    std::uint32_t pops = 0;
    if constexpr (options.merges) { pops = jaeger_merge(stack, of); }
    if constexpr (options.caps) { jaeger_cap(stack, force, of); }
    return {normal, JaegerEvent::elastic, pops};
  }

  [[maybe_unused]] const Vec2<R> alone = d;
  const auto slip = JaegerSlip<R, Stack>::find(stack, force, d, of, zeta, normal_before);
  const R length = norm(d);
  if (zeta - slip.begin <= jaeger_thinnest * zeta || length == R(0)) {
    if (stack.size() > 0) {
      const JaegerSegment<R> top = stack.top();
      stack.replace_top(JaegerSegment<R>::make(zeta, top.b, top.slips()));
    } else {
      stack.push({zeta, {R(0), R(0)}});
    }
    return {normal, JaegerEvent::retrace, slip.pops};
  }
  Vec2<R> b = (of.friction / length) * d;
  const bool slides = stack.size() == 0;
  if constexpr (options.slides_exactly) {
    if (slides) { b = jaeger_sliding_direction(of.friction, alone, d - alone, zeta_before, zeta); }
  }
  if (slides) {
    force = normal * convert<double>(b);  // no rounding is left over from what is forgotten
  } else {
    force += (normal - slip.normal) * convert<double>(b);
  }
  stack.push(JaegerSegment<R>::make(zeta, b, true));
  if constexpr (options.caps) { jaeger_cap(stack, force, of); }
  return {normal, slides ? JaegerEvent::full : slip.inside ? JaegerEvent::unload : JaegerEvent::slip, slip.pops};
}

}  // namespace scree::inline SCREE_BACKEND
