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
/// contact; forces [N], the tangential one acts on body 1, along the movement of body 2. Half overlaps, their differences and the tangential
/// force are double for any R; everything else is R.
namespace scree::inline SCREE_BACKEND {

/// What a step did, for counters.
enum class JaegerEvent : std::uint8_t { none, elastic, slip, unload, full, retrace, separated };

template <class R>
struct JaegerStep {
  R normal;             ///< [N]
  JaegerEvent event;    ///< unload: slip that begins inside the last slip zone
  std::uint32_t pops;   ///< segments that were forgotten
};

/// Slip zones thinner than this times zeta are none.
template <class R>
inline constexpr R jaeger_thinnest = R(1e-14);

/// Width zeta - zeta* of the zone that slips, as the segment sees it that ends `above` below zeta: the root of |e + b W| = mu W with
/// e = d - b above. Beyond all bounds where the whole segment slips; 0 where the step retraces it.
template <class R>
SCREE_INLINE JaegerWork<R> jaeger_slip_width(const Vec2<JaegerWork<R>>& d, const JaegerSegment<R>& segment, JaegerWork<R> above,
                                             R friction) {
  using W = JaegerWork<R>;
  constexpr W noise = sizeof(R) == 4 ? W(2.3e-13) : W(8e-31);  // (4 roundings of d)^2
  const Vec2<W> b = convert<W>(segment.b);
  const Vec2<W> e = d - above * b;
  const W square = dot(e, e);
  const W along = dot(e, b);
  const W spare = math::max(math::square(W(friction)) - dot(b, b), W(0));
  const W q = segment.slips() ? W(0) : spare;
  const W root = math::sqrt(along * along + q * square);
  const bool back = along < W(0);
  const W over = back ? square : along + root;
  const W under = back ? root - along : q;
  const W width = under > W(0) ? over / math::max(under, W(1e-37)) : W(1e37);
  return square <= noise * dot(d, d) ? W(0) : width;
}

/// Where the slip zone of a step begins.
template <class R>
struct JaegerSlip {
  double begin;          ///< [m] zeta*
  R normal;              ///< [N] there
  bool inside;           ///< the slip zone of the last step, which it leaves otherwise as it is
  std::uint32_t pops;
};

/// Takes the segments that slip from the stack, and what of the last one slips, and adds their displacement to d.
/// An empty stack is left where the whole contact slides.
template <class R, class Stack>
SCREE_INLINE JaegerSlip<R> jaeger_release(Stack& stack, Vec2<double>& force, Vec2<JaegerWork<R>>& d, const JaegerValues<R>& of,
                                          double zeta, R normal_before) {
  using W = JaegerWork<R>;
  std::uint32_t pops = 0;
  R normal_end = normal_before;
  while (stack.size() > 0) {
    const JaegerSegment<R> segment = stack.top();
    const double end = segment.end(), below = stack.below_end();
    const W width = jaeger_slip_width(d, segment, static_cast<W>(zeta - end), of.friction);
    const double begin = zeta - double(width);
    const bool stays = begin > below;
    const double cut = stays ? math::min(math::min(begin, end), zeta) : below;
    const R normal_cut = of.normal_force(cut);
    d += static_cast<W>(end - cut) * convert<W>(segment.b);
    force -= jaeger_share(normal_cut, normal_end, segment.b);
    if (stays) {
      stack.replace_top(JaegerSegment<R>::make(cut, segment.b, segment.slips()));
      return {cut, normal_cut, segment.slips() && pops == 0, pops};
    }
    stack.pop();
    normal_end = normal_cut;
    ++pops;
  }
  return {0.0, R(0), false, pops};
}

/// One step of one contact to the half overlap zeta [m], with a movement [m]; of any size. Changes the stack and the tangential force.
/// The stack grows by one segment at most, also in between.
template <class R, JaegerOptions options = JaegerOptions{}, class Stack>
  requires JaegerStack<Stack, R>
SCREE_INLINE JaegerStep<R> jaeger_step(Stack& stack, Vec2<double>& force, const JaegerValues<R>& of, double zeta,
                                       const Vec2<R>& movement) {
  if (!(zeta > 0.0)) {
    const std::uint32_t pops = stack.size();
    stack.clear();
    force = {0.0, 0.0};
    return {R(0), JaegerEvent::separated, pops};
  }
  using W = JaegerWork<R>;
  Vec2<W> d = W(of.inverse_kappa) * convert<W>(movement);
  const double zeta_before = stack.size() > 0 ? stack.top().end() : 0.0;
  const R normal_before = of.normal_force(zeta_before);
  const W grown = static_cast<W>(zeta - zeta_before);
  const W square = dot(d, d);
  if (zeta == zeta_before && square == W(0)) { return {normal_before, JaegerEvent::none, 0}; }
  const R normal = of.normal_force(zeta);

  if (grown > W(0) && square <= math::square(W(of.friction) * grown)) {
    const Vec2<R> b = convert<R>((W(1) / grown) * d);
    force += jaeger_share(normal_before, normal, b);
    stack.push(JaegerSegment<R>::make(zeta, b, false));
    std::uint32_t pops = 0;
    if constexpr (options.merges) { pops = jaeger_merge(stack, force, of); }
    if constexpr (options.caps) { jaeger_cap(stack, force, of); }
    return {normal, JaegerEvent::elastic, pops};
  }

  [[maybe_unused]] const Vec2<W> alone = d;
  const JaegerSlip<R> slip = jaeger_release(stack, force, d, of, zeta, normal_before);
  const W length = norm(d);
  if (static_cast<W>(zeta - slip.begin) <= jaeger_thinnest<W> * static_cast<W>(zeta) || length == W(0)) {
    if (stack.size() > 0) {
      const JaegerSegment<R> top = stack.top();
      force += jaeger_share(slip.normal, normal, top.b);  // rounding: the normal forces may differ by a digit
      stack.replace_top(JaegerSegment<R>::make(zeta, top.b, top.slips()));
    } else {
      stack.push({zeta, {R(0), R(0)}});
    }
    return {normal, JaegerEvent::retrace, slip.pops};
  }
  Vec2<R> b = convert<R>((W(of.friction) / length) * d);
  const bool slides = stack.size() == 0;
  if constexpr (options.slides_exactly) {
    if (slides) { b = jaeger_sliding_direction(of.friction, alone, d - alone, zeta_before, zeta); }
  }
  // A contact that slides has forgotten everything: no rounding is left over from that.
  force = slides ? jaeger_share(R(0), normal, b) : force + jaeger_share(slip.normal, normal, b);
  stack.push(JaegerSegment<R>::make(zeta, b, true));
  if constexpr (options.caps) { jaeger_cap(stack, force, of); }
  const JaegerEvent partial = slip.inside ? JaegerEvent::unload : JaegerEvent::slip;
  return {normal, slides ? JaegerEvent::full : partial, slip.pops};
}

}  // namespace scree::inline SCREE_BACKEND
