#pragma once

#include "kernels/history/jaeger.hpp"

/// The upper end of a Jaeger contact in one record, for steps that need no more of the stack: nearly all.
namespace scree::inline SCREE_BACKEND {

/// The two uppermost segments, where the second one begins, and the tangential force. All zero is a contact that has not begun. What lies below is
/// kept elsewhere, by whoever keeps this; there the third segment from above is the top.
template <class R>
struct JaegerTop {
  double end1, end2, end3;  ///< [m] signed ends of the top, of the segment below it and of the third; 0 where there is none
  Vec2<R> b1, b2;           ///< [-]
  Vec2<double> force;       ///< [N]
};

/// What a step of the record means for the number of segments, and for those that are kept elsewhere.
enum class JaegerChange : std::uint32_t {
  same,     ///< as many as before
  grows,    ///< one more: the old second segment, where there was one, goes to those kept elsewhere
  one,      ///< one is left, none was kept elsewhere: the contact slides as a whole, or has just begun
  goes_on,  ///< the step needs more of the stack: the answer is no use
};

template <class R>
struct JaegerTopStep {
  JaegerTop<R> after;
  R normal;  ///< [N]
  JaegerChange change;
};

/// jaeger_step without options, to the bit, as far as the record goes: elastic, or at most one segment is popped, or all of two slide. For half
/// overlaps above 0. No jumps: it can be the body of a vector loop.
template <class R>
SCREE_INLINE JaegerTopStep<R> jaeger_step_of_top(const JaegerTop<R>& top, const JaegerValues<R>& of, double zeta,
                                                 const Vec2<R>& movement) {
  using W = JaegerWork<R>;
  const JaegerSegment<R> first{top.end1, top.b1}, second{top.end2, top.b2};
  const double end1 = first.end(), end2 = second.end();
  const R normal = of.normal_force(zeta), normal1 = of.normal_force(end1), normal2 = of.normal_force(end2);
  const W friction = W(of.friction);
  const Vec2<W> d1 = W(of.inverse_kappa) * convert<W>(movement);
  const W grown = static_cast<W>(zeta - end1);
  const bool elastic = (grown > W(0)) & (dot(d1, d1) <= math::square(friction * grown));

  // The slip zone as the first segment sees it, and as the second one does where the first slips as a whole.
  const double begin1 = zeta - double(jaeger_slip_width(d1, first, grown, of.friction));
  const bool stays1 = (begin1 > end2) & (end1 > 0.0);
  const Vec2<W> d2 = d1 + static_cast<W>(end1 - end2) * convert<W>(top.b1);
  const double begin2 = zeta - double(jaeger_slip_width(d2, second, static_cast<W>(zeta - end2), of.friction));
  const bool stays2 = begin2 > math::abs(top.end3);

  const double signed_end = stays1 ? top.end1 : top.end2;
  const double end = stays1 ? end1 : end2;
  const Vec2<R> b = select(stays1, top.b1, top.b2);
  const double cut = math::max(math::min(math::min(stays1 ? begin1 : begin2, end), zeta), 0.0);
  const R normal_cut = of.normal_force(cut), normal_end = stays1 ? normal1 : normal2;
  const Vec2<W> d = select(stays1, d1, d2) + static_cast<W>(end - cut) * convert<W>(b);
  const Vec2<double> popped = top.force - jaeger_share(normal2, normal1, top.b1);
  const Vec2<double> force = select(stays1, top.force, popped) - jaeger_share(normal_cut, normal_end, b);
  const W length = norm(d);

  const bool slips = !elastic;
  const bool slides = slips & !stays1 & (end2 == 0.0);
  const bool thin = static_cast<W>(zeta - cut) <= jaeger_thinnest<W> * static_cast<W>(zeta);
  const bool retraces = slips & (thin | (length == W(0)));
  const bool grows = elastic | (stays1 & !retraces);

  const W scale = (elastic ? W(1) : friction) / math::max(elastic ? grown : length, W(1e-37));
  const Vec2<R> newest = select(retraces, top.b1, convert<R>(scale * select(elastic, d1, d)));
  const R normal_slips = slides ? R(0) : normal_cut;
  const Vec2<double> share = jaeger_share(elastic ? normal1 : normal_slips, normal, newest);
  const Vec2<double> force_before = select(elastic, top.force, force);

  JaegerTop<R> after;
  const double slipped_end = signed_end < 0.0 ? -cut : cut, retraced_end = top.end1 < 0.0 ? -zeta : zeta;
  const double pushed_end = elastic ? zeta : -zeta;
  after.end1 = retraces ? retraced_end : pushed_end;
  after.b1 = newest;
  const double end2_of_slip = retraces ? top.end2 : slipped_end;
  const double end2_of_growth = elastic ? top.end1 : end2_of_slip;
  const double end3_unless_one = grows ? top.end2 : top.end3;
  after.end2 = slides ? 0.0 : end2_of_growth;
  after.end3 = slides ? 0.0 : end3_unless_one;
  const Vec2<R> none{R(0), R(0)};
  after.b2 = select(slides, none, select(grows, top.b1, top.b2));
  after.force = select(slides, share, force_before + share);

  const bool unknown = slips & !stays1 & ((!slides & !stays2) | retraces);
  const bool one = slides | (elastic & (end1 == 0.0));
  const JaegerChange change = grows ? JaegerChange::grows : JaegerChange::same;
  const JaegerChange known = one ? JaegerChange::one : change;
  return {after, normal, unknown ? JaegerChange::goes_on : known};
}

/// A stack of which the upper end is in a record: for the steps that go on below it, and for options. `Deep` holds all segments below the
/// second one: size, top, push, pop, clear; at, replace and erase where segments are merged to limit their number.
template <class R, class Deep>
struct JaegerTopStack {
  JaegerTop<R>& record;
  Deep& deep;
  std::uint32_t n;  ///< segments, all together

  SCREE_INLINE std::uint32_t size() const { return n; }
  SCREE_INLINE JaegerSegment<R> top() const { return {record.end1, record.b1}; }
  SCREE_INLINE JaegerSegment<R> below_top() const { return {record.end2, record.b2}; }
  SCREE_INLINE double below_end() const { return math::abs(record.end2); }
  SCREE_INLINE JaegerSegment<R> at(std::uint32_t i) const {
    return i + 1 == n ? top() : i + 2 == n ? below_top() : deep.at(i);
  }
  SCREE_INLINE void push(const JaegerSegment<R>& segment) {
    if (n > 1) { deep.push(below_top()); }
    record.end3 = record.end2;
    record.end2 = record.end1, record.b2 = record.b1;
    replace_top(segment);
    ++n;
  }
  SCREE_INLINE void pop() {
    record.end1 = record.end2, record.b1 = record.b2;
    --n;
    take_second();
  }
  SCREE_INLINE void replace_top(const JaegerSegment<R>& segment) { record.end1 = segment.signed_end, record.b1 = segment.b; }
  SCREE_INLINE void replace(std::uint32_t i, const JaegerSegment<R>& segment) {
    if (i + 1 == n) {
      replace_top(segment);
    } else if (i + 2 == n) {
      record.end2 = segment.signed_end, record.b2 = segment.b;
    } else {
      deep.replace(i, segment);
      if (i + 3 == n) { record.end3 = segment.signed_end; }
    }
  }
  SCREE_INLINE void erase(std::uint32_t i) {
    if (i + 1 == n) { return pop(); }
    --n;
    if (i + 1 == n) { return take_second(); }
    deep.erase(i);
    record.end3 = deep.size() > 0 ? deep.top().signed_end : 0.0;
  }
  SCREE_INLINE void clear() {
    deep.clear();
    record = JaegerTop<R>{};
    n = 0;
  }

 private:
  /// The second segment from those kept elsewhere.
  SCREE_INLINE void take_second() {
    const bool any = deep.size() > 0;
    const JaegerSegment<R> second = any ? deep.top() : JaegerSegment<R>{0.0, {R(0), R(0)}};
    if (any) { deep.pop(); }
    record.end2 = second.signed_end, record.b2 = second.b;
    record.end3 = deep.size() > 0 ? deep.top().signed_end : 0.0;
  }
};

}  // namespace scree::inline SCREE_BACKEND
